package scenarios_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

var errGoHome = errors.New("it is late")

// cancelled checks a round that was cancelled at a position.
func cancelled(t *testing.T, res round.Result, err error, agent string, status fsm.Status) {
	t.Helper()
	require.ErrorIs(t, err, round.ErrCancelled)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, errGoHome, "the cause is found")
	assert.Contains(t, err.Error(), errGoHome.Error())
	assert.Equal(t, round.Cancelled, res.Outcome)
	assert.Equal(t, agent, res.Agent)
	assert.Equal(t, status, res.Status, "neither FINISH nor FAIL: the position stays")
	assert.Empty(t, res.Answer)
	assert.Equal(t, err, res.Err)
}

var nobodyAnswers = people.UserFunc(func(ctx context.Context, _ people.Question) (people.Answer, error) {
	<-ctx.Done()
	return people.Answer{}, ctx.Err()
})

// longest is longer than whatever waits by default.
const longest = 5 * time.Minute

// late cancels when the bubble has waited for longer than any default.
func late(t *testing.T) (ctx context.Context, start time.Time) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	timer := time.AfterFunc(longest, func() { cancel(errGoHome) })
	t.Cleanup(func() { timer.Stop(); cancel(nil) })
	return ctx, time.Now()
}

// A cancellation ends what is under way, and so does MaxDuration.
func TestScenario32_CancelDuringWork(t *testing.T) {
	const word, host, hang = "AppAgent/word/report", "HostAgent", "a reply that never comes"
	slow := func(tool string) func(*stage) { return func(s *stage) { s.Desktop.Slow(tool, -1) } }
	press := map[string]any{"Function": desktop.KeyboardInput, "Args": map[string]any{"keys": "x"}}
	for name, c := range map[string]struct {
		script  []any
		broken  func(s *stage)
		agent   string
		status  fsm.Status
		calls   int // that were made
		usage   int // of those that came back
		moved   int
		actions int
	}{
		"model call of the host": {[]any{hang}, nil, host, fsm.Continue, 1, 0, 0, 0},
		"model call of an app":   {[]any{assign("0", "go"), hang}, nil, word, fsm.Continue, 2, 15, 2, 1},
		"asking again":           {[]any{"no JSON", hang}, nil, host, fsm.Continue, 2, 15, 0, 0},
		"looking":                {nil, slow(desktop.CaptureDesktopScreenshot), host, fsm.Continue, 0, 0, 0, 0},
		"looking at a window":    {[]any{assign("0", "go")}, slow(desktop.GetUITree), word, fsm.Continue, 1, 15, 2, 1},
		"a command that would have finished": {
			[]any{assign("0", "go"), call("FINISH", desktop.KeyboardInput, map[string]any{"keys": "x"})}, slow(desktop.KeyboardInput),
			word, fsm.Continue, 2, 30, 2, 2,
		},
		"a command of a list": {
			[]any{assign("0", "go"), map[string]any{"Status": "FINISH", "Actions": []any{press, press}}}, slow(desktop.KeyboardInput),
			word, fsm.Continue, 2, 30, 2, 2,
		},
		"selecting the application": {[]any{assign("0", "go")}, slow(desktop.SelectApplicationWindow), host, fsm.Continue, 1, 15, 0, 1},
		"waiting for a window": {[]any{assign("2", "go")}, func(s *stage) {
			s.Desktop.Add(&desktoptest.App{Root: "paint", LaunchDelay: -1})
			s.Config.Apps, s.Config.LaunchTimeout = []hostagent.Program{{Name: "paint"}}, -1
		}, host, fsm.Continue, 1, 15, 0, 1},
		"a person": {[]any{map[string]any{"Status": "PENDING", "Questions": []string{"Which?"}}}, func(s *stage) {
			s.Config.User, s.Config.AskTimeout = nobodyAnswers, -1
		}, host, fsm.Pending, 1, 15, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				set := func() *stage {
					var script []any
					for _, reply := range c.script {
						if reply == any(hang) {
							reply = llmtest.Reply{Wait: make(chan struct{}), JSON: finish("no")} // a channel of this bubble
						}
						script = append(script, reply)
					}
					s := onStage(t, script...)
					if c.broken != nil {
						c.broken(s)
					}
					s.Config.Desktop = desktop.Timeout(s.Config.Desktop, -1) // nothing else ends what hangs
					return s
				}
				s := set()
				ctx, start := late(t)
				r := s.round("hang")
				res, err := r.Run(ctx)
				cancelled(t, res, err, c.agent, c.status)
				assert.Equal(t, longest, time.Since(start), "promptly")
				assert.Equal(t, c.calls, res.Calls)
				assert.Equal(t, c.usage, res.Usage.Total(), "what came back counts")
				assert.Equal(t, c.moved, res.Transitions)
				assert.Len(t, s.Steps, c.moved)
				assert.Len(t, s.Desktop.Actions(), c.actions, "nothing is executed after it")
				for _, subtask := range res.Subtasks {
					assert.Empty(t, subtask.Status, "it goes on later")
				}
				timed := set()
				timed.Options.MaxDuration = longest
				tooLong, tooLongErr := timed.round("hang").Run(t.Context())
				require.ErrorIs(t, tooLongErr, round.ErrBudget)
				require.ErrorContains(t, tooLongErr, "MaxDuration of 5m0s reached")
				assert.Equal(t, c.status, tooLong.Status)

				// Under a context that is done nothing happens at all.
				before := len(s.Desktop.Log())
				again, err := r.Run(ctx)
				cancelled(t, again, err, c.agent, c.status)
				assert.Equal(t, res.Calls, again.Calls)
				assert.Len(t, s.Desktop.Log(), before)
			})
		})
	}
}
