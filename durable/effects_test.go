package durable_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/effects"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// town is what outlives the processes of a release: a bank, a cloud, a person, and the store.
type town struct {
	t     testing.TB
	store *mortal
	pause time.Duration // how long a release soaks

	mu        sync.Mutex
	done      map[string]int
	calls     int      // of the model
	uncertain []string // keys
	quiet     bool     // nothing may be called
	several   bool     // several goroutines do effects
	before    func(key string)
}

func newTown(t testing.TB) *town {
	return &town{t: t, store: &mortal{Store: store.Memory()}, pause: time.Hour, done: map[string]int{}}
}

// does is an effect. Its value says how often it was done.
func (w *town) does(key string) func(context.Context) (bill, error) {
	return func(context.Context) (bill, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		dead := w.store.dead()
		if w.several && dead {
			return bill{}, round.ErrLost // another goroutine was appending when the process died, and this one died with it
		}
		assert.False(w.t, w.quiet || dead, "%s is done by nobody who lives", key)
		if w.before != nil {
			w.before(key)
		}
		w.done[key]++
		if key == "pay in vain" {
			return bill{}, &llm.CallError{Kind: llm.ErrRejected, Message: "no money"}
		}
		return bill{key, w.done[key]}, nil
	}
}

// knows is what the receiver of an effect says when it is asked.
func (w *town) knows(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.done[key] > 0
}

type bill struct {
	For   string
	Times int
}

// release is a kind in plain Go: it plans with a model, pays twice, waits, asks a person, and deploys.
type release struct {
	fsm.Position
	town *town
	memo
}

type memo struct {
	Plan, Refused string
	Bills         map[string]bill
}

const (
	pays    fsm.Status = "PAY"
	soaks   fsm.Status = "SOAK"
	deploys fsm.Status = "DEPLOY"
)

var releases = fsm.Table("Release",
	[]fsm.Row[*release]{
		{Status: fsm.Continue, Handle: (*release).plan},
		{Status: pays, Handle: (*release).pay},
		{Status: soaks, Handle: (*release).soak},
		{Status: deploys, Handle: (*release).deploy},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: pays, By: fsm.ByModel},
	fsm.Edge{From: pays, To: pays, By: fsm.BySystem}, // what may have been paid is looked up
	fsm.Edge{From: pays, To: soaks, By: fsm.BySystem},
	fsm.Edge{From: soaks, To: deploys, By: fsm.BySystem},
	fsm.Edge{From: deploys, To: deploys, By: fsm.BySystem},
	fsm.Edge{From: deploys, To: fsm.Finish, By: fsm.ByUser},
	fsm.Edge{From: deploys, To: fsm.Fail, By: fsm.ByUser | fsm.BySystem},
)

func (r *release) Name() string    { return "release" }
func (r *release) States() fsm.Set { return releases }
func (r *release) Answer() string  { return fmt.Sprint(r.memo) }
func (r *release) Begin(context.Context, fsm.Task) error {
	r.memo = memo{Bills: map[string]bill{}}
	return nil
}
func (r *release) Save() (fsm.Saved, error) { return fsm.SaveState(r.memo) }
func (r *release) Load(saved fsm.Saved) error {
	had := memo{}
	err := saved.LoadState(&had)
	if had.Bills == nil {
		had.Bills = map[string]bill{}
	}
	r.memo = had
	return err
}
func (r *release) to(next fsm.Status, err error) error {
	r.Decide(next, fsm.BySystem, "")
	return err
}

func (r *release) plan(ctx context.Context) error {
	resp, err := llm.Complete(ctx, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		r.town.mu.Lock()
		defer r.town.mu.Unlock()
		assert.False(r.town.t, r.town.quiet)
		r.town.calls++
		return &llm.Response{Text: "by night"}, nil
	}), &llm.Request{})
	if err == nil {
		r.Plan = resp.Text
		r.Decide(pays, fsm.ByModel, "")
	}
	return err
}

// once does what has no bill yet. Of what may have been done it asks the receiver, and tries again.
func (r *release) once(ctx context.Context, key string, opts ...effects.Option) (again bool, err error) {
	if _, done := r.Bills[key]; done {
		return false, nil
	}
	b, err := effects.Do(ctx, key, r.town.does(key), opts...)
	var unknown *effects.Error
	switch {
	case errors.Is(err, effects.ErrUncertain):
		require.ErrorAs(r.town.t, err, &unknown)
		r.town.mu.Lock()
		r.town.uncertain = append(r.town.uncertain, unknown.Key)
		r.town.mu.Unlock()
		known, err := effects.Do(ctx, "look up "+key, func(context.Context) (bool, error) { return r.town.knows(key), nil }, effects.Idempotent())
		if err != nil || !known {
			return true, err
		}
		b = bill{key, 1}
	case err != nil:
		return false, err
	}
	r.Bills[key] = b
	return false, nil
}

func (r *release) pay(ctx context.Context) error {
	next := soaks
	for _, key := range []string{"pay hosting", "pay tests"} {
		again, err := r.once(ctx, key)
		if err != nil {
			return err
		}
		if again {
			next = pays
		}
	}
	_, err := effects.Do(ctx, "pay in vain", r.town.does("pay in vain"), effects.Idempotent())
	if !errors.Is(err, llm.ErrRejected) {
		return err
	}
	r.Refused = err.Error()
	_, err = effects.Do(ctx, "tag", r.town.does("tag"), effects.Idempotent())
	return r.to(next, err)
}

func (r *release) soak(ctx context.Context) error {
	if _, err := effects.Do(ctx, "canary", r.town.does("canary"), effects.Idempotent()); err != nil {
		return err
	}
	return r.to(deploys, effects.WaitUntil(ctx, "soak", time.Now().Add(r.town.pause)))
}

func (r *release) deploy(ctx context.Context) error {
	answer, err := people.Ask(ctx, people.Later(), people.Question{ID: "deploy", Agent: "release", Text: "Deploy?", Approval: true}, 0)
	if err != nil {
		return err
	}
	if !answer.Approved {
		return r.to(fsm.Fail, nil)
	}
	again, err := r.once(ctx, "deploy")
	if r.Decide(fsm.Finish, fsm.ByUser, ""); again {
		return r.to(deploys, err)
	}
	return err
}

// life is one process, as far as it gets.
func (w *town) life() (round.Result, error) {
	w.t.Helper()
	s, err := durable.Open(w.t.Context(), &release{town: w}, w.store, "run", nil)
	require.NoError(w.t, err)
	return s.Continue(w.t.Context(), "release 1.2")
}

// lives are processes until the run ends: the first ones die. Between them the person answers, and time passes.
func (w *town) lives(crashes ...crash) (res round.Result, died int) {
	w.t.Helper()
	for range 12 {
		c := crash{}
		if len(crashes) > 0 {
			c, crashes = crashes[0], crashes[1:]
		}
		w.store.start(c.at, c.after)
		res, err := w.life()
		switch {
		case w.store.dead():
			require.ErrorIs(w.t, err, round.ErrLost)
			died++
		case res.Outcome.Ended():
			require.NoError(w.t, err)
			w.store.start(0, false)
			return res, died
		case c != crash{}:
			crashes = append([]crash{{max(0, c.at-w.store.count), c.after}}, crashes...) // it dies in the next process
		}
		w.store.start(0, false)
		state, err := durable.Look(w.t.Context(), w.store, "run")
		if errors.Is(err, durable.ErrNoRun) {
			continue
		}
		require.NoError(w.t, err)
		for _, q := range state.Waits {
			_, err := durable.Answer(w.t.Context(), w.store, "run", q.ID, people.Answer{Approved: true})
			require.NoError(w.t, err)
		}
		if wait := time.Until(state.Wakes); wait > 0 {
			assert.Equal(w.t, state.Outcome != round.Suspended, state.Ready())
			time.Sleep(wait)
		}
	}
	require.Fail(w.t, "it does not end")
	return res, died
}

// Whenever its process dies, a release pays and deploys once, and waits once. What may be repeated is repeated, and of
// the rest it learns that nobody knows.
func TestEffectsSurviveACrashAtEachRecord(t *testing.T) {
	appends, calm := 0, ""
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		counting := &counted{Store: w.store.Store}
		w.store.Store = counting
		began := time.Now()
		res, died := w.lives()
		assert.Zero(t, died)
		assert.Equal(t, time.Hour, time.Since(began))
		assert.Equal(t, map[string]int{"pay hosting": 1, "pay tests": 1, "pay in vain": 1, "tag": 1, "canary": 1, "deploy": 1}, w.done)
		assert.Empty(t, w.uncertain)
		appends, calm = counting.n, res.Answer
	})
	require.Greater(t, appends, 15)
	uncertain, repeated := 0, 0
	check := func(t *testing.T, crashes ...crash) {
		synctest.Test(t, func(t *testing.T) {
			w := newTown(t)
			began := time.Now()
			res, died := w.lives(crashes...)
			assert.Equal(t, round.Finished, res.Outcome)
			assert.Equal(t, calm, res.Answer)
			assert.Equal(t, time.Hour, time.Since(began))
			told := map[string]bool{} // once more when a process dies in the step that was told
			for _, key := range w.uncertain {
				told[key] = true
			}
			assert.LessOrEqual(t, len(told), died)
			assert.LessOrEqual(t, w.calls, 1+died)
			for _, key := range []string{"pay hosting", "pay tests", "deploy"} {
				assert.Equal(t, 1, w.done[key], key)
			}
			for _, key := range []string{"pay in vain", "tag", "canary"} {
				assert.LessOrEqual(t, w.done[key], 1+died, key)
				repeated += w.done[key] - 1
			}
			uncertain += len(w.uncertain)
			w.quiet = true
			again, err := durable.Replay(t.Context(), &release{town: w}, w.store, "run", nil)
			require.NoError(t, err)
			assert.Equal(t, res.Answer, again.Answer)
		})
	}
	for at := 1; at <= appends; at++ {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprint(at, after), func(t *testing.T) {
				check(t, crash{at, after})
				check(t, crash{at, after}, crash{1 + at%4, !after})
			})
		}
	}
	assert.Greater(t, uncertain, 5)
	assert.Greater(t, repeated, 5)
}

// counted counts the Appends of all processes.
type counted struct {
	store.Store
	n int
}

func (c *counted) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if len(records) > 0 {
		c.n++
	}
	return c.Store.Append(ctx, run, after, records...)
}

// Effects of several goroutines are told apart by their keys: what is on record is given back, the rest is done.
func TestEffectsAtOnce(t *testing.T) {
	const size = 5
	for at := 1; at <= 2*size+2; at++ {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprint(at, after), func(t *testing.T) {
				w := newTown(t)
				w.several = true
				do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
					var all sync.WaitGroup
					errs, bills := make([]error, size), make([]bill, size)
					for i := range size {
						all.Go(func() {
							defer func() {
								if v := recover(); v != nil {
									errs[i] = round.ErrLost // of a process that dies
								}
							}()
							key := fmt.Sprint("pay ", i)
							bills[i], errs[i] = effects.Do(ctx, key, w.does(key))
						})
					}
					all.Wait()
					for i := range size {
						if errors.Is(errs[i], effects.ErrUncertain) {
							errs[i] = nil
							c.Notes = append(c.Notes, fmt.Sprint("uncertain ", i))
						} else if errs[i] == nil {
							assert.Equal(t, bill{fmt.Sprint("pay ", i), 1}, bills[i])
						}
					}
					return fsm.Finish, errors.Join(errs...)
				}
				y := &tally{t: t, store: w.store}
				w.store.start(at, after)
				_, err := y.begin(do).Run(t.Context(), "go")
				if w.store.dead() {
					require.ErrorIs(t, err, round.ErrLost)
				}
				s, err := durable.Open(t.Context(), newClerk(do), w.revived(), "run", nil)
				require.NoError(t, err)
				res, err := s.Continue(t.Context(), "go")
				require.NoError(t, err)
				assert.Equal(t, round.Finished, res.Outcome)
				for i := range size {
					assert.LessOrEqual(t, w.done[fmt.Sprint("pay ", i)], 1)
				}
				w.quiet = true
				_, err = durable.Replay(t.Context(), newClerk(do), w.store, "run", nil)
				require.NoError(t, err)
			})
		}
	}
}

func (w *town) revived() store.Store {
	w.store.start(0, false)
	return w.store
}

// one is a run whose only step has an effect, and dies after it.
func one[T any](t *testing.T, value T, opts ...effects.Option) (first, then T, errs [2]error) {
	t.Helper()
	y := newTally(t)
	at := 0
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		v, err := effects.Do(ctx, "it", func(context.Context) (T, error) {
			assert.Zero(t, at, "it is done once")
			return value, nil
		}, opts...)
		if errs[at] = err; at == 0 {
			first = v
		} else {
			then = v
		}
		return fsm.Finish, llm.ErrNoModel
	}
	y.store.start(4, false)
	_, _ = y.begin(do).Run(t.Context(), "go")
	at = 1
	_, _ = y.resume(do).Round().Run(t.Context())
	return first, then, errs
}

// A value is the same in each process: what its JSON holds.
func TestValuesOfEffects(t *testing.T) {
	same := func(t *testing.T, want, first, then any, errs [2]error) {
		t.Helper()
		assert.Equal(t, [2]error{}, errs)
		assert.Equal(t, want, first)
		assert.Equal(t, want, then)
	}
	first, then, errs := one(t, bill{"x", 3})
	same(t, bill{"x", 3}, first, then, errs)
	a, b, errs := one[any](t, 1234567890123456789)
	same(t, json.Number("1234567890123456789"), a, b, errs)
	c, d, errs := one(t, struct{}{})
	same(t, struct{}{}, c, d, errs)
	e, f, errs := one[*bill](t, nil)
	same(t, (*bill)(nil), e, f, errs)
	g, h, errs := one(t, json.RawMessage(`{"a":[1,"<b>"]}`))
	assert.Equal(t, [2]error{}, errs)
	assert.JSONEq(t, `{"a":[1,"<b>"]}`, string(g))
	assert.Equal(t, g, h)
	type half struct {
		Kept string
		gone string
	}
	i, j, errs := one(t, half{"a", "b"})
	same(t, half{Kept: "a"}, i, j, errs)
}

type hollow struct{ full bool }

func (h hollow) MarshalJSON() ([]byte, error) {
	if h.full {
		panic("bang")
	}
	return nil, errBang
}

// What was done stays done, also where its value cannot be kept; and what can never be kept is not done.
func TestValuesThatCannotBeKept(t *testing.T) {
	var kinds []string
	for _, of := range []func() [2]error{
		func() [2]error { _, _, errs := one[any](t, make(chan int)); return errs },
		func() [2]error { _, _, errs := one(t, hollow{}); return errs },
		func() [2]error { _, _, errs := one(t, hollow{full: true}); return errs },
		func() [2]error { _, _, errs := one[error](t, errBang); return errs }, // nobody can read it
	} {
		errs := of()
		for _, err := range errs {
			require.ErrorIs(t, err, effects.ErrNoValue)
		}
		assert.Equal(t, errs[0].Error(), errs[1].Error())
		kinds = append(kinds, errs[0].Error())
	}
	assert.Equal(t, []string{
		`effects: "it": it was done, and its value cannot be kept: json: unsupported type: chan int`,
		`effects: "it": it was done, and its value cannot be kept: json: error calling MarshalJSON for type durable_test.hollow: bang`,
		`effects: "it": it was done, and its value cannot be kept: round: panic: bang`,
		`effects: "it": it was done, and its value cannot be kept: json: cannot unmarshal object into Go value of type error`,
	}, kinds)
	done := false
	y := newTally(t)
	_, err := y.begin(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		_, err := effects.Do(ctx, "it", func(context.Context) (func(), error) {
			done = true
			return nil, nil
		})
		return fsm.Finish, err
	}).Run(t.Context(), "go")
	require.ErrorIs(t, err, effects.ErrNotDone)
	require.ErrorContains(t, err, `effects: "it": it was not done: json: unsupported type: func()`)
	assert.False(t, done)
}

// An error comes back with its text, and what is decided by.
func TestErrorsOfEffects(t *testing.T) {
	y := newTally(t)
	failed := fmt.Errorf("no answer: %w", errors.Join(context.DeadlineExceeded, &llm.CallError{Kind: llm.ErrUnavailable, Status: 503, Model: "m", Message: "x"}))
	var errs []error
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		v, err := effects.Do(ctx, "it", func(context.Context) (int, error) { return 7, failed })
		assert.Zero(t, v)
		errs = append(errs, err)
		return fsm.Finish, nil
	}
	y.store.start(4, false)
	_, err := y.begin(do).Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrLost)
	_, err = y.resume(do).Round().Run(t.Context())
	require.NoError(t, err)
	require.Len(t, errs, 2)
	assert.Same(t, failed, errs[0])
	for _, err := range errs {
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, llm.ErrUnavailable)
		assert.Equal(t, failed.Error(), err.Error())
		var call *llm.CallError
		require.ErrorAs(t, err, &call)
		assert.Equal(t, 503, call.Status)
	}
}

// The effects of a run inside of a step are in the journal of that run, and in no other.
func TestEffectsOfARunInAStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, y := newTown(t), newTally(t)
		inner := func(ctx context.Context, c *clerk) (fsm.Status, error) {
			_, err := effects.Do(ctx, "pay", w.does(fmt.Sprint("pay ", c.N)))
			if c.N++; err != nil || c.N < 2 {
				return fsm.Continue, err
			}
			return fsm.Finish, effects.WaitUntil(ctx, "soak", time.Now().Add(time.Hour))
		}
		do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
			s, err := durable.Open(ctx, newClerk(inner), w.store, "inner", nil)
			require.NoError(t, err)
			_, err = s.Continue(ctx, "go")
			return fsm.Finish, err
		}
		s := y.begin(do)
		res, err := s.Run(t.Context(), "go")
		require.ErrorIs(t, err, round.ErrSuspended)
		assert.Equal(t, time.Now().Add(time.Hour), res.Wakes.Local())
		time.Sleep(time.Hour)
		res, err = s.Round().Run(t.Context())
		require.NoError(t, err)
		assert.Zero(t, res.Wakes)
		assert.Equal(t, map[string]int{"pay 0": 1, "pay 1": 1}, w.done)
		assert.NotContains(t, y.kinds(), "effect")
		w.quiet = true
		_, err = y.replay(do)
		require.NoError(t, err)
	})
}

// A wait that is over stays so, also by a clock that is behind that of the process before; and a clock that is behind
// from the beginning waits for the same time.
func TestWaitsAndClocks(t *testing.T) {
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		if err := effects.WaitUntil(ctx, "soak", time.Now().Add(time.Hour)); err != nil {
			return "", err
		}
		_, err := effects.Do(ctx, "pay", func(context.Context) (int, error) { return 0, nil })
		return fsm.Finish, err
	}
	var journal [][]byte
	synctest.Test(t, func(t *testing.T) {
		y := newTally(t)
		_, err := y.begin(do).Run(t.Context(), "go")
		require.ErrorIs(t, err, round.ErrSuspended)
		time.Sleep(time.Hour)
		s := y.resume(do)
		y.store.start(2, false)
		_, err = s.Round().Run(t.Context())
		require.ErrorIs(t, err, round.ErrLost)
		y.store.start(0, false)
		for e, err := range y.store.Read(t.Context(), "run", 1) {
			require.NoError(t, err)
			journal = append(journal, slices.Clone(e.Data))
		}
	})
	for name, c := range map[string]struct {
		records int
		waits   time.Duration
		paid    bool
	}{
		"it was over":  {len(journal), 0, true},
		"it was begun": {3, time.Hour, false},
		"it was not":   {1, time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				y, began := newTally(t), time.Now()
				require.NoError(t, y.store.Append(t.Context(), "run", 0, journal[:c.records]...))
				res, err := y.resume(do).Round().Run(t.Context())
				if c.paid { // nobody knows, but nobody waits
					require.ErrorIs(t, err, effects.ErrUncertain)
					return
				}
				require.ErrorIs(t, err, round.ErrSuspended)
				assert.Equal(t, began.Add(c.waits), res.Wakes.Local())
				time.Sleep(c.waits)
				_, err = y.resume(do).Round().Run(t.Context())
				require.NoError(t, err)
			})
		})
	}
}

// Times that JSON cannot hold are waited for as if it could.
func TestWaitsForAnyTime(t *testing.T) {
	for at, wakes := range map[time.Time]time.Time{
		time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC): time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC),
		time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC):    {},
		{}: {},
	} {
		y := newTally(t)
		res, _ := y.begin(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
			return fsm.Finish, effects.WaitUntil(ctx, "x", at)
		}).Run(t.Context(), "go")
		assert.Equal(t, wakes, res.Wakes)
		assert.NotEqual(t, round.Lost, res.Outcome)
	}
}

// A run whose first wait is over is ready, and so is one whose questions are all answered.
func TestReadyWhenItWakes(t *testing.T) {
	now := time.Now()
	soon, over := now.Add(time.Hour), now.Add(-time.Hour)
	open := []people.Question{{ID: "q"}}
	late := []people.Question{{ID: "q", Deadline: over}}
	for name, c := range map[string]struct {
		outcome  round.Outcome
		wakes    time.Time
		waits    []people.Question
		answered bool
		ready    bool
	}{
		"it waits":                    {round.Suspended, soon, nil, false, false},
		"it has waited":               {round.Suspended, over, nil, false, true},
		"a question is open, too":     {round.Suspended, soon, open, false, false},
		"it has waited for an answer": {round.Suspended, over, open, false, true},
		"nobody answered":             {round.Suspended, soon, late, false, true},
		"all is answered":             {round.Suspended, soon, nil, true, true},
		"it was interrupted":          {round.Unfinished, soon, nil, false, true},
		"it has ended":                {round.Finished, over, nil, false, false},
	} {
		assert.Equal(t, c.ready, durable.StateOf(c.outcome, c.wakes, c.waits, c.answered).Ready(), name)
	}
}
