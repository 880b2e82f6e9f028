package durable_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// half is a world whose first process died in the middle of the run.
func half(t *testing.T, at int, after bool) *world {
	w := newWorld(t)
	w.store.start(at, after)
	_, err := w.life(true)
	require.ErrorIs(t, err, round.ErrLost)
	require.True(t, w.store.dead())
	w.store.start(0, false)
	return w
}

func (w *world) resume(opts *round.Options) *round.Session {
	w.t.Helper()
	if opts == nil {
		opts = unbounded()
	}
	s, err := durable.Open(w.t.Context(), w.host(), w.store, "run", &durable.Options{Existing: true, Round: opts})
	require.NoError(w.t, err)
	return s
}

// records are the kinds in the journal.
func (w *world) records() (kinds []string, text string) {
	for entry, err := range w.store.Read(context.Background(), "run", 1) {
		require.NoError(w.t, err)
		var head struct{ Kind string }
		require.NoError(w.t, json.Unmarshal(entry.Data, &head))
		kinds, text = append(kinds, head.Kind), text+string(entry.Data)+"\n"
	}
	return kinds, text
}

// Of two processes that resume a run one goes on; the other one does nothing.
func TestOneOfTwoResumesWins(t *testing.T) {
	w := half(t, 40, true)
	results := make(chan error, 2)
	for range 2 {
		host := w.host()
		go func() {
			s, err := durable.Open(t.Context(), host, w.store, "run", &durable.Options{Existing: true, Round: unbounded()})
			if err == nil {
				_, err = s.Round().Run(t.Context())
			}
			results <- err
		}()
	}
	for range 2 {
		if err := <-results; err != nil { // else it came when the other one was through
			require.ErrorIs(t, err, store.ErrDriven)
		}
	}
	w.requireOnce()
}

func TestResumeOfARunThatEnded(t *testing.T) {
	w := newWorld(t)
	want, err := w.life(true)
	require.NoError(t, err)
	kinds, _ := w.records()
	assert.Equal(t, "end", kinds[len(kinds)-1])

	s := w.resume(nil)
	assert.Equal(t, want, s.Round().Result())
	again, err := s.Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, want, again)
	after, _ := w.records()
	assert.Equal(t, kinds, after, "nothing is appended")

	res, err := s.Run(t.Context(), "once more") // the session goes on
	require.NoError(t, err)
	assert.Equal(t, round.Finished, res.Outcome)
	w.requireOnce()
	// … and dies in that round, in whatever place.
	for at := 1; at < 20; at += sample.Every(5) {
		s := w.resume(nil)
		w.store.start(at, at%2 == 0)
		_, err := s.Run(t.Context(), "once more")
		require.ErrorIs(t, err, round.ErrLost)
		w.store.start(0, false)
		r := w.resume(nil).Round()
		res, err := r.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "all is done", res.Answer)
		w.requireOnce()
	}
}

// What was used counts on, and bounds hold over processes.
func TestBoundsHoldOverProcesses(t *testing.T) {
	calm := newWorld(t)
	want, err := calm.life(true)
	require.NoError(t, err)

	w := newWorld(t)
	opts := unbounded()
	opts.MaxSteps = 5
	s, err := durable.Open(t.Context(), w.host(), w.store, "run", &durable.Options{Round: opts})
	require.NoError(t, err)
	_, err = s.Run(t.Context(), "make the report")
	require.ErrorIs(t, err, round.ErrBudget)

	tight := unbounded()
	tight.MaxSteps = 5
	_, err = w.resume(tight).Round().Run(t.Context())
	var budget *round.BudgetError
	require.ErrorAs(t, err, &budget)
	assert.Equal(t, "MaxSteps", budget.Bound)
	assert.Equal(t, 7, strings.Count(budget.Error(), ", "), "those of the process before are known")
	stood := w.resume(nil)
	assert.Equal(t, 5, stood.Round().Result().Steps)
	require.NoError(t, stood.Close(t.Context()))

	spent := unbounded()
	spent.MaxSessionTokens = 60
	_, err = w.resume(spent).Round().Run(t.Context())
	require.ErrorAs(t, err, &budget)
	assert.Equal(t, "MaxSessionTokens", budget.Bound)

	res, err := w.resume(nil).Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, want.Steps, res.Steps)
	assert.Equal(t, want.Transitions, res.Transitions)
	assert.Equal(t, want.Usage, res.Usage)
	assert.Equal(t, want.Calls, res.Calls)
	assert.Equal(t, calm.calls, w.calls)
	again, err := w.replay(nil)
	require.NoError(t, err)
	assert.Equal(t, res, again)
}

// The same act on the same observation is a repeat in whatever process.
func TestRepeatsAreCountedOverProcesses(t *testing.T) {
	w := newWorld(t)
	reply := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: `{"Status":"CONTINUE","Function":"click_input","Args":{"id":"rows"}}`}, nil
	})
	agent := func() *appagent.Agent {
		a, err := appagent.New(appagent.Config{Model: reply, Desktop: w.desk, Window: desktop.Window{ID: "1", Root: "excel", Process: "book"}})
		require.NoError(t, err)
		return a
	}
	s, err := durable.Open(t.Context(), agent(), w.store, "run", &durable.Options{Round: &round.Options{MaxTransitions: 4}})
	require.NoError(t, err)
	_, err = s.Run(t.Context(), "click")
	require.ErrorIs(t, err, round.ErrBudget)
	s, err = durable.Open(t.Context(), agent(), w.store, "run", &durable.Options{Existing: true, Round: &round.Options{MaxRepeats: 6}})
	require.NoError(t, err)
	res, err := s.Round().Run(t.Context())
	var budget *round.BudgetError
	require.ErrorAs(t, err, &budget)
	assert.Equal(t, "MaxRepeats", budget.Bound)
	assert.Equal(t, 6, res.Transitions)
}

func TestResumeRefuses(t *testing.T) {
	_, err := durable.Open(t.Context(), newWorld(t).host(), store.Memory(), "run", &durable.Options{Existing: true})
	require.ErrorIs(t, err, durable.ErrNoRun)
	_, err = durable.Open(t.Context(), newWorld(t).host(), nil, "run", &durable.Options{Existing: true})
	require.Error(t, err)
	_, err = durable.Open(t.Context(), nil, store.Memory(), "run", &durable.Options{Existing: true})
	require.ErrorIs(t, err, round.ErrAgent)

	config := func(w *world) hostagent.Config {
		return hostagent.Config{Config: appagent.Config{Model: llm.ModelFunc(w.think), Desktop: w.desk, NoImages: true}}
	}
	for name, c := range map[string]struct {
		host   func(w *world) fsm.Worker
		append string
		want   any
	}{
		"another kind": {host: func(w *world) fsm.Worker {
			a, err := appagent.New(appagent.Config{Model: llm.ModelFunc(w.think), Desktop: w.desk})
			require.NoError(t, err)
			return a
		}, want: round.ErrNotResumable},
		"another name": {host: func(w *world) fsm.Worker {
			c := config(w)
			c.Name = "somebody"
			a, err := hostagent.New(c)
			require.NoError(t, err)
			return a
		}, want: round.ErrNotResumable},
		"an agent that cannot be made": {host: func(w *world) fsm.Worker {
			c := config(w)
			c.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return nil, errBang }
			a, err := hostagent.New(c)
			require.NoError(t, err)
			return a
		}, want: errBang},
		"an agent of another kind": {host: func(w *world) fsm.Worker {
			c := config(w)
			c.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
				app.Name = "x"
				return appagent.New(app)
			}
			a, err := hostagent.New(c)
			require.NoError(t, err)
			return a
		}, want: round.ErrNotResumable},
		"without Save":       {host: func(*world) fsm.Worker { return withoutSave("p") }, want: round.ErrNotResumable},
		"a newer record":     {append: `{"v":2,"kind":{"of":"another form"}}`, want: store.ErrVersion},
		"no JSON":            {append: `{"v":1`, want: store.ErrDamaged},
		"more behind":        {append: `{"v":1}{}`, want: store.ErrDamaged},
		"no version":         {append: `{}`, want: store.ErrDamaged},
		"half a call":        {append: `{"v":1,"kind":"call"}`, want: store.ErrDamaged},
		"half a step":        {append: `{"v":1,"kind":"step","step":{}}`, want: store.ErrDamaged},
		"no such status":     {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"HostAgent","kind":"HostAgent","status":"REST"}],"used":{}}}`, want: fsm.ErrUnknownStatus},
		"half a round":       {append: `{"v":1,"kind":"round","round":{}}`, want: store.ErrDamaged},
		"no list of tools":   {append: `{"v":1,"kind":"tools","tools":{"ref":"sha256:0"}}`, want: store.ErrDamaged},
		"a place of another": {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"HostAgent","kind":"x","status":"CONTINUE"}],"used":{}}}`, want: round.ErrNotResumable},
		"nobody made it":     {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"x","kind":"x","status":"REST"}],"used":{}}}`, want: round.ErrNotResumable},
		"memos that are missing": {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"HostAgent","kind":"HostAgent","status":"CONTINUE"}],"used":{},` +
			`"news":{"agent":{"logs":{"memory":{"keep":70}}}}}}`, want: store.ErrDamaged},
		"data that does not fit": {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"HostAgent","kind":"HostAgent","status":"CONTINUE"}],"used":{},` +
			`"news":{"agent":{"set":{"open":"subtask_7"},"unset":["chosen"]}}}}`, want: round.ErrNotResumable},
		"a blackboard that does not fit": {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"HostAgent","kind":"HostAgent","status":"CONTINUE"}],"used":{},` +
			`"news":{"board":[{"op":"later"}]}}}`, want: blackboard.ErrInvalid},
		"a picture that is not kept": {append: `{"v":1,"kind":"step","step":{"stack":[{"agent":"HostAgent","kind":"HostAgent","status":"CONTINUE"}],"used":{},` +
			`"news":{"board":[{"op":"put_blob","name":"sha256:0","media_type":"image/png"}]}}}`, want: blackboard.ErrInvalid},
		"answers nothing":  {append: `{"v":1,"kind":"answer","answer":{"id":"nobody"}}`},
		"an unknown kind":  {append: `{"v":1,"kind":"future","news":1,"step":null}`},
		"an unknown field": {append: `{"v":1,"kind":"resume","future":{}}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := half(t, 40, true)
			if c.append != "" {
				kinds, _ := w.records()
				require.NoError(t, w.store.Append(t.Context(), "run", int64(len(kinds)), []byte(c.append)))
			}
			calls, done := w.calls, len(w.done)
			host := fsm.Worker(w.host())
			if c.host != nil {
				host = c.host(w)
			}
			s, err := durable.Open(t.Context(), host, w.store, "run", &durable.Options{Existing: true, Round: unbounded()})
			assert.Equal(t, calls, w.calls)
			assert.Len(t, w.done, done)
			if c.want == nil {
				require.NoError(t, err)
				_, err = s.Round().Run(t.Context())
				require.NoError(t, err)
				w.requireOnce()
				return
			}
			require.ErrorIs(t, err, c.want.(error))
			assert.True(t, strings.HasPrefix(err.Error(), "durable: "), err)
		})
	}
}

// Records of a round that never began are of no use.
func TestAJournalWithoutABeginning(t *testing.T) {
	for _, first := range []string{`{"v":1,"kind":"tools","tools":{"ref":"sha256:0"}}`, `{"v":1,"kind":"call","call":{"response":{}}}`} {
		st := store.Memory()
		require.NoError(t, st.Append(t.Context(), "run", 0, []byte(first)))
		_, err := durable.Open(t.Context(), untouched(t, nil), st, "run", &durable.Options{Existing: true})
		require.ErrorIs(t, err, store.ErrDamaged)
		require.ErrorContains(t, err, "no round has begun")
		_, err = durable.Replay(t.Context(), untouched(t, nil), st, "run", nil)
		require.ErrorIs(t, err, store.ErrDamaged)
		require.ErrorContains(t, err, "no round has begun")
	}
}
