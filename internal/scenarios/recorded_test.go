package scenarios_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// oracle answers each question with what it is, and keeps who asked.
type oracle struct {
	mu    sync.Mutex
	asked []string
	on    func() // called before it answers
}

func (o *oracle) Complete(_ context.Context, req *llm.Request) (*llm.Response, error) {
	q := req.Messages[0].Parts[0].Text
	o.mu.Lock()
	o.asked = append(o.asked, q)
	o.mu.Unlock()
	if o.on != nil {
		o.on()
	}
	return &llm.Response{Text: "answer to " + q}, nil
}

// driven is the run "order 12" of an agent that in one step asks its model all its questions at once.
func driven(t *testing.T, st store.Store, model llm.Model, questions ...string) (*round.Session, error) {
	t.Helper()
	a := &worker{name: "asker"}
	a.does = func(ctx context.Context) error {
		answers, errs := make([]string, len(questions)), make([]error, len(questions))
		var all sync.WaitGroup
		for i, q := range questions {
			all.Go(func() {
				resp, err := llm.Complete(ctx, model, &llm.Request{Messages: []llm.Message{llm.Text(llm.User, q)}})
				if errs[i] = err; err == nil {
					answers[i] = resp.Text
				}
			})
		}
		all.Wait()
		a.answer = a.tasks[len(a.tasks)-1].Text + ": " + strings.Join(answers, ", ")
		return errors.Join(errs...)
	}
	return durable.Open(t.Context(), a, st, "order 12", nil)
}

// frail is the store of a process that dies when it has appended so often.
type frail struct {
	store.Store
	mu   sync.Mutex
	left int
}

var errDied = errors.New("the process died")

func (f *frail) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.left--; f.left < 0 {
		return errDied
	}
	return f.Store.Append(ctx, run, after, records...)
}

// Two open one run at the same time: one drives it, the other gets a typed error; when
// the first dies, the other goes on. internal/drive/drivetest does it with processes.
func TestScenario52_OneDrivesARun(t *testing.T) {
	dir := t.TempDir()
	folder := func() store.Store { return must(store.Files(dir)) }
	others := &oracle{}
	tries := 0
	model := &oracle{on: func() {
		tries++
		_, err := driven(t, folder(), others, "who?")
		assert.ErrorIs(t, err, store.ErrDriven)
		assert.ErrorContains(t, err, `run "order 12": process `)
	}}
	s, err := driven(t, &frail{Store: folder(), left: 1}, model, "who?") // it dies when the reply is there
	require.NoError(t, err)
	res, err := s.Continue(t.Context(), "work")
	require.ErrorIs(t, err, errDied)
	assert.Equal(t, round.Lost, res.Outcome)
	require.Equal(t, 1, tries)
	assert.Empty(t, others.asked)

	s, err = driven(t, folder(), others, "who?")
	require.NoError(t, err)
	res, err = s.Continue(t.Context(), "work")
	require.NoError(t, err)
	assert.Equal(t, "work: answer to who?", res.Answer)
}

// Three model calls of one Handle at once, the process dies when two are recorded: each gets
// its own reply back, the third is made.
func TestScenario53_EachReplyGoesToItsCall(t *testing.T) {
	for range 10 {
		st, first, second := store.Memory(), &oracle{}, &oracle{}
		s, err := driven(t, &frail{Store: st, left: 3}, first, "one?", "two?", "three?")
		require.NoError(t, err)
		_, err = s.Continue(t.Context(), "work")
		require.ErrorIs(t, err, errDied)
		assert.Len(t, first.asked, 3)

		s, err = driven(t, st, second, "three?", "two?", "one?") // whatever is scheduled first
		require.NoError(t, err)
		res, err := s.Continue(t.Context(), "work")
		require.NoError(t, err)
		assert.Equal(t, "work: answer to three?, answer to two?, answer to one?", res.Answer)
		assert.Len(t, second.asked, 1)
	}
}

// The same run id with another request: a typed error, never the old answer.
func TestScenario54_AnotherRequestGetsNoOldAnswer(t *testing.T) {
	st := store.Memory()
	s, err := driven(t, st, &oracle{}, "how much?")
	require.NoError(t, err)
	res, err := s.Continue(t.Context(), "pay Ann 10")
	require.NoError(t, err)
	assert.Equal(t, "pay Ann 10: answer to how much?", res.Answer)

	model := &oracle{}
	s, err = driven(t, st, model, "how much?")
	require.NoError(t, err)
	res, err = s.Continue(t.Context(), "pay Bob 99")
	require.ErrorIs(t, err, round.ErrOtherRequest)
	require.ErrorContains(t, err, "round 1 was begun with another text")
	assert.Zero(t, res)
	assert.Empty(t, model.asked)
	res, err = s.ContinueRound(t.Context(), 2, "pay Bob 99") // a second request of the same run says so
	require.NoError(t, err)
	assert.Equal(t, "pay Bob 99: answer to how much?", res.Answer)
}
