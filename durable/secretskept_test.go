package durable_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
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
	if err != nil {
		text += err.Error()
	}
	return text
}

// asking has an agent's questions asked.
func asking(ctx context.Context, user people.User, questions ...string) error {
	actor := &acting.Actor{User: user, Agent: "clerk"}
	var w acting.Work
	_, _, err := w.Perform(ctx, actor, nil, acting.Wish{To: fsm.Pending, Questions: questions})
	if err == nil {
		_, err = w.Pending(ctx, actor, "")
	}
	return err
}

// A secret that the process before has learned, and an agent still knows, is shown by none
// of those that go on, although nobody has told it to them.
func TestSecretsAreKnownToTheNextProcess(t *testing.T) {
	y := newTally(t)
	y.tools = login
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		if c.N++; c.N == 1 { // nobody lists the tools once more
			box, err := desktop.Open(ctx, y, nil)
			if err != nil {
				return "", err
			}
			cmd := desktop.Command{ToolName: "login", Parameters: map[string]any{"password": "hunter2"}}
			acting.Announce(ctx, box, cmd)
			_, err = desktop.Execute(ctx, y, cmd)
			c.Notes = []string{"hunter2"}
			return fsm.Continue, err
		}
		_, err := people.Ask(ctx, people.Later(), people.Question{ID: "q", Agent: "clerk", Text: "is " + c.Notes[0] + " right?"}, 0)
		return fsm.Finish, err
	}
	for at := 2; at <= 5; at++ { // round, intent, result, step, ask
		y.store = newTally(t).store
		y.dies(at, true, do)
		_, text := (&world{t: t, store: y.store}).records()
		require.Contains(t, text, "hunter2", "the journal has it, to compare commands and to mask it")
		for range 2 { // processes
			var steps bytes.Buffer
			s := y.resume(do, &round.Options{Observe: round.JSONL(&steps)})
			res, err := s.Round().Run(t.Context())
			assert.NotContains(t, steps.String(), "hunter2")
			require.ErrorIs(t, err, round.ErrSuspended)
			require.Len(t, res.Waits, 1)
			text := shown(t, res, err)
			assert.Contains(t, text, "is *** right?")
			assert.NotContains(t, text, "hunter2")
			s = y.resume(do, nil)
			r := s.Round()
			assert.NotContains(t, shown(t, r.Result(), r.Result().Err), "hunter2")
			require.NoError(t, s.Close(t.Context()))
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
		box, err := desktop.Open(ctx, y, nil)
		if err != nil {
			return "", err
		}
		cmd := desktop.Command{ToolName: "login", Parameters: map[string]any{"password": "hunter2", "pin": 314159, "for": "ACME"}}
		acting.Announce(ctx, box, cmd)
		ap := acting.NewApproval("a1", acting.Act{Command: cmd, Target: "ACME hunter2", Title: "ACME hunter2 title"}, "ACME hunter2 reason")
		ap.Shown = box.Mask(cmd)
		_, err = (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: people.Later(), Agent: "clerk"}, "use hunter2 for ACME")
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
	res, err = durable.Replay(t.Context(), newClerk(do), y.store, "run", opts)
	require.NoError(t, err)
	assert.NotContains(t, shown(t, res, err), "hunter2")
}

// A question keeps its id over processes, though the later one knows a secret in its words
// that the first one learned when the question was recorded already. A page does not read it.
func TestAQuestionIsFoundByItsWords(t *testing.T) {
	y := newTally(t)
	y.tools = login
	var ids, texts []string
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
			ids, texts = append(ids, q.ID), append(texts, q.Text)
			return people.Answer{}, fsm.ErrSuspend
		})
		asked := asking(ctx, user, "is hunter2 right?")
		box, err := desktop.Open(ctx, y, nil)
		if err != nil {
			return "", err
		}
		acting.Announce(ctx, box, desktop.Command{ToolName: "login", Parameters: map[string]any{"password": "hunter2"}})
		return fsm.Finish, asked
	}
	seen, questions := observed(t, y, do, round.Options{})
	require.Len(t, questions, 1)
	assert.Equal(t, "is *** right?", questions[0].Text)
	assert.NotContains(t, seen, "hunter2")
	_, err := y.resume(do, nil).Round().Run(t.Context())
	require.ErrorIs(t, err, round.ErrSuspended)
	require.Len(t, ids, 2)
	assert.Equal(t, ids[0], ids[1])
	assert.Equal(t, []string{"is hunter2 right?", "is *** right?"}, texts)
}
