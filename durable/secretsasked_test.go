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

// announcing is an errand that has the password hunter2, asks with it, and goes on.
func announcing(y *tally, ask func(ctx context.Context, ap *acting.Approval) error) errand {
	y.tools = login
	return func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		box, err := desktop.Open(ctx, y, nil)
		if err != nil {
			return "", err
		}
		cmd := desktop.Command{ToolName: "login", Parameters: map[string]any{"password": "hunter2", "for": "bob"}}
		acting.Announce(ctx, box, cmd)
		ap := acting.NewApproval("a1", acting.Act{Command: cmd}, "")
		ap.Shown = box.Mask(cmd)
		return fsm.Finish, ask(ctx, ap)
	}
}

// observed is all that somebody sees of a run: its end, its steps, and what its journal says.
func observed(t *testing.T, y *tally, do errand, opts round.Options) (text string, questions []people.Question) {
	t.Helper()
	var lines bytes.Buffer
	opts.Observe = round.JSONL(&lines)
	res, err := y.begin(do, &opts).Run(t.Context(), "go")
	text = shown(t, res, err) + lines.String()
	state, err := durable.Look(t.Context(), y.store, "run")
	require.NoError(t, err)
	for _, q := range state.Waits {
		q.Command = nil // which is as it was recorded
		questions = append(questions, q)
	}
	raw, err := json.Marshal(questions)
	require.NoError(t, err)
	return text + state.Reason + string(raw), questions
}

// An agent whose question was cut for a page finds it, and its answer, by its words.
func TestTheAnswerToALongTitle(t *testing.T) {
	y := newTally(t)
	text, questions := observed(t, y, announcing(y, func(ctx context.Context, ap *acting.Approval) error {
		ap.Act.Title = strings.Repeat("hunter2 ", 1000)
		_, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: people.Later(), Agent: "clerk"}, "")
		return err
	}), round.Options{})
	require.Len(t, questions, 1)
	assert.Contains(t, questions[0].Text, `Allow login {"for":"bob","password":"***"} titled "*** ***`)
	assert.Less(t, len(questions[0].Text), 400)
	assert.NotContains(t, text, strings.Repeat("*** ", 60))

	given, err := durable.Answer(t.Context(), y.store, "run", questions[0].ID, people.Answer{Approved: true})
	require.NoError(t, err)
	assert.True(t, given)
	again := 0
	_, err = y.resume(announcing(y, func(ctx context.Context, ap *acting.Approval) error {
		ap.Act.Title = strings.Repeat("hunter2 ", 1000)
		_, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
			again++
			return people.Answer{}, nil
		}), Agent: "clerk"}, "")
		assert.True(t, ap.Granted)
		return err
	}), nil).Round().Run(t.Context())
	require.NoError(t, err)
	assert.Zero(t, again)
}

// What a page reads of a journal has no secret in words: of whatever asks, while the run
// is under way and when it has stopped, of a secret that was learned later, and in the
// process after it.
func TestAPageReadsNoSecretInWords(t *testing.T) {
	const secret = "hunter2"
	for name, ask := range map[string]func(ctx context.Context, ap *acting.Approval, u people.User) error{
		"question": func(ctx context.Context, _ *acting.Approval, u people.User) error {
			_, err := people.Ask(ctx, u, people.Question{ID: "q", Agent: secret, Text: secret, Title: secret, Target: secret, Reason: secret, Comment: secret}, 0)
			return err
		},
		"interview": func(ctx context.Context, _ *acting.Approval, u people.User) error {
			return asking(ctx, u, "is hunter2 right?", "ACME?")
		},
		"under another context": func(ctx context.Context, _ *acting.Approval, u people.User) error {
			_, err := people.Ask(ctx, u, people.Question{ID: "q", Text: secret, Title: secret, Reason: secret}, 0)
			return err
		},
		"approval": func(ctx context.Context, ap *acting.Approval, u people.User) error {
			ap.Act.Title, ap.Act.Target, ap.Reason = secret, "ACME's "+secret, secret
			_, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: u, Agent: "of " + secret}, secret)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			y := newTally(t)
			look := func(what string, redacted bool) []people.Question {
				state, err := durable.Look(t.Context(), y.store, "run")
				require.NoError(t, err)
				require.NotEmpty(t, state.Waits, what)
				for i := range state.Waits {
					if q := state.Waits[i]; q.Command != nil {
						assert.Equal(t, secret, q.Command.Parameters["password"], "the command is as it was recorded")
						assert.Contains(t, q.Text, `{"for":"bob","password":"***"}`, "all of the command is shown")
						q.Command = nil
						state.Waits[i] = q
					}
				}
				raw, err := json.Marshal(state.Waits)
				require.NoError(t, err)
				assert.Contains(t, string(raw), "***", what)
				assert.NotContains(t, string(raw)+state.Reason, secret, what)
				if redacted {
					assert.NotContains(t, string(raw), "ACME", what)
				}
				return state.Waits
			}
			var ids []string
			opts := &round.Options{Redact: func(s string) string { return strings.ReplaceAll(s, "ACME", "[customer]") }}
			user := people.UserFunc(func(ctx context.Context, q people.Question) (people.Answer, error) {
				if len(ids) == 0 {
					look("under way", true)
				}
				ids = append(ids, q.ID)
				return people.Later().Ask(ctx, q)
			})
			do := announcing(y, func(ctx context.Context, ap *acting.Approval) error { return ask(ctx, ap, user) })
			ctx := t.Context()
			if name == "under another context" {
				ctx = people.WithInterceptor(ctx, func(inner people.User) people.User {
					return people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
						return inner.Ask(context.Background(), q) //nolint:contextcheck // a context of its own
					})
				})
			}
			_, err := y.begin(do, opts).Run(ctx, "go")
			require.ErrorIs(t, err, round.ErrSuspended)
			was := look("stopped", true)
			_, err = y.resume(do, opts).Round().Run(t.Context())
			require.ErrorIs(t, err, round.ErrSuspended)
			assert.Equal(t, was, look("stopped again", true))
			assert.Equal(t, ids[:len(ids)/2], ids[len(ids)/2:], "it is the same question")
			for _, q := range was {
				given, err := durable.Answer(t.Context(), y.store, "run", q.ID, people.Answer{Approved: true, Text: "yes"})
				require.NoError(t, err)
				assert.True(t, given)
			}
			asked := len(ids)
			_, err = y.resume(do, opts).Round().Run(t.Context())
			require.NoError(t, err)
			assert.Len(t, ids, asked, "the answers are found")
		})
	}
}

// Who decides by a page reads the origin of a command as a person who is asked does. What a
// restored round says that it waits for is without secrets.
func TestAPageReadsAnOrigin(t *testing.T) {
	y := newTally(t)
	_, questions := observed(t, y, announcing(y, func(ctx context.Context, ap *acting.Approval) error {
		ap.Act.Command.Origin, ap.Shown.Origin = "https://hunter2.example", "https://hunter2.example"
		_, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: people.Later(), Agent: "clerk"}, "")
		return err
	}), round.Options{})
	require.Len(t, questions, 1)
	assert.Contains(t, questions[0].Text, `of "https://hunter2.example"`)
	waits := y.resume(nil, nil).Round().Result().Waits
	require.Len(t, waits, 1)
	assert.Equal(t, "https://***.example", waits[0].Command.Origin)
	assert.Equal(t, "https://***.example", waits[0].Shown.Origin)
}
