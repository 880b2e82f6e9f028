package durable_test

import (
	"context"
	"errors"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
)

var errBang = errors.New("bang")

// unkept is an agent whose data nobody can keep.
type unkept struct {
	fsm.Worker
	name string
}

func (u unkept) Name() string { return u.name }

func withoutSave(name string) fsm.Worker { return unkept{newClerk(nil), name} }

// screen is a desktop of funcs.
type screen func(cmd desktop.Command) (desktop.Result, error)

func (s screen) Tools(context.Context) ([]desktop.Tool, error) { return nil, nil }

func (s screen) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	return s(cmd)
}
