package round_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Errors, reasons and answers are of those who make them: desktops, models, policies and
// people. A line of a log has the beginning of a long one, and no half of a secret at
// its end; the error behind the error has all of it.
func TestLongTextsAreCut(t *testing.T) {
	const secret = "hunter2-XyZZy"
	more := 200_000
	if testing.Short() {
		more = 10_000
	}
	long := strings.Repeat("0123456789abcdef", 1023) + "0123456789 " + secret + strings.Repeat(" much more", more)
	d := screen(func(cmd desktop.Command) (desktop.Result, error) {
		if cmd.ToolName == "break" {
			return desktop.Result{}, errors.New(long)
		}
		return desktop.FailureResult("%s", long), nil
	})
	says := func(answer people.Answer, err error) people.User {
		return people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
			assert.Less(t, len(q.Text)+len(q.Reason)+len(q.Comment), 40_000, "what a person is asked")
			return answer, err
		})
	}
	for name, do := range map[string]func(ctx context.Context) error{
		"a fault": func(context.Context) error { return errors.New(long) },
		"a panic": func(context.Context) error { panic(long) },
		"a tool's error": func(ctx context.Context) error {
			_, err := desktop.Execute(ctx, d, desktop.Command{ToolName: "fail"})
			return err
		},
		"the transport's": func(ctx context.Context) error {
			_, err := desktop.Execute(ctx, d, desktop.Command{ToolName: "break"})
			return err
		},
		"an answer": func(ctx context.Context) error {
			_, err := people.Ask(ctx, says(people.Answer{Text: long}, nil), people.Question{Text: "?"}, 0)
			return err
		},
		"a person's error": func(ctx context.Context) error {
			_, err := people.Ask(ctx, says(people.Answer{}, errors.New(long)), people.Question{Text: "?"}, 0)
			return err
		},
		"a question": func(ctx context.Context) error {
			_, err := people.Ask(ctx, says(people.Answer{}, nil), people.Question{Text: long}, 0)
			return err
		},
		"whoever waits": func(ctx context.Context) error { return errors.Join(fsm.ErrSuspend, errors.New(long)) },
		"a comment, a reason": func(ctx context.Context) error {
			_, err := (&acting.Work{Approval: acting.NewApproval("a", acting.Act{Command: desktop.Command{ToolName: "x"}}, long)}).Confirm(ctx, &acting.Actor{User: says(people.Answer{Text: long}, nil), Agent: "A"}, long+".")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, end := range []fsm.Status{fsm.Finish, fsm.Fail} {
				p := newPuppet("A")
				p.script = []fsm.Status{end}
				p.do = func(ctx context.Context) error {
					masked := desktop.Command{ToolName: "login"}
					trace.From(ctx).Secrets(masked, desktop.Command{ToolName: "login", Parameters: map[string]any{"password": secret}}, []string{secret})
					return do(ctx)
				}
				var lines bytes.Buffer
				r, err := round.New(p, "go", &round.Options{Observe: round.JSONL(&lines)})
				require.NoError(t, err)
				res, err := r.Run(t.Context())
				require.NoError(t, round.JSONLResult(&lines, res))
				for line := range strings.Lines(lines.String()) {
					assert.Less(t, len(line), 200_000)
					assert.NotContains(t, line, "hunt")
				}
				assert.Less(t, len(res.Reason), 20_000)
				if err != nil {
					assert.Less(t, len(err.Error()), 20_000)
					assert.NotContains(t, err.Error(), "hunt")
				}
			}
		})
	}
}
