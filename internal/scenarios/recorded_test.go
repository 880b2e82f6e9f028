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
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// asker is an agent of a kind of its own: in one step it asks its model all its questions at once.
type asker struct {
	fsm.Position
	model     llm.Model
	questions []string
	task      string
	Answers   []string
}

var askerStates = fsm.Table("Asker",
	[]fsm.Row[*asker]{
		{Status: fsm.Continue, Handle: (*asker).ask},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
)

func (a *asker) Name() string               { return "asker" }
func (a *asker) States() fsm.Set            { return askerStates }
func (a *asker) Answer() string             { return a.task + ": " + strings.Join(a.Answers, ", ") }
func (a *asker) Save() (fsm.Saved, error)   { return fsm.SaveState(a.Answers) }
func (a *asker) Load(saved fsm.Saved) error { return saved.LoadState(&a.Answers) }

func (a *asker) Begin(_ context.Context, task fsm.Task) error {
	a.task = task.Text
	return nil
}

func (a *asker) ask(ctx context.Context) error {
	answers, errs := make([]string, len(a.questions)), make([]error, len(a.questions))
	var all sync.WaitGroup
	for i, q := range a.questions {
		all.Go(func() {
			resp, err := llm.Complete(ctx, a.model, &llm.Request{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: q}}}}})
			if errs[i] = err; err == nil {
				answers[i] = resp.Text
			}
		})
	}
	all.Wait()
	a.Answers = answers
	a.Decide(fsm.Finish, fsm.BySystem, "")
	return errors.Join(errs...)
}

// oracle answers each question with what it is, and keeps who asked.
type oracle struct {
	mu    sync.Mutex
	asked []string
	on    func(q string) // called before it answers
}

func (o *oracle) Complete(_ context.Context, req *llm.Request) (*llm.Response, error) {
	q := req.Messages[0].Parts[0].Text
	o.mu.Lock()
	o.asked = append(o.asked, q)
	o.mu.Unlock()
	if o.on != nil {
		o.on(q)
	}
	return &llm.Response{Text: "answer to " + q}, nil
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

// driven is the run "order 12" of an asker.
func driven(t *testing.T, st store.Store, model llm.Model, questions ...string) (*round.Session, error) {
	t.Helper()
	return durable.Open(t.Context(), &asker{model: model, questions: questions}, st, "order 12", nil)
}

// Two open one run at the same time: one drives it, the other gets a typed error; when
// the first dies, the other goes on. internal/drive/drivetest does it with processes.
func TestScenario52_OneDrivesARun(t *testing.T) {
	dir := t.TempDir()
	folder := func() store.Store { return must(store.Files(dir, nil)) }
	others := &oracle{}
	tries := 0
	model := &oracle{on: func(string) {
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

// The same run id with another request: a typed error, never the old answer. What is a
// second request of the same run says so.
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
	for range 2 {
		res, err = s.ContinueRound(t.Context(), 2, "pay Bob 99")
		require.NoError(t, err)
		assert.Equal(t, "pay Bob 99: answer to how much?", res.Answer)
		assert.Len(t, model.asked, 1)
	}
}
