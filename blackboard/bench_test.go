package blackboard_test

import (
	"encoding/json"
	"testing"

	"github.com/agentfsm/agentfsm/blackboard"
)

var benchAssignment = blackboard.Assignment{
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
		if err := blackboard.CurrentSubtask.Put(board, benchAssignment); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	board := blackboard.New(nil)
	if err := blackboard.CurrentSubtask.Put(board, benchAssignment); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok, err := blackboard.CurrentSubtask.Get(board); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

// BenchmarkChanges is what a step costs that puts a value and adds to a list.
func BenchmarkChanges(b *testing.B) {
	board := blackboard.New(&blackboard.Options{MaxBytes: -1})
	board.Track()
	b.ReportAllocs()
	for b.Loop() {
		if err := blackboard.CurrentSubtask.Put(board, benchAssignment); err != nil {
			b.Fatal(err)
		}
		if err := blackboard.Requests.Append(board, "more"); err != nil {
			b.Fatal(err)
		}
		if raw, err := board.Changes(); len(raw) == 0 || err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkApply(b *testing.B) {
	first := blackboard.New(nil)
	first.Track()
	if err := blackboard.CurrentSubtask.Put(first, benchAssignment); err != nil {
		b.Fatal(err)
	}
	changes, err := first.Changes()
	if err != nil {
		b.Fatal(err)
	}
	board := blackboard.New(nil)
	b.ReportAllocs()
	for b.Loop() {
		if err := board.Apply(changes, nil); err != nil {
			b.Fatal(err)
		}
	}
}
