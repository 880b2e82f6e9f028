package main

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
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
		return &llm.Response{Text: decisions.of(step)}, nil
	})
}

var decisions = newTexts(func(thought string) string {
	return `{"Status": "CONTINUE", "Thought": "` + thought + `", "Function": "` + toolName + `", "Args": ` + arguments + `}`
})

func config(j *job) appagent.Config {
	return appagent.Config{Model: replies(j), Desktop: screen{j}, NoImages: true}
}

func runApp(ctx context.Context, j *job) error {
	agent, err := appagent.New(config(j))
	if err != nil {
		return err
	}
	return runRound(ctx, j, agent)
}

func runHost(ctx context.Context, j *job) error {
	host, err := hostagent.New(hostagent.Config{Config: config(j)})
	if err != nil {
		return err
	}
	return runRound(ctx, j, host)
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
