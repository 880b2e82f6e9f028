package durable_test

import (
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

// wishes asks what a decision without acts wants to be asked, as an agent's states do.
func wishes(ctx context.Context, user people.User, wish acting.Wish) error {
	actor := &acting.Actor{User: user, Agent: "clerk"}
	var w acting.Work
	_, _, err := w.Perform(ctx, actor, nil, wish)
	switch {
	case err != nil:
	case wish.To == fsm.Confirm:
		_, err = w.Confirm(ctx, actor, wish.Reason)
	default:
		_, err = w.Pending(ctx, actor, wish.Reason)
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

// Nobody who is asked reads a secret in words: in an agent's comment, a policy's reason, a
// question, or a question of a kind of its own. The command itself is shown as it was
// masked: were other words hidden in it, a model could hide what is approved.
func TestAPersonReadsNoSecretInWords(t *testing.T) {
	for name, ask := range map[string]func(ctx context.Context, box *desktop.Toolbox, cmd desktop.Command, u people.User) error{
		"comment": func(ctx context.Context, box *desktop.Toolbox, cmd desktop.Command, u people.User) error {
			ap := acting.NewApproval("a", acting.Act{Command: cmd}, "it is the policy")
			ap.Shown = box.Mask(cmd)
			_, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: u, Agent: "clerk"}, "I use hunter2 here")
			return err
		},
		"reason": func(ctx context.Context, box *desktop.Toolbox, cmd desktop.Command, u people.User) error {
			ap := acting.NewApproval("a", acting.Act{Command: cmd}, "hunter2 is weak")
			ap.Shown = box.Mask(cmd)
			_, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: u, Agent: "clerk"}, "")
			return err
		},
		"question": func(ctx context.Context, _ *desktop.Toolbox, _ desktop.Command, u people.User) error {
			return wishes(ctx, u, acting.Wish{To: fsm.Pending, Questions: []string{"is hunter2 right?"}})
		},
		"event": func(ctx context.Context, _ *desktop.Toolbox, _ desktop.Command, u people.User) error {
			return wishes(ctx, u, acting.Wish{To: fsm.Pending, Reason: "waiting with \"hunter2\""})
		},
		"going on": func(ctx context.Context, _ *desktop.Toolbox, _ desktop.Command, u people.User) error {
			return wishes(ctx, u, acting.Wish{To: fsm.Confirm, Reason: "go on with hunter2?"})
		},
		"target": func(ctx context.Context, box *desktop.Toolbox, cmd desktop.Command, u people.User) error {
			ap := acting.NewApproval("a", acting.Act{Command: cmd, Target: "the hunter2 button", Focus: "hunter2"}, "")
			ap.Shown = box.Mask(cmd)
			_, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: u, Agent: "clerk"}, "")
			assert.Equal(t, "the hunter2 button", ap.Act.Target, "the approval is of the target itself")
			return err
		},
		"title": func(ctx context.Context, box *desktop.Toolbox, cmd desktop.Command, u people.User) error {
			ap := acting.NewApproval("a", acting.Act{Command: cmd, Title: "hunter2 - Notes"}, "")
			ap.Shown = box.Mask(cmd)
			_, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: u, Agent: "clerk"}, "")
			return err
		},
		"agent": func(ctx context.Context, box *desktop.Toolbox, cmd desktop.Command, u people.User) error {
			ap := acting.NewApproval("a", acting.Act{Command: cmd}, "")
			ap.Shown = box.Mask(cmd)
			_, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: u, Agent: "AppAgent/hunter2"}, "")
			return err
		},
		"title of a kind": func(ctx context.Context, _ *desktop.Toolbox, _ desktop.Command, u people.User) error {
			_, err := people.Ask(ctx, u, people.Question{ID: "q", Text: "?", Title: "of hunter2"}, 0)
			return err
		},
		"target of a kind": func(ctx context.Context, _ *desktop.Toolbox, _ desktop.Command, u people.User) error {
			_, err := people.Ask(ctx, u, people.Question{ID: "q", Text: "?", Target: "on hunter2"}, 0)
			return err
		},
		"agent of a kind": func(ctx context.Context, _ *desktop.Toolbox, _ desktop.Command, u people.User) error {
			_, err := people.Ask(ctx, u, people.Question{ID: "q", Text: "?", Agent: "hunter2"}, 0)
			return err
		},
		"a kind of its own": func(ctx context.Context, _ *desktop.Toolbox, _ desktop.Command, u people.User) error {
			_, err := people.Ask(ctx, u, people.Question{ID: "q", Text: "hunter2?", Reason: "of hunter2", Comment: "hunter2 it is"}, 0)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			y := newTally(t)
			y.tools = login
			var asked []people.Question
			user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
				asked = append(asked, q)
				return people.Answer{Approved: true}, nil
			})
			_, err := y.begin(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
				box, err := desktop.Open(ctx, y, nil)
				if err != nil {
					return "", err
				}
				cmd := desktop.Command{ToolName: "login", Parameters: map[string]any{"password": "hunter2", "for": "bob"}}
				acting.Announce(ctx, box, cmd)
				// Announced to hide what is approved.
				acting.Announce(ctx, box, desktop.Command{ToolName: "login", Parameters: map[string]any{"password": "bob"}})
				return fsm.Finish, ask(ctx, box, cmd, user)
			}, nil).Run(t.Context(), "go")
			require.NoError(t, err)
			require.Len(t, asked, 1)
			q := asked[0]
			words := q.Text + q.Reason + q.Comment + q.Title + q.Target + q.Agent
			assert.Contains(t, words, "***")
			assert.NotContains(t, words, "hunter2")
			if q.Command != nil {
				assert.Contains(t, q.Text, `Allow login {"for":"bob","password":"***"}`, "all of the command is shown")
				assert.Equal(t, "hunter2", q.Command.Parameters["password"], "the command is the whole one")
			}
		})
	}
}

// A question keeps its id over processes, though the later one knows a secret in its words
// that the first one did not know yet.
func TestAQuestionIsFoundByItsWords(t *testing.T) {
	y := newTally(t)
	y.tools = login
	var ids, texts []string
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
			ids, texts = append(ids, q.ID), append(texts, q.Text)
			return people.Answer{}, fsm.ErrSuspend
		})
		asked := wishes(ctx, user, acting.Wish{To: fsm.Pending, Questions: []string{"is hunter2 right?"}})
		box, err := desktop.Open(ctx, y, nil)
		if err != nil {
			return "", err
		}
		acting.Announce(ctx, box, desktop.Command{ToolName: "login", Parameters: map[string]any{"password": "hunter2"}})
		return fsm.Finish, asked
	}
	_, err := y.begin(do, nil).Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrSuspended)
	_, err = y.resume(do, nil).Round().Run(t.Context())
	require.ErrorIs(t, err, round.ErrSuspended)
	require.Len(t, ids, 2)
	assert.Equal(t, ids[0], ids[1])
	assert.Equal(t, []string{"is hunter2 right?", "is *** right?"}, texts)
}
