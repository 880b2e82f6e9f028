// Package savetest brings what an agent saves through JSON, as a journal does.
package savetest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
)

// JSON returns what an agent saves.
func JSON(t testing.TB, from fsm.Saver) string {
	t.Helper()
	saved, err := from.Save()
	require.NoError(t, err)
	raw, err := json.Marshal(saved)
	require.NoError(t, err)
	return string(raw)
}

// Load has an agent load that.
func Load(t testing.TB, to fsm.Saver, text string) {
	t.Helper()
	require.NoError(t, to.Load(Read(t, text)))
}

// Read returns that, to be changed.
func Read(t testing.TB, text string) fsm.Saved {
	t.Helper()
	var saved fsm.Saved
	require.NoError(t, json.Unmarshal([]byte(text), &saved))
	return saved
}

// goesOn is what a Round tells a step that it goes on with in another process: what the
// agent saw was recorded, and is old.
type goesOn struct{ trace.Sink }

func (goesOn) Stale() bool                  { return true }
func (goesOn) Uncertain() []desktop.Command { return nil }
func (goesOn) Looked() (looked, known bool) { return false, false }

// GoingOn is the context of a step that goes on in another process.
func GoingOn(ctx context.Context) context.Context {
	return trace.With(ctx, goesOn{trace.From(ctx)})
}
