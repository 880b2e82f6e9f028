package main

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// unbounded are the options of a Round that may go on as long as a workload does. All
// other safeties are on.
func unbounded() *round.Options {
	return &round.Options{MaxSteps: -1, MaxTransitions: -1, MaxRepeats: -1}
}

// replies is a model that calls the tool until it says done.
func replies(j *job) llm.Model {
	return llm.ModelFunc(func(_ context.Context, request *llm.Request) (*llm.Response, error) {
		step, last, err := j.think(request)
		switch {
		case err != nil:
			return nil, err
		case last:
			return &llm.Response{Text: `{"Status": "FINISH", "Result": "done"}`}, nil
		}
		return &llm.Response{Text: decisions.of(j.workload, step)}, nil
	})
}

var decisions = newTexts(func(thought string) string {
	return `{"Status": "CONTINUE", "Thought": "` + thought + `", "Function": "` + toolName + `", "Args": ` + arguments + `}`
})

// desk is what the agents of a workload act on.
func desk(j *job) (desktop.Desktop, error) {
	if j.Realistic {
		return newScreen(j, usual), nil
	}
	tools := []*desktop.FuncTool{desktop.Func(toolName, "does nothing", func(context.Context, struct{ N int }) (string, error) {
		return j.called(), nil
	}, nil)}
	return desktop.New(tools...)
}

// newApp is an AppAgent; a nil board is one of its own.
func newApp(model llm.Model, on desktop.Desktop, board *blackboard.Board) (*appagent.Agent, error) {
	return appagent.New(appagent.Config{Model: model, Desktop: on, Board: board, NoImages: true})
}

func runApp(ctx context.Context, j *job) error {
	on, err := desk(j)
	if err != nil {
		return err
	}
	agent, err := newApp(replies(j), on, nil)
	if err != nil {
		return err
	}
	return runRound(ctx, j, agent)
}

func runHost(ctx context.Context, j *job) error {
	on, err := hostDesk(j)
	if err != nil {
		return err
	}
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: replies(j), Desktop: on, NoImages: true}})
	if err != nil {
		return err
	}
	return runRound(ctx, j, host)
}

// hostDesk also lists windows, without which a host does not think: one where the workload is small.
func hostDesk(j *job) (desktop.Desktop, error) {
	on, err := desk(j)
	if err != nil || j.Realistic {
		return on, err
	}
	list := windows(1)
	lists, err := desktop.New(desktop.Func(desktop.GetDesktopAppInfo, "lists the windows", func(context.Context, struct{}) ([]desktop.Window, error) {
		return list, nil
	}, &desktop.Annotations{ReadOnlyHint: true}))
	if err != nil {
		return nil, err
	}
	return desktop.Join(on, lists), nil
}

func runRound(ctx context.Context, j *job, agent fsm.Worker) error {
	r, err := round.New(agent, "do nothing", unbounded())
	if err != nil {
		return err
	}
	result, err := r.Run(ctx)
	if err != nil {
		return fmt.Errorf("bench: %s: %w", result.Reason, err)
	}
	return j.done(result.Answer)
}
