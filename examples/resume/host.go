package main

import (
	"context"
	"errors"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
)

// newHost makes the host of a job: the same one in each process that has the run.
// Only processes that drive it have a model and a desktop.
func newHost(j job, model llm.Model, d desktop.Desktop) (*hostagent.Agent, error) {
	return hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model:     model,
			Desktop:   d,
			User:      people.Later(), // every question suspends the run
			Policy:    policies.All(approvals(j.Out), policies.AskUncertain()),
			MaxMemory: maxSteps,
		},
		Apps:   []hostagent.Program{office.Excel(j.Out)},
		States: hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel}),
	})
}

// maxSteps is enough for a document with hundreds of tables.
const maxSteps = 200

func options(steps ...func(round.Step)) *round.Options {
	return &round.Options{MaxSteps: maxSteps, MaxTransitions: 2 * maxSteps, Observe: observe.All(steps...)}
}

// approvals wants a person's word twice: from the host before a program is started, and
// from the agent in Excel before a file is replaced.
func approvals(out string) policies.Func {
	return func(_ context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		if overwrite, _ := cmd.Parameters["overwrite"].(bool); overwrite && tool.Name == office.Save {
			return policies.Verdict{Action: policies.Confirm, Reason: out + " exists and would be replaced"}
		}
		if tool.Name == desktop.LaunchApplication {
			return policies.Verdict{Action: policies.Confirm, Reason: "it starts a program"}
		}
		return policies.Verdict{Action: policies.Allow}
	}
}

var errNobody = errors.New("nothing is asked of models and desktops here")

// nobody is the model and the desktop of a host that does nothing anew.
type nobody struct{}

func (nobody) Complete(context.Context, *llm.Request) (*llm.Response, error) { return nil, errNobody }
func (nobody) Tools(context.Context) ([]desktop.Tool, error)                 { return nil, errNobody }
func (nobody) Execute(context.Context, desktop.Command) (desktop.Result, error) {
	return desktop.Result{}, errNobody
}
