package durable_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
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

// diverged says how steps that were handled again differed from their records; "": they did not.
func diverged(t *testing.T, in store.Store) string {
	t.Helper()
	var texts []string
	for r, err := range durable.Records(t.Context(), in, "run") {
		require.NoError(t, err)
		if r.Kind == "drop" {
			texts = append(texts, r.String())
		}
	}
	return strings.Join(texts, "\n")
}
