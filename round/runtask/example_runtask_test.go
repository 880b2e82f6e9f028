package runtask_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/runtask"
)

// notes is a session whose agent reads a note, by what its model, a script,
// replies.
func notes(replies ...any) (*round.Session, error) {
	read := desktop.Func("read_note", "reads the note", func(context.Context, struct{}) (string, error) {
		return "buy milk", nil
	}, &desktop.Annotations{ReadOnlyHint: true})
	tools, err := desktop.New(read)
	if err != nil {
		return nil, err
	}
	agent, err := appagent.New(appagent.Config{Model: llmtest.Script(nil, replies...), Desktop: tools})
	if err != nil {
		return nil, err
	}
	return round.NewSession(agent, nil)
}

// A tool for somebody else's agent: what that one's model writes goes in, JSON
// comes out.
func Example() {
	task, err := runtask.New(func(context.Context) (*round.Session, error) {
		return notes(
			`{"Status": "CONTINUE", "Function": "read_note"}`,
			`{"Status": "FINISH", "Result": "You have to buy milk."}`,
		)
	}, &runtask.Options{Name: "notes", Description: "Knows what is in your notes."})
	if err != nil {
		fmt.Println(err)
		return
	}
	call := func(ctx context.Context, arguments string) (string, error) {
		var in struct {
			Request string `json:"request" jsonschema:"the task, in plain words"`
		}
		if err := json.Unmarshal([]byte(arguments), &in); err != nil {
			return "", err
		}
		res, err := task.Run(ctx, in.Request)
		if err != nil {
			return "", err
		}
		text, err := json.MarshalIndent(res, "", "  ")
		return string(text), err
	}

	text, err := call(context.Background(), `{"request": "what do I have to do?"}`)
	fmt.Println(task.Name(), err)
	fmt.Println(text)
	// Output:
	// notes <nil>
	// {
	//   "round": 1,
	//   "outcome": "FINISH",
	//   "agent": "AppAgent",
	//   "status": "FINISH",
	//   "answer": "You have to buy milk.",
	//   "steps": 2,
	//   "transitions": 2,
	//   "calls": 2,
	//   "usage": {
	//     "input_tokens": 20,
	//     "output_tokens": 10
	//   }
	// }
}

// Everything but FINISH is an error that says how far the task got.
func ExampleError() {
	task, err := runtask.New(func(context.Context) (*round.Session, error) {
		return notes(`{"Status": "FAIL", "Comment": "there is no such note"}`)
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = task.Run(context.Background(), "delete the note about Ada")
	fmt.Println(err)
	if failed, ok := errors.AsType[*runtask.Error](err); ok {
		fmt.Println(failed.Result.Outcome, errors.Is(err, round.ErrFailed))
	}
	// Output:
	// runtask: the task did not finish: round: the task failed: AppAgent:FAIL: there is no such note
	// FAIL true
}
