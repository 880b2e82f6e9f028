package fsm_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

// agent is the kind that most tests use.
type agent struct {
	fsm.Position
	states *fsm.Manager[*agent]
	other  fsm.Agent // what a hand-over goes to
	calls  int
}

func (a *agent) Name() string    { return "agent" }
func (a *agent) States() fsm.Set { return a.states }

func (a *agent) work(context.Context) error {
	a.calls++
	return nil
}

// plain is a state that does nothing, under any name.
type plain struct {
	name fsm.Status
	end  bool
}

func (p *plain) Name() fsm.Status                     { return p.name }
func (p *plain) Handle(context.Context, *agent) error { return nil }
func (p *plain) NextState(a *agent) fsm.Status        { return a.Decision().To }
func (p *plain) NextAgent(a *agent) fsm.Agent         { return a }
func (p *plain) IsRoundEnd() bool                     { return p.end }
func (p *plain) IsSubtaskEnd() bool                   { return p.end }
func (p *plain) IsSuccess() bool                      { return p.end && p.name == "END" }

func newPlain(name fsm.Status) func() fsm.State[*agent] {
	return func() fsm.State[*agent] { return &plain{name: name} }
}

func register(t testing.TB, m *fsm.Manager[*agent], list ...fsm.Status) {
	t.Helper()
	for _, s := range list {
		require.NoError(t, m.Register(s, newPlain(s)))
	}
}
