package round_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// keeper has secrets in what it does, and reports what a test wants.
func keeper(secret string, do func(ctx context.Context) error) *puppet {
	a := newPuppet("A")
	a.do = func(ctx context.Context) error {
		sign := desktop.Command{ToolName: "sign", Parameters: map[string]any{"pin": secret}}
		masked := desktop.Command{ToolName: "sign", Parameters: map[string]any{"pin": "***"}}
		trace.From(ctx).Secrets(masked, sign, []string{secret})
		return do(ctx)
	}
	return a
}

func observe(t *testing.T, a *puppet) (steps []round.Step, err error) {
	t.Helper()
	r, err := round.New(a, "go", &round.Options{Observe: func(s round.Step) { steps = append(steps, s) }})
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	return steps, err
}

// Wherever a secret stands, and in whatever form, it is not shown.
func TestSecretsInEveryForm(t *testing.T) {
	for _, secret := range []string{"hunter2", "a", "12", "qu\"ote<&>", "two\nlines", "ключ", `back\slash`} {
		t.Run(secret, func(t *testing.T) {
			quoted, err := json.Marshal(secret)
			require.NoError(t, err)
			decision := map[string]any{
				"plain": secret, "nested": []any{secret, map[string]any{secret: json.Number("7")}},
				"words": []string{secret}, "raw": json.RawMessage(quoted), "inside": "{" + string(quoted) + "}",
				"number": 12, "flag": true, "none": nil,
			}
			d := screen(func(cmd desktop.Command) (desktop.Result, error) {
				return desktop.Result{Status: desktop.Success, Content: []desktop.Content{
					{Text: fmt.Sprintf("is %s good?", secret)}, {JSON: quoted}, {JSON: json.RawMessage("[" + string(quoted) + "]")},
				}}, nil
			})
			broken := fmt.Errorf("cannot %q: %w", secret, errBang)
			user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
				q.Command.Parameters["pin"] = "changed"
				return people.Answer{Text: secret}, broken
			})
			steps, err := observe(t, keeper(secret, func(ctx context.Context) error {
				trace.From(ctx).Decision(decision)
				trace.From(ctx).Refused(fmt.Errorf("%s is no status", secret))
				trace.From(ctx).Verdict(trace.Verdict{Tool: "sign", Action: "confirm", Reason: "because of " + secret})
				cmd := desktop.Command{ToolName: "sign", Parameters: map[string]any{"pin": secret}}
				_, err := desktop.Execute(ctx, d, cmd)
				_, again := people.Ask(ctx, user, people.Question{ID: "1", Text: "Is it " + secret + "?", Command: &cmd}, 0)
				return errors.Join(err, again)
			}))
			require.ErrorIs(t, err, errBang)
			require.Len(t, steps, 1)
			step := steps[0]
			require.ErrorIs(t, step.Err, errBang, "what is behind an error is found")
			assert.ErrorContains(t, step.Err, "people: ask: ")

			var shown map[string]any
			require.NoError(t, json.Unmarshal(step.Decision, &shown))
			assert.Equal(t, "***", shown["plain"])
			assert.Equal(t, []any{"***", map[string]any{"***": 7.0}}, shown["nested"])
			assert.Equal(t, []any{"***"}, shown["words"])
			assert.Equal(t, "***", shown["raw"])
			assert.Equal(t, true, shown["flag"])
			assert.Equal(t, "***", step.Commands[0].Command.Parameters["pin"])
			assert.Equal(t, "is *** good?", step.Commands[0].Result.Content[0].Text)
			assert.JSONEq(t, `"***"`, string(step.Commands[0].Result.Content[1].JSON))
			assert.JSONEq(t, `["***"]`, string(step.Commands[0].Result.Content[2].JSON))
			assert.Equal(t, []string{"*** is no status"}, step.Refused)
			assert.Equal(t, "because of ***", step.Verdicts[0].Reason)
			assert.Equal(t, "Is it ***?", step.Asks[0].Text)
			assert.Equal(t, "***", step.Asks[0].Answer.Text)
			assert.Equal(t, "***", step.Asks[0].Command.Parameters["pin"])
			if len(secret) > 3 {
				line, err := json.Marshal(step)
				require.NoError(t, err)
				assert.NotContains(t, string(line), string(quoted[1:len(quoted)-1]))
			}
		})
	}
}

// A short secret hides itself, not half of the text around it.
func TestShortSecretsStandAlone(t *testing.T) {
	steps, err := observe(t, keeper("42", func(context.Context) error {
		return errors.New("42 of 1420 in room 42b, see x_42 and 42")
	}))
	require.Error(t, err)
	assert.Equal(t, "*** of 1420 in room 42b, see x_42 and ***", steps[0].Reason)
}

// Nor does one that is long only where it is escaped.
func TestShortSecretsStandAloneWhereTheyAreEscaped(t *testing.T) {
	for secret, c := range map[string]struct{ text, want string }{
		"é1": {`é1 and \u00e91 of caf\u00e91`, `*** and *** of caf\u00e91`},
		"\t": {`a\u0009b is (\u0009)`, `a\u0009b is (***)`},
		"<1": {`x\u003c1 or \u003c1`, `x\u003c1 or ***`},
	} {
		steps, err := observe(t, keeper(secret, func(context.Context) error { return errors.New(c.text) }))
		require.Error(t, err)
		assert.Equal(t, c.want, steps[0].Reason)
	}
}

// What has no JSON form is left out; it breaks nothing.
func TestDecisionsWithoutJSON(t *testing.T) {
	steps, err := observe(t, keeper("hunter2", func(ctx context.Context) error {
		trace.From(ctx).Decision(func() {})
		return nil
	}))
	require.NoError(t, err)
	assert.Nil(t, steps[0].Decision)
}

// Without a secret a command is recorded as it was, and stays as it was.
func TestCommandsAreCopies(t *testing.T) {
	params := map[string]any{"list": []any{"x"}}
	d := screen(func(cmd desktop.Command) (desktop.Result, error) {
		cmd.Parameters["list"].([]any)[0] = "changed"
		return desktop.Result{}, errBang
	})
	a := newPuppet("A")
	a.do = func(ctx context.Context) error {
		_, err := desktop.Execute(ctx, d, desktop.Command{ToolName: "x", Parameters: params})
		params["list"] = "changed"
		return err
	}
	steps, err := observe(t, a)
	require.ErrorIs(t, err, errBang)
	assert.Contains(t, steps[0].Commands[0].Err, "bang")
	assert.Contains(t, steps[0].Commands[0].Command.Parameters, "list")
	assert.NotEqual(t, "changed", steps[0].Commands[0].Command.Parameters["list"])
}
