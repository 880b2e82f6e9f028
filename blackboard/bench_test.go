package blackboard_test

import (
	"encoding/json"
	"testing"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/boarddata"
)

var benchAssignment = boarddata.Assignment{
	ID:          "subtask_1",
	Application: "Word",
	Task:        "Extract the sales table",
	Message:     "It is on page 3",
	Context:     json.RawMessage(`{"document_name":"report.docx"}`),
}

func BenchmarkPut(b *testing.B) {
	board := blackboard.New(nil)
	b.ReportAllocs()
	for b.Loop() {
		if err := blackboard.NewKey[boarddata.Assignment](boarddata.CurrentSubtask).Put(board, benchAssignment); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	board := blackboard.New(nil)
	if err := blackboard.NewKey[boarddata.Assignment](boarddata.CurrentSubtask).Put(board, benchAssignment); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok, err := blackboard.NewKey[boarddata.Assignment](boarddata.CurrentSubtask).Get(board); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

// BenchmarkOps is what a step costs that puts a value and adds to a list, as JSON.
func BenchmarkOps(b *testing.B) {
	board := blackboard.New(&blackboard.Options{MaxBytes: -1})
	board.Inside().LogOps()
	b.ReportAllocs()
	for b.Loop() {
		if err := blackboard.NewKey[boarddata.Assignment](boarddata.CurrentSubtask).Put(board, benchAssignment); err != nil {
			b.Fatal(err)
		}
		if err := blackboard.NewList[string](boarddata.Requests).Append(board, "more"); err != nil {
			b.Fatal(err)
		}
		ops, err := board.Inside().TakeOps()
		if err != nil {
			b.Fatal(err)
		}
		if raw, err := json.Marshal(ops); len(raw) == 0 || err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReplay is that of one operation, from JSON.
func BenchmarkReplay(b *testing.B) {
	first := blackboard.New(nil)
	first.Inside().LogOps()
	if err := blackboard.NewKey[boarddata.Assignment](boarddata.CurrentSubtask).Put(first, benchAssignment); err != nil {
		b.Fatal(err)
	}
	ops, err := first.Inside().TakeOps()
	if err != nil {
		b.Fatal(err)
	}
	text, err := json.Marshal(ops)
	if err != nil {
		b.Fatal(err)
	}
	board := blackboard.New(nil)
	b.ReportAllocs()
	for b.Loop() {
		ops = nil
		if err := json.Unmarshal(text, &ops); err != nil {
			b.Fatal(err)
		}
		if err := board.Inside().Replay(ops); err != nil {
			b.Fatal(err)
		}
	}
}
