package processor_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/processor"
)

// person gives these answers in order, keeps what it was asked, and then is away.
type person struct {
	answers []any // a string, a bool, an error or a func
	asked   []processor.Question
}

func (p *person) Ask(ctx context.Context, q processor.Question) (processor.Answer, error) {
	p.asked = append(p.asked, q)
	if len(p.answers) == 0 {
		<-ctx.Done()
		return processor.Answer{}, ctx.Err()
	}
	next := p.answers[0]
	p.answers = p.answers[1:]
	switch v := next.(type) {
	case string:
		return processor.Answer{Text: v}, nil
	case bool:
		return processor.Answer{Approved: v}, nil
	case error:
		return processor.Answer{}, v
	}
	return next.(func(context.Context, processor.Question) (processor.Answer, error))(ctx, q)
}

func answers(list ...any) *person { return &person{answers: list} }

// errSuspended is how a User says that the answer comes from elsewhere.
var errSuspended = fmt.Errorf("mail is out: %w", fsm.ErrSuspend)

var question = processor.Question{ID: "q1", Agent: "clerk", Text: "Which colour?"}

func TestAsk(t *testing.T) {
	user := answers("blue")
	answer, err := processor.Ask(t.Context(), user, question, 0)
	require.NoError(t, err)
	assert.Equal(t, "blue", answer.Text)
	assert.Equal(t, []processor.Question{question}, user.asked)
}

// A model may have written the question. The user sees what a terminal would obey.
func TestAskText(t *testing.T) {
	user := answers("x", "x")
	for text, want := range map[string]string{
		"Which?\n\tThis, grün?": "Which?\n\tThis, grün?",
		"\x1b[2J\u202eok\rno":   `\u001b[2J\u202eok\u000dno`,
	} {
		_, err := processor.Ask(t.Context(), user, processor.Question{Text: text}, 0)
		require.NoError(t, err)
		assert.Equal(t, want, user.asked[len(user.asked)-1].Text)
	}
}

func TestAskErrors(t *testing.T) {
	_, err := processor.Ask(t.Context(), answers(errBroken), question, 0)
	require.ErrorIs(t, err, errBroken)
	var failed *processor.AskError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, "q1", failed.ID)
	assert.EqualError(t, err, "processor: ask a person: broken")

	_, err = processor.Ask(t.Context(), answers(errSuspended), question, 0)
	assert.Equal(t, errSuspended, err, "as it is")

	for name, nobody := range map[string]processor.User{"nil": nil, "a nil pointer": (*person)(nil), "a nil func": processor.UserFunc(nil)} {
		_, err = processor.Ask(t.Context(), nobody, question, 0)
		require.ErrorIs(t, err, processor.ErrNobody, name)
	}
}

func TestAskTimeout(t *testing.T) {
	for name, c := range map[string]struct{ timeout, waits time.Duration }{
		"by default": {0, processor.DefaultAskTimeout},
		"an hour":    {time.Hour, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				_, err := processor.Ask(t.Context(), answers(), question, c.timeout)
				require.ErrorIs(t, err, processor.ErrTimeout)
				assert.Equal(t, c.waits, time.Since(start))
			})
		})
	}
}

func TestAskWithoutTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		user := answers(func(ctx context.Context, _ processor.Question) (processor.Answer, error) {
			_, limited := ctx.Deadline()
			assert.False(t, limited)
			select {
			case <-time.After(24 * time.Hour):
			case <-ctx.Done():
			}
			return processor.Answer{Text: "late"}, ctx.Err()
		})
		answer, err := processor.Ask(t.Context(), user, question, -1)
		require.NoError(t, err)
		assert.Equal(t, "late", answer.Text)
	})
}

// An answer, an error or a promise of one counts only while there is time.
func TestAskTooLate(t *testing.T) {
	for name, said := range map[string]error{"an answer": nil, "an error": errBroken} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				user := answers(func(context.Context, processor.Question) (processor.Answer, error) {
					<-time.After(time.Minute) // it does not honour its context
					return processor.Answer{Approved: true}, said
				})
				answer, err := processor.Ask(t.Context(), user, question, time.Second)
				require.ErrorIs(t, err, processor.ErrTimeout)
				assert.Zero(t, answer)
			})
		})
	}
}

func TestAskCancelled(t *testing.T) {
	stopped := errors.New("stopped")
	for name, c := range map[string]func(cancel func()) (processor.Answer, error){
		"with an answer":  func(cancel func()) (processor.Answer, error) { cancel(); return processor.Answer{Approved: true}, nil },
		"with an error":   func(cancel func()) (processor.Answer, error) { cancel(); return processor.Answer{}, errBroken },
		"while suspended": func(cancel func()) (processor.Answer, error) { cancel(); return processor.Answer{}, errSuspended },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			user := answers(func(context.Context, processor.Question) (processor.Answer, error) {
				return c(func() { cancel(stopped) })
			})
			answer, err := processor.Ask(ctx, user, question, 0)
			assert.Equal(t, stopped, err, "the cause")
			assert.Zero(t, answer)

			_, err = processor.Ask(ctx, user, question, 0)
			assert.Equal(t, stopped, err)
			assert.Len(t, user.asked, 1, "nobody is asked for a run that is over")
		})
	}
}

func TestAskInterceptors(t *testing.T) {
	var seen []string
	wrap := func(name string) func(processor.User) processor.User {
		return func(inner processor.User) processor.User {
			return processor.UserFunc(func(ctx context.Context, q processor.Question) (processor.Answer, error) {
				seen = append(seen, name)
				answer, err := inner.Ask(ctx, q)
				answer.Text += " " + name
				return answer, err
			})
		}
	}
	ctx := processor.WithInterceptor(processor.WithInterceptor(t.Context(), wrap("one")), wrap("two"))
	answer, err := processor.Ask(ctx, answers("blue"), question, 0)
	require.NoError(t, err)
	assert.Equal(t, []string{"one", "two"}, seen, "the one added first sees the question first")
	assert.Equal(t, "blue two one", answer.Text)

	_, err = processor.Ask(ctx, nil, question, 0)
	require.ErrorIs(t, err, processor.ErrNobody, "an interceptor is nobody to ask")
}

func TestAskGivesCopies(t *testing.T) {
	cmd := desktop.Command{ToolName: "t", Parameters: map[string]any{"a": map[string]any{"b": []any{"c"}}}}
	q := question
	q.Command = &cmd
	user := answers(func(_ context.Context, q processor.Question) (processor.Answer, error) {
		q.Command.ToolName = "changed"
		q.Command.Parameters["a"].(map[string]any)["b"].([]any)[0] = "changed"
		return processor.Answer{}, nil
	})
	_, err := processor.Ask(t.Context(), user, q, 0)
	require.NoError(t, err)
	assert.Equal(t, desktop.Command{ToolName: "t", Parameters: map[string]any{"a": map[string]any{"b": []any{"c"}}}}, cmd)
}
