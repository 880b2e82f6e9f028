package temporal //nolint:testpackage // what is in a history is nobody's business but ours

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	"github.com/agentfsm/agentfsm/people"
)

// idle is a client of which nobody wants anything.
type idle struct{ client.Client }

// told is a workflow under test. Its clock goes on when nothing else does.
type told struct {
	*testsuite.TestWorkflowEnvironment
	began time.Time

	mu  sync.Mutex
	log []string
}

func (w *told) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, fmt.Sprintf("%v ", w.Now().Sub(w.began).Round(time.Second))+fmt.Sprintf(format, args...))
}

// at has something happen, by the clock of the workflow.
func (w *told) at(when time.Duration, do func()) { w.RegisterDelayedCallback(do, when) }

func (w *told) wake() {
	w.note("wake")
	w.SignalWorkflow(wakeSignal, nil)
}

// run is a workflow whose drives take a minute each: the nth returns what drive says.
func run(t *testing.T, m memory, opts *Options, tell func(*told), drive func(n int) (follows, error)) (log []string, left memory, err error) {
	t.Helper()
	e, err := New(idle{}, opts)
	require.NoError(t, err)
	var suite testsuite.WorkflowTestSuite
	w := &told{TestWorkflowEnvironment: suite.NewTestWorkflowEnvironment()}
	w.SetTestTimeout(time.Minute)
	w.RegisterWorkflowWithOptions(e.workflow, workflow.RegisterOptions{Name: workflowType})
	w.RegisterActivityWithOptions((&drives{}).one, activity.RegisterOptions{Name: driveActivity})
	w.RegisterActivityWithOptions(e.answer, activity.RegisterOptions{Name: answerActivity})
	n := 0
	w.OnActivity(driveActivity, mock.Anything, "a").After(time.Minute).Return(func(context.Context, string) (follows, error) {
		n++
		w.note("drive %d", n)
		return drive(n)
	})
	w.began = w.Now()
	tell(w)
	w.ExecuteWorkflow(workflowType, m)
	require.True(t, w.IsWorkflowCompleted())
	err = w.GetWorkflowError()
	if again, ok := errors.AsType[*workflow.ContinueAsNewError](err); ok {
		require.NoError(t, converter.GetDefaultDataConverter().FromPayloads(again.Input, &left))
	}
	return w.log, left, err
}

const week = 7 * 24 * time.Hour

func TestWorkflow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tell  func(*told)
		drive func(n int) (follows, error)
		want  []string
		err   string
		m     memory
	}{
		"a deadline in a week": {
			tell: func(w *told) { w.at(0, w.wake) },
			drive: func(n int) (follows, error) {
				return follows{Ended: n == 2, In: week}, nil
			},
			want: []string{"0s wake", "1m0s drive 1", "168h2m0s drive 2"},
		},
		"a wake before it": {
			tell: func(w *told) { w.at(0, w.wake); w.at(time.Hour, w.wake) },
			drive: func(n int) (follows, error) {
				return follows{Ended: n == 2, In: week}, nil
			},
			want: []string{"0s wake", "1m0s drive 1", "1h0m0s wake", "1h1m0s drive 2"},
		},
		"no time": {
			tell: func(w *told) { w.at(0, w.wake); w.at(3*week, w.wake) },
			drive: func(n int) (follows, error) {
				return follows{Ended: n == 2}, nil
			},
			want: []string{"0s wake", "1m0s drive 1", "504h0m0s wake", "504h1m0s drive 2"},
		},
		"at once": {
			tell: func(w *told) { w.at(0, w.wake) },
			drive: func(n int) (follows, error) {
				return follows{Ended: n == 3, Again: n < 3}, nil
			},
			want: []string{"0s wake", "1m0s drive 1", "2m0s drive 2", "3m0s drive 3"},
		},
		"wakes during a drive are one": {
			tell: func(w *told) { w.at(0, w.wake); w.at(10*time.Second, w.wake); w.at(20*time.Second, w.wake) },
			drive: func(n int) (follows, error) {
				return follows{Ended: n == 3, In: week}, nil
			},
			want: []string{"0s wake", "10s wake", "20s wake", "1m0s drive 1", "2m0s drive 2", "168h3m0s drive 3"},
		},
		"a wake during the last drive": { // such as a run that is deleted and started anew
			tell: func(w *told) { w.at(0, w.wake); w.at(10*time.Second, w.wake) },
			drive: func(int) (follows, error) {
				return follows{Ended: true}, nil
			},
			want: []string{"0s wake", "10s wake", "1m0s drive 1", "2m0s drive 2"},
		},
		"cancelled while it waits": {
			tell: func(w *told) { w.at(0, w.wake); w.at(time.Hour, w.CancelWorkflow) },
			drive: func(int) (follows, error) {
				return follows{In: week}, nil
			},
			want: []string{"0s wake", "1m0s drive 1"},
			err:  "canceled",
		},
		"a process that closes": {
			tell: func(w *told) { w.at(0, w.wake) },
			drive: func(n int) (follows, error) {
				if n <= 7 { // the SDK's test suite gives up after ten
					return follows{}, errors.New("this process closes")
				}
				return follows{Ended: true}, nil
			},
			want: []string{
				"0s wake", "1m0s drive 1", "2m0s drive 2", "3m1s drive 3", "4m1s drive 4", "5m3s drive 5", "6m6s drive 6", "7m13s drive 7",
				"8m23s drive 8",
			},
		},
		"broken off at the server": {
			tell: func(w *told) { w.at(0, w.wake) },
			drive: func(n int) (follows, error) {
				if n == 1 {
					return follows{}, temporal.NewNonRetryableApplicationError("somebody", "did it", nil)
				}
				return follows{Ended: true}, nil
			},
			want: []string{"0s wake", "1m0s drive 1", "3m0s drive 2"},
		},
		"continued, with a time that has come": {
			m: memory{At: time.Unix(1, 0)},
			drive: func(int) (follows, error) {
				return follows{Ended: true}, nil
			},
			want: []string{"1m0s drive 1"},
		},
		"continued, woken": {
			m: memory{Woken: true, At: time.Unix(1<<33, 0)},
			drive: func(int) (follows, error) {
				return follows{Ended: true}, nil
			},
			want: []string{"1m0s drive 1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.m.Run, c.m.Most = "a", 100
			if c.tell == nil {
				c.tell = func(*told) {}
			}
			log, _, err := run(t, c.m, nil, c.tell, c.drive)
			assert.Equal(t, c.want, log)
			if c.err == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.err)
			}
		})
	}
}

// A workflow that continues as new leaves the next one what it knows.
func TestContinueAsNew(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tell  func(*told)
		most  int
		last  follows // of the third drive
		woken bool
		in    time.Duration
	}{
		"a time":         {most: 3, last: follows{In: week}, in: week},
		"at once":        {most: 3, last: follows{Again: true}, woken: true},
		"nothing":        {most: 3},
		"a wake":         {most: 3, last: follows{In: week}, in: week, woken: true, tell: func(w *told) { w.at(150*time.Second, w.wake) }},
		"wanted":         {most: 100, tell: func(w *told) { w.at(0, func() { w.SetContinueAsNewSuggested(true) }) }},
		"long histories": {most: 3, tell: func(w *told) { w.at(0, func() { w.SetContinueAsNewSuggested(true) }) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var w *told
			_, left, err := run(t, memory{Run: "a", Most: c.most, Woken: true}, nil, func(told *told) {
				if w = told; c.tell != nil {
					c.tell(told)
				}
			}, func(n int) (follows, error) {
				if n == 3 {
					return c.last, nil
				}
				return follows{Again: true}, nil
			})
			require.True(t, workflow.IsContinueAsNewError(err), "%v", err)
			if name == "wanted" || name == "long histories" {
				assert.Equal(t, memory{Run: "a", Most: c.most, Woken: true}, left) // after its first drive
				return
			}
			want := memory{Run: "a", Most: c.most, Woken: c.woken}
			if c.in > 0 {
				want.At = left.At
				assert.WithinDuration(t, w.began.Add(3*time.Minute+c.in), left.At, time.Second)
			}
			assert.Equal(t, want, left)
		})
	}
}

// Who was woken around a cancellation gets a workflow that was not cancelled. That a workflow waits for the end of its
// drive is left to tests with a server: the SDK's test suite does not know WaitForCancellation.
func TestCancelledWhileItDrives(t *testing.T) {
	t.Parallel()
	for _, woken := range []bool{false, true} {
		t.Run(fmt.Sprint(woken), func(t *testing.T) {
			t.Parallel()
			log, left, err := run(t, memory{Run: "a", Most: 100, Woken: true}, nil, func(w *told) {
				w.at(30*time.Second, func() {
					w.CancelWorkflow()
					if woken {
						w.wake()
					}
				})
			}, func(int) (follows, error) { return follows{In: week}, nil })
			if woken {
				require.True(t, workflow.IsContinueAsNewError(err), "%v", err)
				assert.Equal(t, memory{Run: "a", Most: 100, Woken: true, At: left.At}, left)
				assert.Equal(t, []string{"30s wake"}, log)
				return
			}
			require.True(t, temporal.IsCanceledError(err), "%v", err)
			assert.Empty(t, log)
		})
	}
}

// asked is an update under way.
type asked struct {
	given any
	err   error
	over  bool
}

func (a *asked) Accept()          {}
func (a *asked) Reject(err error) { a.err, a.over = err, true }
func (a *asked) Complete(given any, err error) {
	a.given, a.err, a.over = given, err, true
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	away := errors.New("the database is away")
	for name, c := range map[string]struct {
		answer func(context.Context, string, string, people.Answer) (bool, error)
		given  any
		err    string
	}{
		"none":      {err: "Options.Answer is nil"},
		"given":     {answer: func(context.Context, string, string, people.Answer) (bool, error) { return true, nil }, given: true},
		"too late":  {answer: func(context.Context, string, string, people.Answer) (bool, error) { return false, nil }, given: false},
		"no answer": {answer: func(context.Context, string, string, people.Answer) (bool, error) { return false, away }, err: "the database is away"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var took []string
			opts := &Options{}
			if c.answer != nil {
				opts.Answer = func(ctx context.Context, run, question string, answer people.Answer) (bool, error) {
					took = append(took, fmt.Sprint(run, question, answer))
					return c.answer(ctx, run, question, answer)
				}
			}
			first, last := &asked{}, &asked{}
			_, _, err := run(t, memory{Run: "a", Most: 1, Woken: true}, opts, func(w *told) {
				w.at(time.Second, func() { w.UpdateWorkflow(Update, "1", first, "q", people.Answer{Text: "7"}) })
				w.at(time.Minute, func() { w.UpdateWorkflow(Update, "2", last, "q", people.Answer{Text: "7"}) })
			}, func(int) (follows, error) { return follows{}, nil })
			require.True(t, workflow.IsContinueAsNewError(err), "%v", err)
			for _, a := range []*asked{first, last} {
				assert.True(t, a.over, "the workflow is over before it has said so")
				if c.err != "" {
					require.ErrorContains(t, a.err, c.err)
					continue
				}
				require.NoError(t, a.err)
				assert.Equal(t, c.given, a.given)
			}
			if c.answer != nil {
				assert.Equal(t, []string{"aq{7 false }", "aq{7 false }"}, took)
			}
		})
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	_, err := New(nil, nil)
	require.ErrorIs(t, err, errNoClient)
	e, err := New(idle{}, nil)
	require.NoError(t, err)
	assert.Equal(t, "agentfsm", e.opts.TaskQueue)
	assert.Equal(t, 2*time.Second, e.opts.Worker.MaxHeartbeatThrottleInterval)
	assert.Equal(t, 32, e.opts.Worker.MaxConcurrentActivityExecutionSize)
	assert.Equal(t, "agentfsm/a b", WorkflowID("a b"))
	assert.Equal(t, "agentfsm/%C3%A4/%25C3%25A4~", WorkflowID("ä/%C3%A4~"))
}
