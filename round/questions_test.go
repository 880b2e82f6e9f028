package round_test

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
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// teller is a desktop with a tool that takes a password.
type teller struct{}

var bank teller

func (teller) Tools(context.Context) ([]desktop.Tool, error) {
	return []desktop.Tool{{
		Name:        "login",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"password":{"type":"string","format":"password"},"for":{"type":"string"}}}`),
	}}, nil
}

func (teller) Execute(context.Context, desktop.Command) (desktop.Result, error) {
	return desktop.TextResult("done"), nil
}

// announcing has a password, asks with it, and goes on.
func announcing(secret string, ask func(ctx context.Context, ap *acting.Approval) error) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		box, err := desktop.Open(ctx, bank, nil)
		if err != nil {
			return err
		}
		cmd := desktop.Command{ToolName: "login", Parameters: map[string]any{"password": secret, "for": "bob"}}
		acting.Announce(ctx, box, cmd)
		ap := acting.NewApproval("a1", acting.Act{Command: cmd}, "")
		ap.Shown = box.Mask(cmd)
		return ask(ctx, ap)
	}
}

// confirm asks for an approval.
func confirm(ctx context.Context, user people.User, ap *acting.Approval, comment string) error {
	_, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: user, Agent: "clerk"}, comment)
	return err
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

// observed is all that somebody sees of a round: its end and its steps. waits is what it waits for.
func observed(t *testing.T, do func(ctx context.Context) error, opts round.Options) (text string, waits []people.Question) {
	t.Helper()
	var lines bytes.Buffer
	opts.Observe = round.JSONL(&lines)
	res, err := start(t, do, &opts).Run(t.Context())
	return shown(t, res, err) + lines.String(), res.Waits
}

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

// A text that is cut has no half of a secret at its end: not the title of a window, the
// reason of a policy, the words of an agent, nor a question in the reason of what came of it.
func TestACutLeavesNoHalfOfASecret(t *testing.T) {
	const secret = "hunter2-Xyzzy-correct-horse"
	across := func(limit int) string { return strings.Repeat("a", limit-10) + " " + secret + " is it" }
	asked := func(change func(ap *acting.Approval), comment string) func(context.Context, *acting.Approval) error {
		return func(ctx context.Context, ap *acting.Approval) error {
			change(ap)
			return confirm(ctx, people.Later(), ap, comment)
		}
	}
	for name, ask := range map[string]func(context.Context, *acting.Approval) error{
		"title": asked(func(ap *acting.Approval) { ap.Act.Title = across(200) }, ""),
		"a title in other words": asked(func(ap *acting.Approval) {
			ap.Act.Title = strings.Repeat("ä", 90) + " \"" + secret + "\""
		}, ""),
		"a title of no end": asked(func(ap *acting.Approval) { ap.Act.Title = across(200) + across(8<<10) }, ""),
		"reason":            asked(func(ap *acting.Approval) { ap.Reason = across(8 << 10) }, ""),
		"comment":           asked(func(*acting.Approval) {}, across(8<<10)),
		"a kind of its own": func(ctx context.Context, _ *acting.Approval) error {
			_, err := people.Ask(ctx, people.Later(), people.Question{ID: "q", Text: "?", Title: across(8 << 10), Reason: across(200)}, 0)
			return err
		},
		"a question that nobody answered": func(ctx context.Context, _ *acting.Approval) error {
			d, err := new(acting.Work).Pending(ctx, &acting.Actor{Agent: "clerk"}, across(200))
			if err == nil {
				err = &cannot{d.Reason}
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			text, _ := observed(t, announcing(secret, ask), round.Options{})
			assert.NotContains(t, text, "hunter", "announced")
			redact := func(text string) string { return strings.ReplaceAll(text, secret, "***") }
			text, _ = observed(t, announcing("another", ask), round.Options{Redact: redact})
			assert.NotContains(t, text, "hunter", "redacted")
		})
	}
}

type cannot struct{ reason string }

func (e *cannot) Error() string { return e.reason }

// What a title has is cut where a person reads it, and the command is whole.
func TestALongTitleIsCut(t *testing.T) {
	text, questions := observed(t, announcing("hunter2", func(ctx context.Context, ap *acting.Approval) error {
		ap.Act.Title = strings.Repeat("hunter2 ", 1000)
		return confirm(ctx, people.Later(), ap, "")
	}), round.Options{})
	require.Len(t, questions, 1)
	assert.Contains(t, questions[0].Text, `Allow login {"for":"bob","password":"***"} titled "*** ***`)
	assert.Less(t, len(questions[0].Text), 400)
	assert.NotContains(t, text, strings.Repeat("*** ", 60))
}

// Secrets with letters that are written out before anybody looks for a secret: line
// breaks, tabs, what a terminal obeys, and what cannot be seen.
func TestSecretsThatAreWrittenOut(t *testing.T) {
	for name, secret := range map[string]string{
		"a key from elsewhere":  "-----BEGIN KEY-----\r\nalphaMIIE\r\nbravoQIBA\r\n-----END KEY-----\r\n",
		"DEL":                   "alpha\x7fbravo",
		"a tag":                 "alpha\U000e0041bravo",
		"with quotes":           "alpha\"\tbravo<",
		"of another plane":      "alpha\U0001D11Ebravo",
		"with blanks around it": " alpha\tbravo ",
	} {
		t.Run(name, func(t *testing.T) {
			quoted, err := json.Marshal(secret)
			require.NoError(t, err)
			for where, ask := range map[string]func(context.Context, people.User, *acting.Approval) error{
				"question": func(ctx context.Context, u people.User, _ *acting.Approval) error {
					_, err := people.Ask(ctx, u, people.Question{ID: "q", Agent: "of " + secret, Text: "is " + secret + " right?", Title: secret}, 0)
					return err
				},
				"approval": func(ctx context.Context, u people.User, ap *acting.Approval) error {
					ap.Act.Title, ap.Act.Target, ap.Act.Focus, ap.Reason = "a "+secret+" b", "the "+secret+" button", secret, "it is "+secret
					_, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: u, Agent: "of " + secret}, "says "+secret)
					return err
				},
				"in JSON": func(ctx context.Context, u people.User, ap *acting.Approval) error {
					ap.Act.Title, ap.Reason = string(quoted), `{"p":`+string(quoted)+`}`
					return confirm(ctx, u, ap, string(quoted))
				},
				"interview": func(ctx context.Context, u people.User, _ *acting.Approval) error {
					return wishes(ctx, u, acting.Wish{To: fsm.Pending, Questions: []string{"is " + secret + " right?"}})
				},
				"event": func(ctx context.Context, u people.User, _ *acting.Approval) error {
					return wishes(ctx, u, acting.Wish{To: fsm.Pending, Reason: "waiting with \"" + secret + "\""})
				},
				"going on": func(ctx context.Context, u people.User, _ *acting.Approval) error {
					return wishes(ctx, u, acting.Wish{To: fsm.Confirm, Reason: "go on with " + secret + "?"})
				},
				"trimmed": func(ctx context.Context, u people.User, ap *acting.Approval) error {
					ap.Act.Title = "(" + strings.TrimSpace(secret) + ")"
					return confirm(ctx, u, ap, "("+strings.TrimSpace(secret)+")")
				},
			} {
				var person []string
				user := people.UserFunc(func(ctx context.Context, q people.Question) (people.Answer, error) {
					person = append(person, q.Agent, q.Text, q.Title, q.Target, q.Reason, q.Comment)
					if q.Command != nil {
						assert.Contains(t, q.Text, `Allow login {"for":"bob","password":"***"}`, "all of the command is shown")
						assert.Equal(t, secret, q.Command.Parameters["password"], "the command is the whole one")
					}
					return people.Later().Ask(ctx, q)
				})
				text, questions := observed(t, announcing(secret, func(ctx context.Context, ap *acting.Approval) error {
					box, err := desktop.Open(ctx, bank, nil)
					require.NoError(t, err)
					// Announced to hide what is approved.
					acting.Announce(ctx, box, desktop.Command{ToolName: "login", Parameters: map[string]any{"password": "bob"}})
					return ask(ctx, user, ap)
				}), round.Options{})
				require.Len(t, questions, 1)
				all := strings.Join(person, "\n")
				assert.Contains(t, text, "***", where)
				assert.Contains(t, all, "***", where)
				for _, part := range []string{"alpha", "bravo"} {
					assert.NotContains(t, text, part, where)
					assert.NotContains(t, all, part, where)
				}
			}
		})
	}
}

// A secret in ASCII, as other programs write JSON.
func TestSecretsInASCII(t *testing.T) {
	for _, c := range []struct{ secret, written string }{
		{"ключик", `\u043a\u043b\u044e\u0447\u0438\u043a`},
		{"pass\U0001F600word", `pass\ud83d\ude00word`},
		{"pass\U0001F600word", `pass\U0001f600word`},
	} {
		text, _ := observed(t, announcing(c.secret, func(ctx context.Context, _ *acting.Approval) error {
			_, err := people.Ask(ctx, people.Later(), people.Question{ID: "q", Text: "is " + c.written + "?"}, 0)
			return err
		}), round.Options{})
		assert.Contains(t, text, "is ***?")
	}
}

// The origin of a command is recorded without secrets. A person who decides reads it: what
// a model calls a secret does not hide whose tool it is.
func TestSecretsInAnOrigin(t *testing.T) {
	var asked people.Question
	user := people.UserFunc(func(ctx context.Context, q people.Question) (people.Answer, error) {
		asked = q
		return people.Later().Ask(ctx, q)
	})
	text, waits := observed(t, announcing("hunter2", func(ctx context.Context, ap *acting.Approval) error {
		ap.Act.Command.Origin, ap.Shown.Origin = "https://hunter2.example", "https://hunter2.example"
		_, err := desktop.Execute(ctx, bank, desktop.Command{ToolName: "note", Origin: "hunter2"})
		require.NoError(t, err)
		return confirm(ctx, user, ap, "")
	}), round.Options{})
	assert.Contains(t, asked.Text, `of "https://hunter2.example"`)
	require.Len(t, waits, 1)
	assert.Equal(t, "https://***.example", waits[0].Command.Origin)
	assert.Equal(t, "https://***.example", waits[0].Shown.Origin)
	assert.NotContains(t, text, "hunter2")
}

// An interceptor around a round may ask under a context of its own, which does not say how
// a question is shown.
func TestSecretsUnderAnotherContext(t *testing.T) {
	var asked []people.Question
	user := people.UserFunc(func(ctx context.Context, q people.Question) (people.Answer, error) {
		asked = append(asked, q)
		return people.Later().Ask(ctx, q)
	})
	ctx := people.WithInterceptor(t.Context(), func(inner people.User) people.User {
		return people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
			return inner.Ask(context.Background(), q) //nolint:contextcheck // that is what is tested
		})
	})
	res, err := start(t, announcing("hunter2", func(ctx context.Context, ap *acting.Approval) error {
		ap.Act.Title, ap.Act.Target, ap.Reason = "a hunter2 title", "a hunter2 button", "hunter2"
		_, err := (&acting.Work{Approval: ap}).Confirm(ctx, &acting.Actor{User: user, Agent: "of hunter2"}, "says hunter2")
		return err
	}), nil).Run(ctx)
	require.Len(t, res.Waits, 1)
	require.Len(t, asked, 1)
	asked[0].Command = nil // which is whole: a person decides by it
	text := shown(t, []any{res, asked}, err)
	assert.Contains(t, text, "***")
	assert.NotContains(t, text, "hunter2")
}
