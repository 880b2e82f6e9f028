package people_test

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
	"github.com/agentfsm/agentfsm/people"
)

// person gives these answers in order, and keeps what it was asked.
type person struct {
	answers []any // a string, a bool, an error or a func
	asked   []people.Question
}

func (p *person) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	p.asked = append(p.asked, q)
	next := p.answers[0]
	p.answers = p.answers[1:]
	switch v := next.(type) {
	case string:
		return people.Answer{Text: v}, nil
	case bool:
		return people.Answer{Approved: v}, nil
	case error:
		return people.Answer{}, v
	}
	return next.(func(context.Context, people.Question) (people.Answer, error))(ctx, q)
}

func answers(list ...any) *person { return &person{answers: list} }

var errBroken = errors.New("broken")

// errSuspended is how a User says that the answer comes from elsewhere.
var errSuspended = fmt.Errorf("mail is out: %w", fsm.ErrSuspend)

var question = people.Question{ID: "q1", Agent: "clerk", Text: "Which colour?"}

// A model may have written the question. The user sees what a terminal would obey.
func TestAskText(t *testing.T) {
	user := answers("x", "x")
	for text, want := range map[string]string{
		"Which?\n\tThis, grün?": "Which?\n\tThis, grün?",
		"\x1b[2J\u202eok\rno":   `\u001b[2J\u202eok\u000dno`,
	} {
		_, err := people.Ask(t.Context(), user, people.Question{Text: text}, 0)
		require.NoError(t, err)
		assert.Equal(t, want, user.asked[len(user.asked)-1].Text)
	}
}

// A question without an id gets one of its own.
func TestAskMakesAnID(t *testing.T) {
	user := answers("x", "x")
	for range 2 {
		_, err := people.Ask(t.Context(), user, people.Question{Text: "Which?"}, 0)
		require.NoError(t, err)
	}
	assert.NotEmpty(t, user.asked[0].ID)
	assert.NotEqual(t, user.asked[0].ID, user.asked[1].ID)
}

func TestAskErrors(t *testing.T) {
	_, err := people.Ask(t.Context(), answers(errBroken), question, 0)
	require.ErrorIs(t, err, errBroken)
	assert.EqualError(t, err, "people: ask: broken")

	_, err = people.Ask(t.Context(), answers(errSuspended), question, 0)
	assert.Equal(t, errSuspended, err, "as it is")

	for name, nobody := range map[string]people.User{"nil": nil, "a nil pointer": (*person)(nil), "a nil func": people.UserFunc(nil)} {
		_, err = people.Ask(t.Context(), nobody, question, 0)
		require.ErrorIs(t, err, people.ErrNobody, name)
	}
}

func TestAskTimeout(t *testing.T) {
	for timeout, waits := range map[time.Duration]time.Duration{0: time.Minute, time.Hour: time.Hour, -1: 24 * time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			user := answers(func(ctx context.Context, _ people.Question) (people.Answer, error) {
				select {
				case <-time.After(24 * time.Hour):
				case <-ctx.Done():
				}
				return people.Answer{Text: "late"}, ctx.Err()
			})
			answer, err := people.Ask(t.Context(), user, question, timeout)
			assert.Equal(t, waits, time.Since(start))
			if timeout >= 0 {
				require.ErrorIs(t, err, people.ErrTimeout)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "late", answer.Text)
		})
	}
}

// An answer, an error or a promise of one counts only while there is time.
func TestAskTooLate(t *testing.T) {
	for name, said := range map[string]error{"an answer": nil, "an error": errBroken} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				user := answers(func(context.Context, people.Question) (people.Answer, error) {
					<-time.After(time.Minute) // it does not honour its context
					return people.Answer{Approved: true}, said
				})
				answer, err := people.Ask(t.Context(), user, question, time.Second)
				require.ErrorIs(t, err, people.ErrTimeout)
				assert.Zero(t, answer)
			})
		})
	}
}

func TestAskCancelled(t *testing.T) {
	stopped := errors.New("stopped")
	for name, c := range map[string]func(cancel func()) (people.Answer, error){
		"with an answer":  func(cancel func()) (people.Answer, error) { cancel(); return people.Answer{Approved: true}, nil },
		"with an error":   func(cancel func()) (people.Answer, error) { cancel(); return people.Answer{}, errBroken },
		"while suspended": func(cancel func()) (people.Answer, error) { cancel(); return people.Answer{}, errSuspended },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			user := answers(func(context.Context, people.Question) (people.Answer, error) {
				return c(func() { cancel(stopped) })
			})
			answer, err := people.Ask(ctx, user, question, 0)
			assert.Equal(t, stopped, err, "the cause")
			assert.Zero(t, answer)

			_, err = people.Ask(ctx, user, question, 0)
			assert.Equal(t, stopped, err)
			assert.Len(t, user.asked, 1, "nobody is asked for a run that is over")
		})
	}
}

func TestAskInterceptors(t *testing.T) {
	var seen []string
	wrap := func(name string) func(people.User) people.User {
		return func(inner people.User) people.User {
			return people.UserFunc(func(ctx context.Context, q people.Question) (people.Answer, error) {
				seen = append(seen, name)
				answer, err := inner.Ask(ctx, q)
				answer.Text += " " + name
				return answer, err
			})
		}
	}
	ctx := people.WithInterceptor(people.WithInterceptor(t.Context(), wrap("one")), wrap("two"))
	answer, err := people.Ask(ctx, answers("blue"), question, 0)
	require.NoError(t, err)
	assert.Equal(t, []string{"one", "two"}, seen, "the one added first sees the question first")
	assert.Equal(t, "blue two one", answer.Text)

	_, err = people.Ask(ctx, nil, question, 0)
	require.ErrorIs(t, err, people.ErrNobody, "an interceptor is nobody to ask")
}

func TestAskGivesCopies(t *testing.T) {
	cmd := desktop.Command{ToolName: "t", Parameters: map[string]any{"a": map[string]any{"b": []any{"c"}}}}
	q := question
	q.Command = &cmd
	user := answers(func(_ context.Context, q people.Question) (people.Answer, error) {
		q.Command.ToolName = "changed"
		q.Command.Parameters["a"].(map[string]any)["b"].([]any)[0] = "changed"
		return people.Answer{}, nil
	})
	_, err := people.Ask(t.Context(), user, q, 0)
	require.NoError(t, err)
	assert.Equal(t, desktop.Command{ToolName: "t", Parameters: map[string]any{"a": map[string]any{"b": []any{"c"}}}}, cmd)
}

// A state that asks by itself makes the same decision of nobody as a Waiting does.
func TestUnanswered(t *testing.T) {
	_, err := people.Ask(t.Context(), nil, people.Question{ID: "q", Text: "deploy?"}, 0)
	require.ErrorIs(t, err, people.ErrNobody)
	d, err := people.Unanswered(t.Context(), err)
	require.NoError(t, err)
	assert.Equal(t, fsm.Decision{To: fsm.Fail, By: fsm.BySystem, Reason: "there is nobody to ask"}, d)

	_, err = people.Ask(t.Context(), answers(fmt.Errorf("no client: %w", people.ErrNobody)), question, 0)
	d, err = people.Unanswered(t.Context(), err)
	require.NoError(t, err)
	assert.Contains(t, d.Reason, "no client", "a User's own words stay")

	_, err = people.Unanswered(t.Context(), fsm.ErrSuspend)
	require.ErrorIs(t, err, fsm.ErrSuspend)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = people.Unanswered(ctx, context.Canceled)
	require.ErrorIs(t, err, context.Canceled, "the run is over, and the question is still open")
}
