package scenarios_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// asksLater is a stage whose run waits for an answer from elsewhere, an hour at most.
func asksLater(t *testing.T, replies ...any) *stage {
	s := onStage(t, replies...)
	s.Config.User, s.Config.AskTimeout = people.Later(), time.Hour
	s.Config.NewID = func() string { return "q" }
	return s
}

var question = map[string]any{"Status": "PENDING", "Questions": []string{"Which year?"}}

// suspended begins a run that waits, an hour at most.
func suspended(t *testing.T, in store.Store, run string) {
	t.Helper()
	require.True(t, suspendedFor(t, time.Hour, in, run))
}

// suspendedFor reports whether the run waits: on a busy machine a short time is over before.
func suspendedFor(t *testing.T, limit time.Duration, in store.Store, run string) bool {
	t.Helper()
	s := asksLater(t, question)
	s.Config.AskTimeout = limit
	session, err := durable.Open(t.Context(), s.alone(), in, run, nil)
	require.NoError(t, err)
	_, err = session.Run(t.Context(), "go")
	require.NoError(t, session.Close(t.Context()))
	return errors.Is(err, round.ErrSuspended)
}

// goesOn continues a run in another process.
func goesOn(t *testing.T, in store.Store, run string, replies ...any) (*stage, round.Result) {
	t.Helper()
	s := asksLater(t, replies...)
	session, err := durable.Open(t.Context(), s.alone(), in, run, &durable.Options{Round: s.observed()})
	require.NoError(t, err)
	res, _ := session.Continue(t.Context(), "go")
	require.NoError(t, session.Close(t.Context()))
	return s, res
}

// A question that a run waits for has a deadline, which holds while no process has the run. The step
// after it is PENDING to FAIL by timeout; who expired it makes no difference.
func TestScenario62_ADeadlineHoldsWhileNoProcessRuns(t *testing.T) {
	for name, c := range map[string]struct {
		after   time.Duration
		happens func(t *testing.T, in store.Store)
		want    round.Outcome
	}{
		"expired by any process": {time.Hour, func(t *testing.T, in store.Store) {
			state, err := durable.Look(t.Context(), in, "run")
			require.NoError(t, err)
			require.Len(t, state.Overdue(time.Now()), 1)
			assert.Empty(t, state.Overdue(time.Now().Add(-time.Second)), "by the clock of who asks")
			for range 2 { // it has expired, whoever recorded that
				expired, err := durable.Expire(t.Context(), in, "run", "q")
				require.NoError(t, err)
				assert.True(t, expired)
			}
			given, err := durable.Answer(t.Context(), in, "run", "q", people.Answer{Text: "2024"})
			require.ErrorIs(t, err, people.ErrTimeout)
			assert.False(t, given)
		}, round.Failed},
		"by the answer that is late": {2 * time.Hour, func(t *testing.T, in store.Store) {
			given, err := durable.Answer(t.Context(), in, "run", "q", people.Answer{Text: "2024"})
			require.ErrorIs(t, err, people.ErrTimeout)
			assert.False(t, given)
			state, err := durable.Look(t.Context(), in, "run")
			require.NoError(t, err)
			assert.True(t, state.Ready())
		}, round.Failed},
		"by who goes on": {2 * time.Hour, func(*testing.T, store.Store) {}, round.Failed},
		"answered in time": {59 * time.Minute, func(t *testing.T, in store.Store) {
			_, err := durable.Expire(t.Context(), in, "run", "q")
			require.ErrorContains(t, err, "has not passed")
			given, err := durable.Answer(t.Context(), in, "run", "q", people.Answer{Text: "2024"})
			require.NoError(t, err)
			assert.True(t, given)
			expired, err := durable.Expire(t.Context(), in, "run", "q")
			require.NoError(t, err)
			assert.False(t, expired, "an answer counts")
		}, round.Finished},
		"still waiting": {59 * time.Minute, func(*testing.T, store.Store) {}, round.Suspended},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in := store.Memory()
				suspended(t, in, "run")
				time.Sleep(c.after)
				c.happens(t, in)
				var replies []any
				if c.want == round.Finished {
					replies = []any{finish("2024")}
				}
				s, res := goesOn(t, in, "run", replies...)
				assert.Equal(t, c.want, res.Outcome)
				if c.want == round.Failed {
					assert.Equal(t, fsm.ByTimeout, s.Steps[0].By)
					assert.Equal(t, "nobody answered in time: Which year?", res.Reason)
				}
				if c.want != round.Suspended {
					_, err := durable.Replay(t.Context(), asksLater(t).alone(), in, "run", nil)
					require.NoError(t, err)
				}
			})
		})
	}
}

// The deadline is that of the first time the question was asked, however often it is asked again.
func TestScenario62_ADeadlineIsNotMovedByGoingOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := store.Memory()
		suspended(t, in, "run")
		for range 3 {
			time.Sleep(19 * time.Minute)
			_, res := goesOn(t, in, "run")
			assert.Equal(t, round.Suspended, res.Outcome)
			state, err := durable.Look(t.Context(), in, "run")
			require.NoError(t, err)
			require.Len(t, res.Waits, 1)
			assert.Equal(t, state.Waits, res.Waits)
		}
		time.Sleep(3 * time.Minute)
		_, res := goesOn(t, in, "run")
		assert.Equal(t, round.Failed, res.Outcome)
	})
}

// An answer and an expiry of one question come at the same time, from two processes: exactly one
// counts, and both know which.
func TestScenario62_AnAnswerAndAnExpiryAtTheSameTime(t *testing.T) {
	const child = "AGENTFSM_SCENARIO_62"
	if dir := os.Getenv(child); dir != "" {
		expireThem(t, dir)
		return
	}
	dir := t.TempDir()
	in, err := store.Files(dir)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), child+"="+dir)
	orders, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	next := func() string {
		require.True(t, lines.Scan(), "%v", lines.Err())
		return lines.Text()
	}
	require.Equal(t, "ready", next())
	counted := map[string]int{}
	for i := range sample.Of(1000, 40) {
		run := fmt.Sprintf("run %d", i)
		for limit := 20 * time.Millisecond; !suspendedFor(t, limit, in, run); limit *= 2 {
			run += " again"
		}
		state, err := durable.Look(t.Context(), in, run)
		require.NoError(t, err)
		_, err = fmt.Fprintln(orders, run)
		require.NoError(t, err)
		time.Sleep(time.Until(state.Waits[0].Deadline) - time.Duration(i%5)*time.Millisecond/2)
		given, failed := durable.Answer(t.Context(), in, run, "q", people.Answer{Text: "2024"})
		expired := next()

		state, err = durable.Look(t.Context(), in, run)
		require.NoError(t, err)
		require.Empty(t, state.Waits)
		answers := 0
		for record, err := range durable.Records(t.Context(), in, run) {
			require.NoError(t, err)
			if record.Kind == "answer" {
				answers++
			}
		}
		require.Equal(t, 1, answers, run)
		if given {
			require.NoError(t, failed)
			require.Equal(t, "false <nil>", expired, run)
		} else {
			require.ErrorIs(t, failed, people.ErrTimeout, run)
			require.Equal(t, "true <nil>", expired, run)
		}
		counted[fmt.Sprint(given, " ", expired)]++
	}
	require.NoError(t, orders.Close())
	require.NoError(t, cmd.Wait())
	t.Log(counted)
}

// expireThem is the other process: it expires the question of each run that it reads.
func expireThem(t *testing.T, dir string) {
	in, err := store.Files(dir)
	require.NoError(t, err)
	fmt.Println("ready") //nolint:forbidigo // to the parent process
	orders := bufio.NewReader(os.Stdin)
	for {
		run, err := orders.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		for {
			expired, err := durable.Expire(t.Context(), in, strings.TrimSpace(run), "q")
			if err == nil || !strings.Contains(err.Error(), "has not passed") {
				fmt.Println(expired, err) //nolint:forbidigo // likewise
				break
			}
		}
	}
}

// 10,000 runs that wait, each with a deadline, have no goroutine.
func TestScenario62_WaitingCostsNoGoroutine(t *testing.T) {
	in, err := store.Files(filepath.Join(t.TempDir(), "runs"))
	require.NoError(t, err)
	before := runtime.NumGoroutine()
	n := sample.Of(10_000, 200)
	for i := range n {
		suspended(t, in, fmt.Sprint("run ", i))
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
	waiting := 0
	for state, err := range durable.List(t.Context(), in, durable.Query{}) {
		require.NoError(t, err)
		waiting += len(state.Overdue(time.Now().Add(2 * time.Hour)))
	}
	assert.Equal(t, n, waiting)
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
}
