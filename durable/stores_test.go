package durable_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// bent is a store that a test bends in one place.
type bent struct {
	store.Store
	append func(ctx context.Context, run string, after int64, records ...[]byte) error
	entry  func(from int64, e *store.Entry) (keep bool) // of what is read
	drive  error
	null   bool // it returns nil
	panics bool
}

func (b bent) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if b.append != nil {
		return b.append(ctx, run, after, records...)
	}
	return b.Store.Append(ctx, run, after, records...)
}

func (b bent) Read(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
	if b.null {
		return nil
	}
	return func(yield func(store.Entry, error) bool) {
		if b.panics {
			panic("bang")
		}
		for e, err := range b.Store.Read(ctx, run, from) {
			if (b.entry == nil || b.entry(from, &e)) && !yield(e, err) {
				return
			}
		}
	}
}

func (b bent) Runs(ctx context.Context) iter.Seq2[string, error] {
	if b.null {
		return nil
	}
	return b.Store.Runs(ctx)
}

func (b bent) Drive(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
	if b.drive != nil {
		return nil, b.drive
	}
	return b.Store.Drive(ctx, run, takeOver)
}

// readers are all who read a journal.
func readers(t *testing.T, do errand, st store.Store, run string) map[string]error {
	t.Helper()
	errs := map[string]error{}
	_, errs["Open"] = durable.Open(t.Context(), newClerk(do), st, run, &durable.Options{Existing: true})
	_, errs["Replay"] = durable.Replay(t.Context(), newClerk(do), st, run, nil)
	_, errs["Look"] = durable.Look(t.Context(), st, run)
	_, errs["Answer"] = durable.Answer(t.Context(), st, run, "q", people.Answer{})
	errs["Fork"] = durable.Fork(t.Context(), st, run, store.Memory(), "as", durable.Change{})
	for _, err := range durable.Records(t.Context(), st, run) {
		errs["Records"] = err
	}
	return errs
}

func finishes(context.Context, *clerk) (fsm.Status, error) { return fsm.Finish, nil }

// What a newer version wrote is refused, and says so, before anything is done.
func TestJournalsOfANewerVersion(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../internal/testdata/journals/newer")))
	st, err := store.Files(dir)
	require.NoError(t, err)
	for _, run := range []string{"file", "records"} {
		for who, err := range readers(t, finishes, st, run) {
			require.ErrorIs(t, err, store.ErrVersion, who)
			assert.ErrorContains(t, err, fmt.Sprintf("run %q", run), who)
			assert.ErrorContains(t, err, "use a newer version of the program", who)
		}
	}
}

// A record that is missing in between is damage, whatever kind it was of, and so is a journal of which no round
// has begun. Only the end of a journal may be missing: nobody can tell that from a process that died.
func TestARecordIsMissing(t *testing.T) {
	y := newTally(t)
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		if c.N++; c.N < 3 {
			return fsm.Continue, y.ask(ctx)
		}
		return fsm.Finish, nil
	}
	_, err := y.begin(do).Run(t.Context(), "go")
	require.NoError(t, err)
	for seq := 1; seq < len(y.kinds()); seq++ {
		errs := readers(t, do, bent{Store: y.store, entry: func(_ int64, e *store.Entry) bool { return e.Seq != int64(seq) }}, "run")
		for who, err := range errs {
			require.ErrorIs(t, err, store.ErrDamaged, "%s without record %d", who, seq)
		}
	}
	for _, first := range []string{`{"v":1,"kind":"tools","tools":{"ref":"sha256:0"}}`, `{"v":1,"kind":"call","call":{"response":{}}}`} {
		st := store.Memory()
		require.NoError(t, st.Append(t.Context(), "run", 0, []byte(first)))
		for _, who := range []string{"Open", "Replay"} {
			err := readers(t, finishes, st, "run")[who]
			require.ErrorIs(t, err, store.ErrDamaged)
			require.ErrorContains(t, err, "no round has begun")
		}
	}
}

// Where the bytes of a picture are not those that were kept, nothing goes on with them.
func TestAPictureThatIsNotThere(t *testing.T) {
	y := newTally(t)
	desk := screen(func(cmd desktop.Command) (desktop.Result, error) {
		return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: []byte("a picture")}}}}, nil
	})
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		_, _ = desktop.Execute(ctx, desk, desktop.Command{ToolName: desktop.CaptureDesktopScreenshot, Looks: true}) // an agent that does not care
		return fsm.Finish, errors.Join(y.ask(ctx), y.ask(ctx))
	}
	y.dies(2, do) // round; blob, look and call, before the second call
	lost := bent{Store: y.store, entry: func(from int64, e *store.Entry) bool {
		if from > 1 && strings.Contains(string(e.Data), `"kind":"blob"`) {
			e.Data = []byte(`{"v":1,"kind":"blob","blob":{"ref":"sha256:other"}}`)
		}
		return true
	}}
	s, err := durable.Open(t.Context(), newClerk(do), lost, "run", nil)
	require.NoError(t, err)
	_, err = s.Round().Run(t.Context())
	require.ErrorIs(t, err, round.ErrLost)
	assert.Equal(t, 1, y.calls)

	forged := bent{Store: y.store, entry: func(_ int64, e *store.Entry) bool {
		e.Data = []byte(strings.Replace(string(e.Data), `"data":"YSBw`, `"data":"YSBx`, 1))
		return true
	}}
	_, err = durable.Open(t.Context(), newClerk(do), forged, "run", nil)
	require.ErrorIs(t, err, store.ErrDamaged, "the bytes are not those of their name")
}

// forgetful is an agent whose Load panics.
type forgetful struct{ *clerk }

func (forgetful) Load(fsm.Saved) error { panic("bang") }

// Panics of a store and of an agent, a store that is nil or returns nil, and one that drives nothing, are errors.
func TestStoresThatBreak(t *testing.T) {
	y := newTally(t)
	_, err := y.begin(finishes).Run(t.Context(), "go")
	require.NoError(t, err)
	var none *bent
	var panicked *round.PanicError
	for name, c := range map[string]struct {
		agent fsm.Worker
		store store.Store
		panic bool
	}{
		"a store that panics":   {newClerk(finishes), bent{panics: true, Store: y.store}, true},
		"an agent that panics":  {forgetful{newClerk(finishes)}, y.store, true},
		"a nil pointer":         {newClerk(finishes), none, false},
		"nil":                   {newClerk(finishes), nil, false},
		"a store without Drive": {newClerk(finishes), bent{Store: y.store, drive: errBang}, false},
	} {
		_, err := durable.Open(t.Context(), c.agent, c.store, "run", nil)
		require.Error(t, err, name)
		require.NotErrorIs(t, err, round.ErrLost, "nothing was lost")
		assert.Equal(t, c.panic, errors.As(err, &panicked), name)
		if _, err = durable.Replay(t.Context(), c.agent, c.store, "run", nil); name != "a store without Drive" {
			require.Error(t, err, name)
			assert.Equal(t, c.panic, errors.As(err, &panicked), name)
		}
	}
}

// Without its record nothing is done, whatever the agent makes of the error.
func TestNothingIsDoneThatCannotBeRecorded(t *testing.T) {
	errDisk := errors.New("the disk is full")
	for _, from := range appends(t) {
		w, count, intents := newWorld(t), 0, 0
		st := bent{Store: w.store, append: func(ctx context.Context, run string, after int64, records ...[]byte) error {
			if count++; count >= from {
				return errDisk
			}
			for _, r := range records {
				intents += strings.Count(string(r), `"kind":"intent"`)
			}
			return w.store.Append(ctx, run, after, records...)
		}}
		s, err := durable.Open(t.Context(), w.host(), st, "run", &durable.Options{Round: unbounded()})
		require.NoError(t, err)
		res, err := s.Run(t.Context(), "make the report")
		require.ErrorIs(t, err, round.ErrLost)
		require.ErrorIs(t, err, errDisk)
		require.Equal(t, round.Lost, res.Outcome)
		require.Equal(t, from, count, "nothing is appended behind it")
		require.LessOrEqual(t, len(w.desk.Actions()), intents)
		_, err = s.Run(t.Context(), "again")
		require.ErrorIs(t, err, errDisk)
	}
}

// An answer that could not be recorded is none, although the agent swallows the error.
func TestAnAnswerThatIsNotRecorded(t *testing.T) {
	y := newTally(t)
	c := newClerk(nil)
	c.do = func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		c.answer = func() string { // an agent that keeps a context
			_, _ = y.ask(ctx), y.ask(ctx)
			return "done"
		}
		return fsm.Finish, nil
	}
	y.store.start(2, false) // round; step and the call of its Answer, before the second call
	res, err := y.beginWith(c).Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrLost)
	assert.Equal(t, round.Lost, res.Outcome)
	assert.Empty(t, res.Answer)
	state, err := durable.Look(t.Context(), y.store.Store, "run")
	require.NoError(t, err)
	assert.Equal(t, round.Unfinished, state.Outcome)
}

// A store that hangs holds a run up for a minute, and for ten seconds once it is cancelled.
func TestAStoreThatHangs(t *testing.T) {
	for cancelled, took := range map[time.Duration]time.Duration{ // 0: it is not; -1: before
		0: time.Minute, -1: 10 * time.Second, 5 * time.Second: 15 * time.Second, 55 * time.Second: 65 * time.Second,
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			y, left := newTally(t), 1 // the round, not the call and the intent
			st := bent{Store: y.store, append: func(ctx context.Context, run string, after int64, records ...[]byte) error {
				if left--; left >= 0 {
					return y.store.Append(ctx, run, after, records...)
				}
				<-ctx.Done()
				return ctx.Err()
			}}
			switch {
			case cancelled > 0:
				time.AfterFunc(cancelled, func() { cancel(errBang) })
			case cancelled < 0:
				left = 0
				cancel(errBang)
			}
			begun := time.Now()
			s, err := durable.Open(t.Context(), newClerk(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
				if err := y.ask(ctx); err != nil {
					return "", err
				}
				_, err := y.act(ctx, "pay")
				return fsm.Finish, err
			}), st, "run", nil)
			require.NoError(t, err)
			res, err := s.Run(ctx, "go")
			require.ErrorIs(t, err, round.ErrLost)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			if cancelled != 0 {
				require.ErrorIs(t, err, errBang)
			}
			assert.Equal(t, round.Lost, res.Outcome)
			assert.Equal(t, took, time.Since(begun))
			assert.Empty(t, y.done)
		})
	}
}
