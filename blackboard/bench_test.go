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
