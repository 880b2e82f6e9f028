package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// script is a model that needs no service: it gives its replies, one after another,
// whatever people answer. When a sub-task fails, as when nobody approves the event, it
// asks what to do, and leaves it at that.
type script struct {
	mu      sync.Mutex
	replies []string
	failing bool
}

var (
	reads = []string{
		`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "find out what the mail says"}`,
		`{"Status": "CONTINUE", "Function": "read_mail"}`,
		`{"Status": "FINISH", "Result": "Ada wants to meet for lunch in the first week of May."}`,
	}
	tells = []string{
		`{"Status": "FINISH", "Result": "Ada asks whether you meet for lunch in the first week of May."}`,
	}
	writes = []string{
		`{"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "put lunch with Ada into the calendar"}`,
		`{"Status": "PENDING", "Questions": ["Which day of the first week of May?"]}`,
		`{"Status": "CONTINUE", "Function": "set_event", "Args": {"title": "Lunch with Ada", "day": "3 May"}}`,
		`{"Status": "FINISH", "Result": "the event is there"}`,
		`{"Status": "FINISH", "Result": "Lunch with Ada is in the calendar."}`,
	}
	fails = []string{
		`{"Status": "PENDING", "Questions": ["The event is not in the calendar. What shall be done about it?"]}`,
		`{"Status": "FINISH", "Result": "The calendar is as it was.", "Open": {"subtask_2": "dropped: it was not approved"}}`,
	}
)

// newScript has the replies for a request.
func newScript(request string) *script {
	s := &script{replies: slices.Clone(reads)}
	if strings.Contains(strings.ToLower(request), "calendar") {
		s.replies = append(s.replies, writes...)
	} else {
		s.replies = append(s.replies, tells...)
	}
	return s
}

var errScript = errors.New("example: the script has no reply left")

func (s *script) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.failing && hasFailed(req) {
		s.failing, s.replies = true, fails
	}
	if len(s.replies) == 0 {
		return nil, errScript
	}
	text := s.replies[0]
	s.replies = s.replies[1:]
	return &llm.Response{Text: text, Model: "script", FinishReason: "stop"}, nil
}

// hasFailed reports whether the prompt tells of a sub-task that failed.
func hasFailed(req *llm.Request) bool {
	for _, message := range req.Messages {
		for _, part := range message.Parts {
			if message.Role == llm.User && strings.Contains(part.Text, "ended in "+string(fsm.Fail)) {
				return true
			}
		}
	}
	return false
}
