package durable_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// A step of an agent that looks, asks its model once and acts once is appended twice: before the act and
// after it. Where it asks again there is one Append more.
func TestAppendsOfAStep(t *testing.T) {
	for hesitates, want := range map[bool]int{false: 2, true: 3} {
		w := newWorld(t)
		w.words, w.hesitates = 6, hesitates
		opts := unbounded()
		var at []int
		opts.Observe = func(round.Step) { at = append(at, w.store.count) }
		s, err := durable.Open(t.Context(), w.writer(t), w.store, "run", &durable.Options{Round: opts})
		require.NoError(t, err)
		_, err = s.Run(t.Context(), "write it again")
		require.NoError(t, err)
		for n := 1; n < w.words; n++ {
			assert.Equal(t, want, at[n]-at[n-1], "step %d", n)
		}
	}
}

// short is a run of three lines.
func short(t *testing.T, hesitates bool, crashes ...crash) (w *world, res round.Result, died int) {
	t.Helper()
	w = newWorld(t)
	w.words, w.hesitates = 3, hesitates
	for ; ; died++ {
		w.store.start(0, false)
		if died < len(crashes) {
			w.store.start(crashes[died].at, crashes[died].after)
		}
		opts, seen := unbounded(), 0
		opts.Observe = func(round.Step) { seen++ }
		s, err := durable.Open(t.Context(), w.writer(t), w.store, "run", &durable.Options{Round: opts})
		require.NoError(t, err)
		if s.Round() != nil {
			seen += s.Round().Result().Transitions
		}
		res, err = s.Continue(t.Context(), "write it again")
		if !w.store.dead() {
			require.NoError(t, err)
			return w, res, died
		}
		require.ErrorIs(t, err, round.ErrLost)
		if state, err := durable.Look(t.Context(), w.store.Store, "run"); err == nil {
			require.LessOrEqual(t, seen, state.Transitions+1, "more than one step is taken back")
		}
	}
}

// Wherever a process dies, and the next one, too: each crash costs one model call at most, and no command
// is executed twice.
func TestEachCrashCostsOneCallAtMost(t *testing.T) {
	for hesitates, calls := range map[bool]int{false: 5, true: 10} {
		calm, want, _ := short(t, hesitates)
		require.Equal(t, calls, calm.calls)
		for first := 1; first <= calm.store.count; first += sample.Raced(4) {
			step := sample.Every(3) * sample.Raced(2)
			for second := first % step; second <= calm.store.count; second += step {
				for _, after := range []bool{false, true} {
					crashes := []crash{{first, after}, {second, !after}}
					w, res, died := short(t, hesitates, crashes...)
					again := died
					if hesitates { // an act of which nobody knows is decided anew, in two calls
						again += res.Transitions - want.Transitions
					}
					require.LessOrEqual(t, w.calls, calls+again, "%v", crashes)
					require.Equal(t, calm.lines, w.lines, "%v", crashes)
					require.Equal(t, want.Answer, res.Answer)
					w.requireOnce()
				}
			}
		}
	}
}

// A loop over steps that is left has what it saw on record. Where that failed, the next Run says so.
func TestALoopThatIsLeft(t *testing.T) {
	y := newTally(t)
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) { return fsm.Continue, y.ask(ctx) }
	s := y.begin(do)
	_, err := s.Start("go")
	require.NoError(t, err)
	for taken := 1; taken < 4; taken++ {
		steps(t, s, 1)
		state, err := durable.Look(t.Context(), y.store, "run")
		require.NoError(t, err)
		require.Equal(t, taken, state.Transitions)
	}
	y.store.full = y.store.count + 1
	steps(t, s, 1)
	_, err = s.Round().Run(t.Context())
	require.ErrorIs(t, err, round.ErrLost)
	require.ErrorIs(t, err, errNoRoom)
	require.Equal(t, 4, y.calls)
}

// The reply to one of several calls at once is on record when another one is still under way.
func TestCallsAtOnceDoNotRide(t *testing.T) {
	y := newTally(t)
	slow, begun := make(chan struct{}), make(chan struct{})
	model := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		if req.Messages[0].Parts[0].Text == "slow" {
			close(begun)
			<-slow
		}
		return &llm.Response{Text: "yes"}, nil
	})
	ask := func(ctx context.Context, text string) error {
		_, err := llm.Complete(ctx, model, &llm.Request{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: text}}}}})
		return err
	}
	_, err := y.begin(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		other := make(chan error)
		go func() { other <- ask(ctx, "slow") }()
		<-begun
		err := ask(ctx, "quick")
		assert.Equal(t, []string{"round", "call"}, y.kinds()) //nolint:contextcheck // it reads what is on record
		close(slow)
		err = errors.Join(err, <-other)
		assert.Equal(t, []string{"round", "call"}, y.kinds(), "the last one rides") //nolint:contextcheck // it reads what is on record
		return fsm.Finish, err
	}).Run(t.Context(), "go")
	require.NoError(t, err)
	assert.Equal(t, []string{"round", "call", "call", "step", "end"}, y.kinds())
}

// What rides is bounded: a large record is appended at once, and so is one after much that was seen.
func TestWhatRidesIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		reply, picture int
		appends        int
	}{
		"an ordinary reply":      {100, 0, 1},
		"a large reply":          {33 << 10, 0, 2},
		"a picture":              {100, 300 << 10, 1},
		"a very large picture":   {100, 1 << 20, 2},
		"a reply that just fits": {31 << 10, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			y := newTally(t)
			model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
				return &llm.Response{Text: strings.Repeat("x", c.reply)}, nil
			})
			desk := screen(func(desktop.Command) (desktop.Result, error) {
				picture := &desktop.Image{MediaType: "image/png", Data: make([]byte, c.picture)}
				return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: picture}}}, nil
			})
			_, err := y.begin(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
				_, err := desktop.Execute(ctx, desk, desktop.Command{ToolName: desktop.CaptureDesktopScreenshot, Looks: true})
				require.NoError(t, err)
				_, err = llm.Complete(ctx, model, &llm.Request{})
				assert.Equal(t, c.appends, y.store.count)
				return fsm.Finish, err
			}).Run(t.Context(), "go")
			require.NoError(t, err)
		})
	}
}

// A process that loses its run while its model thinks executes nothing by that reply, and makes no other
// call: to one that took the run over, or because somebody answered a question of it.
func TestWhoLosesItsRunActsNoMore(t *testing.T) {
	for name, lose := range map[string]func(t *testing.T, y *tally){
		"to another process": func(t *testing.T, y *tally) {
			_, err := durable.Open(t.Context(), newClerk(finishes), y.store, "run", &durable.Options{TakeOver: true})
			require.NoError(t, err)
		},
		"to an answer": func(t *testing.T, y *tally) {
			given, err := durable.Answer(t.Context(), y.store, "run", "q", people.Answer{Text: "Ann"})
			require.NoError(t, err)
			require.True(t, given)
		},
	} {
		for _, next := range []string{"a command", "a call", "a question", "nothing"} {
			t.Run(fmt.Sprint(name, ", then ", next), func(t *testing.T) {
				y, asked := newTally(t), 0
				user := people.UserFunc(func(ctx context.Context, q people.Question) (people.Answer, error) {
					asked++
					return people.Later().Ask(ctx, q)
				})
				res, err := y.begin(func(ctx context.Context, c *clerk) (fsm.Status, error) {
					_, err := people.Ask(ctx, user, people.Question{ID: "q", Agent: "clerk", Text: "Who?"}, 0)
					require.ErrorIs(t, err, fsm.ErrSuspend)
					require.NoError(t, y.ask(ctx))
					lose(t, y)
					switch next {
					case "a command":
						_, err = y.act(ctx, "pay")
					case "a call":
						err = y.ask(ctx)
					case "a question":
						_, err = people.Ask(ctx, user, people.Question{ID: "p", Agent: "clerk", Text: "Why?"}, 0)
					default:
						return fsm.Finish, nil
					}
					require.ErrorIs(t, err, store.ErrConflict)
					return fsm.Finish, nil
				}).Run(t.Context(), "go")
				require.ErrorIs(t, err, store.ErrConflict)
				assert.Equal(t, round.Lost, res.Outcome)
				assert.Equal(t, fsm.Continue, res.Status, "where its record has it")
				assert.Equal(t, 1, y.calls)
				assert.Equal(t, 1, asked)
				assert.Empty(t, y.done)
			})
		}
	}
}
