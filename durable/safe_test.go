package durable_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// undisturbed are the kinds of records of an undisturbed run.
var undisturbed = sync.OnceValue(func() []string {
	w, opts := newWorld(&testing.T{}), unbounded()
	s, err := durable.Open(context.Background(), w.host(), w.store, "run", &durable.Options{Round: opts})
	if err == nil {
		_, err = s.Run(context.Background(), "make the report")
	}
	if err != nil {
		panic(err)
	}
	kinds, _ := w.records()
	return kinds
})

// buffered reports whether records of a kind wait for the Append of another one.
func buffered(kind string) bool {
	return slices.Contains([]string{"look", "tools", "blob", "secret"}, kind)
}

// appendOf returns the Append of an undisturbed run in which the n-th record of
// that kind is.
func appendOf(t *testing.T, kind string, n int) int {
	t.Helper()
	durable := 0 // each Append ends with one
	for _, k := range undisturbed() {
		if !buffered(k) {
			durable++
		}
		if k == kind {
			if n--; n == 0 {
				return durable
			}
		}
	}
	require.Fail(t, "there are not so many")
	return 0
}

// appends are the Appends of an undisturbed run: all of them, in the short form one of
// each kind, from the middle of the run.
func appends() (list []int) {
	durable := slices.DeleteFunc(slices.Clone(undisturbed()), buffered)
	of := map[string][]int{}
	for i, kind := range durable {
		of[kind] = append(of[kind], i+1)
		list = append(list, i+1)
	}
	if !testing.Short() {
		return list
	}
	list = nil
	for _, at := range of {
		list = append(list, at[len(at)/2])
	}
	slices.Sort(list)
	return list
}

// with resumes with another policy and user than the first process had.
func (w *world) with(change func(*hostagent.Config)) *round.Session {
	w.t.Helper()
	c := hostagent.Config{Config: appagent.Config{Model: llm.ModelFunc(w.think), Desktop: w.desk, User: people.UserFunc(w.answer), NoImages: true}}
	change(&c)
	host, err := hostagent.New(c)
	require.NoError(w.t, err)
	s, err := durable.Open(w.t.Context(), host, w.store, "run", &durable.Options{Existing: true, Round: unbounded()})
	require.NoError(w.t, err)
	return s
}

// An act that may have happened is not done again by its step. A Policy can want a
// person's word before another step does.
func TestWhatMayHaveHappenedIsAskedAbout(t *testing.T) {
	for _, happened := range []bool{true, false} {
		kind := map[bool]string{true: "result", false: "intent"}[happened]
		w := half(t, appendOf(t, kind, 4), !happened) // the first one selects the window
		require.Equal(t, happened, len(w.rows) == 3)
		require.GreaterOrEqual(t, len(w.rows), 2)
		var asked []string
		var doubts []desktop.Command
		careful := func(c *hostagent.Config) {
			c.Policy = policies.All(policies.Default, policies.AskUncertain(),
				func(ctx context.Context, _ desktop.Tool, cmd desktop.Command) policies.Verdict {
					doubts = append(doubts, trace.Uncertain(ctx)...)
					return policies.Verdict{Action: policies.Allow}
				})
			c.User = people.UserFunc(func(ctx context.Context, q people.Question) (people.Answer, error) {
				if q.Command != nil && q.Command.ToolName == "add_row" {
					asked = append(asked, q.Reason)
				}
				return w.answer(ctx, q)
			})
		}
		s := w.with(careful)
		var failed string
		for step, err := range s.Round().Steps(t.Context()) {
			require.NoError(t, err)
			for _, c := range step.Commands {
				if c.Result.Status == desktop.Failure {
					failed += c.Result.Error
				}
			}
		}
		assert.Contains(t, failed, "it may or may not have happened")
		assert.Equal(t, round.Finished, s.Round().Result().Outcome)
		require.NotEmpty(t, doubts)
		assert.Equal(t, "3", doubts[0].Parameters["n"])
		if happened {
			assert.Empty(t, asked, "it is seen that it happened")
		} else {
			assert.Equal(t, []string{"it may have been executed already, before the run was interrupted"}, asked)
		}
		w.requireOnce()
		count := len(asked)
		_, err := w.replay(func(c *hostagent.Config) {
			user := c.User
			careful(c)
			c.User = user
		})
		require.NoError(t, err)
		assert.Len(t, asked, count)
	}
	assert.Empty(t, trace.Uncertain(t.Context()))
}

// Where the step does something else than what was recorded, the agent learns what
// was executed before it executes anything.
func TestAStepThatDivergesIsToldFirst(t *testing.T) {
	at := appendOf(t, "result", 4)
	for crashes := range sample.Of(6, 4) { // and processes die meanwhile
		w := half(t, at, true)
		denied := 0
		never := func(c *hostagent.Config) {
			c.Policy = func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
				if cmd.Parameters["n"] == "3" {
					denied++
					return policies.Verdict{Action: policies.Deny, Reason: "not a third row"}
				}
				return policies.Default(ctx, tool, cmd)
			}
		}
		if crashes > 0 {
			w.store.start(crashes, true)
			_, err := w.with(never).Round().Run(t.Context())
			require.ErrorIs(t, err, round.ErrLost)
			w.store.start(0, false)
		}
		s := w.with(never)
		refused := 0
		for step, err := range s.Round().Steps(t.Context()) {
			require.NoError(t, err)
			for _, c := range step.Commands {
				if strings.Contains(c.Result.Error, "these commands were executed before") {
					assert.Contains(t, c.Result.Error, "add_row")
					refused++
				}
			}
		}
		assert.Positive(t, denied)
		if crashes == 0 {
			assert.Equal(t, 1, refused)
			diverged := diverged(t, w.store)
			assert.Contains(t, diverged, "executed before: add_row")
			assert.NotContains(t, diverged, "hunter2")
		}
		w.requireOnce()
		assert.Len(t, w.rows, 12)
		_, err := w.replay(never)
		require.NoError(t, err)
	}
}

// What an agent saw before it was interrupted may have changed: the target of its
// first act is looked at once more.
func TestTheFirstActLooksAgain(t *testing.T) {
	for name, renamed := range map[string]bool{"the same": false, "changed": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			model := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
				w.calls++
				if _, acted := llm.FindSection(req, "history"); acted {
					return &llm.Response{Text: `{"Status":"FINISH","Comment":"done"}`}, nil
				}
				return &llm.Response{Text: `{"Status":"CONTINUE","Function":"click_input","Args":{"id":"rows"}}`}, nil
			})
			on := func(d desktop.Desktop) *appagent.Agent {
				a, err := appagent.New(appagent.Config{Model: model, Desktop: d, Window: desktop.Window{ID: "1", Root: "excel", Process: "book"}})
				require.NoError(t, err)
				return a
			}
			agent := func() *appagent.Agent { return on(w.desk) }
			w.store.start(2, true) // the call is recorded, the act is not begun
			s, err := durable.Open(t.Context(), agent(), w.store, "run", nil)
			require.NoError(t, err)
			_, err = s.Run(t.Context(), "click")
			require.ErrorIs(t, err, round.ErrLost)
			w.store.start(0, false)
			if renamed {
				w.excel.ChangeControl("rows", func(now *desktop.Control) { now.Name = "delete all" })
			}
			s, err = durable.Open(t.Context(), agent(), w.store, "run", &durable.Options{Existing: true})
			require.NoError(t, err)
			var commands []round.Command
			for step, err := range s.Round().Steps(t.Context()) {
				require.NoError(t, err)
				commands = append(commands, step.Commands...)
			}
			assert.Equal(t, 2, w.calls, "the reply was given back")
			assert.Equal(t, !renamed, len(w.desk.Calls("click_input")) == 1)
			assert.NotEmpty(t, commands)
			assert.Equal(t, round.Finished, s.Round().Result().Outcome)
			res, err := durable.Replay(t.Context(), on(untouchable{t}), w.store, "run", nil)
			require.NoError(t, err)
			assert.Equal(t, s.Round().Result(), res)
			assert.Equal(t, 2, w.calls)
		})
	}
}

// failing is a store whose Append fails with an error.
type failing struct {
	store.Store
	from, count int
}

var errDisk = errors.New("the disk is full")

func (f *failing) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if f.count++; f.count >= f.from {
		return errDisk
	}
	return f.Store.Append(ctx, run, after, records...)
}

// Without its record nothing is done, whatever the agent makes of the error.
func TestNothingIsDoneThatCannotBeRecorded(t *testing.T) {
	for _, from := range appends() {
		w := newWorld(t)
		st := &failing{Store: store.Memory(), from: from}
		opts := unbounded()
		s, err := durable.Open(t.Context(), w.host(), st, "run", &durable.Options{Round: opts})
		require.NoError(t, err)
		res, err := s.Run(t.Context(), "make the report")
		require.ErrorIs(t, err, round.ErrLost)
		require.ErrorIs(t, err, errDisk)
		require.Equal(t, round.Lost, res.Outcome)
		require.Equal(t, from, st.count, "nothing is appended behind it")
		intents := 0
		for entry, err := range st.Read(t.Context(), "run", 1) {
			require.NoError(t, err)
			intents += strings.Count(string(entry.Data), `"kind":"intent"`)
		}
		require.LessOrEqual(t, len(w.desk.Actions()), intents)
		_, err = s.Run(t.Context(), "again")
		require.ErrorIs(t, err, errDisk)
	}
}

// A run that is cancelled while it acts, and killed before it could say so, does not
// take the end of the context for a fault.
func TestACancelledActIsUncertain(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.desk.On("add_row", func(ctx context.Context, _ desktoptest.Call) (any, error) {
		cancel()
		return nil, ctx.Err()
	}).Times(1)
	opts := unbounded()
	at := appendOf(t, "result", 2)
	w.store.start(at, true)
	s, err := durable.Open(t.Context(), w.host(), w.store, "run", &durable.Options{Round: opts})
	require.NoError(t, err)
	_, err = s.Run(ctx, "make the report")
	require.ErrorIs(t, err, round.ErrLost)
	w.store.start(0, false)
	res, err := w.resume(nil).Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, round.Finished, res.Outcome)
	w.requireOnce()
	again, err := w.replay(nil)
	require.NoError(t, err)
	assert.Equal(t, res, again)
}
