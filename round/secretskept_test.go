package round_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/processor"
	"github.com/agentfsm/agentfsm/round"
)

// login lists a tool that has a password.
var login = []desktop.Tool{{
	Name:        "login",
	InputSchema: json.RawMessage(`{"type":"object","properties":{"password":{"type":"string","format":"password"},"pin":{"type":"integer","writeOnly":true},"for":{"type":"string"}}}`),
}}

// shown is all that somebody sees of a run.
func shown(t *testing.T, v any, err error) string {
	t.Helper()
	raw, failed := json.Marshal(v)
	require.NoError(t, failed)
	text := string(raw)
	if suspended, ok := errors.AsType[*round.SuspendedError](err); ok {
		raw, failed = json.Marshal(suspended.Questions)
		require.NoError(t, failed)
		text += string(raw) + suspended.Error()
	}
	if err != nil {
		text += err.Error()
	}
	return text
}

// A secret that the process before has learned, and an agent still knows, is shown by none
// of those that go on, although nobody has told it to them.
func TestSecretsAreKnownToTheNextProcess(t *testing.T) {
	y := newTally(t)
	y.tools = login
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		if c.N++; c.N == 1 { // nobody lists the tools once more
			box, err := desktop.Open(ctx, y)
			if err != nil {
				return "", err
			}
			cmd := desktop.Command{ToolName: "login", Parameters: map[string]any{"password": "hunter2"}}
			processor.Announce(ctx, box, cmd)
			_, err = desktop.Execute(ctx, y, cmd)
			c.Notes = []string{"hunter2"}
			return fsm.Continue, err
		}
		_, err := processor.Ask(ctx, processor.Later(), processor.Question{ID: "q", Agent: "clerk", Text: "is " + c.Notes[0] + " right?"}, 0)
		return fsm.Finish, err
	}
	for at := 4; at <= 5; at++ { // round, intent, result, step, ask
		y.store = newTally(t).store
		y.dies(at, true, do)
		for range 2 { // processes
			s := y.resume(do, nil)
			res, err := s.Round().Run(t.Context())
			require.ErrorIs(t, err, round.ErrSuspended)
			require.Len(t, res.Waits, 1)
			text := shown(t, res, err)
			assert.Contains(t, text, "is *** right?")
			assert.NotContains(t, text, "hunter2")
			r := y.resume(do, nil).Round()
			assert.NotContains(t, shown(t, r.Result(), r.Result().Err), "hunter2")
		}
	}
}

// The questions of a suspended run are shown without secrets: when it stops, to whoever
// resumes it, and in a replay.
func TestSecretsOfWhatWaits(t *testing.T) {
	y := newTally(t)
	y.tools = login
	opts := &round.Options{Redact: func(s string) string { return strings.ReplaceAll(s, "ACME", "[customer]") }}
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		box, err := desktop.Open(ctx, y)
		if err != nil {
			return "", err
		}
		cmd := desktop.Command{ToolName: "login", Parameters: map[string]any{"password": "hunter2", "pin": 314159, "for": "ACME"}}
		processor.Announce(ctx, box, cmd)
		ap := processor.NewApproval("a1", processor.Act{Command: cmd, Target: "ACME hunter2"}, "ACME hunter2 reason")
		ap.Shown = box.Mask(cmd)
		_, err = ap.Ask(ctx, processor.Later(), "clerk", "use hunter2 for ACME", 0)
		return fsm.Finish, err
	}
	check := func(what string, res round.Result, err error) {
		require.Len(t, res.Waits, 1, what)
		text := shown(t, res, err)
		assert.Contains(t, text, "***", what)
		assert.Contains(t, text, "[customer]", what)
		assert.NotContains(t, text, "hunter2", what)
		assert.NotContains(t, text, "314159", what)
		assert.NotContains(t, text, "ACME", what)
	}
	res, err := y.begin(do, opts).Run(t.Context(), "go")
	check("stopped", res, err)
	r := y.resume(do, opts).Round()
	check("resumed", r.Result(), r.Result().Err)
	res, err = r.Run(t.Context())
	check("stopped again", res, err)
	res, err = round.Replay(t.Context(), newClerk(do), round.NewJournal(y.store, "run"), opts)
	require.NoError(t, err)
	assert.NotContains(t, shown(t, res, err), "hunter2")
}
