package main

import (
	"context"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
)

func newHost(model llm.Model) (*hostagent.Agent, error) {
	tools, err := desktop.New() // a Writer needs none, a window has a set
	if err != nil {
		return nil, err
	}
	screen, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "writer"}, Desktop: tools})
	if err != nil {
		return nil, err
	}
	return hostagent.New(hostagent.Config{
		Config: appagent.Config{Model: model, Desktop: screen},
		NewApp: func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
			return &Writer{name: app.Name, model: app.Model}, nil
		},
	})
}
