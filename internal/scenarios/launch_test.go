package scenarios_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

// entry is one of the section windows.
type entry struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Root    string `json:"root"`
	Process string `json:"process"`
	Running bool   `json:"running"`
}

// paintStage has a program that is known and does not run, as entry 2.
func paintStage(t *testing.T, delay time.Duration, replies ...any) (*stage, *desktoptest.App, *factory) {
	t.Helper()
	s := onStage(t, replies...)
	paint := &desktoptest.App{
		Root: "paint", Process: "canvas", Title: "Untitled - Paint",
		Command: []string{"paint", "--new"}, LaunchDelay: delay,
	}
	s.Desktop.Add(paint)
	s.Config.Apps = []hostagent.Program{
		{Name: "word"}, {Name: "paint", Command: []string{"paint", "--new"}, Docs: "how to paint"},
	}
	return s, paint, counted(s)
}

// actions are the tools that acted in a step.
func actions(list []round.Command) []string {
	var tools []string
	for _, c := range list {
		if c.Command.ToolType != desktop.DataCollection {
			tools = append(tools, c.Command.ToolName)
		}
	}
	return tools
}

func TestScenario18_LaunchedThenAssigned(t *testing.T) {
	for name, c := range map[string]struct {
		delay, timeout time.Duration
	}{
		"at once":                 {0, 0},
		"within the 30 s":         {29 * time.Second, 0},
		"within a longer time":    {50 * time.Second, time.Minute},
		"however long it takes":   {2 * time.Minute, -1},
		"within the shortest one": {time.Second, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, paint, f := paintStage(t, c.delay,
					assign("2", "draw"), call(fsm.Finish, desktop.Wait, map[string]any{"seconds": 0}), finish("drawn"))
				s.Config.LaunchTimeout = c.timeout
				start := time.Now()
				s.Desktop.Before(desktop.LaunchApplication, func(desktoptest.Call) {
					assert.Empty(t, f.made, "no agent before the application runs")
					assert.Empty(t, s.Host.Subtasks(), "and no sub-task")
				})
				s.Desktop.Before(desktop.Wait, func(call desktoptest.Call) {
					assert.Same(t, paint, call.App, "the agent works in the new window")
				})
				works := s.Config.NewApp
				s.Config.NewApp = func(ctx context.Context, app hostagent.App) (fsm.Worker, error) {
					w, shows := paint.Window()
					assert.True(t, shows, "registered only when its window is there")
					assert.Equal(t, w, app.Window)
					assert.Equal(t, "paint/canvas", app.Key)
					assert.Equal(t, "how to paint", app.Docs)
					assert.GreaterOrEqual(t, time.Since(start), c.delay)
					assert.Less(t, time.Since(start), c.delay+time.Second, "it is not waited for longer than needed")
					return works(ctx, app)
				}

				res, err := s.run("draw something")

				require.NoError(t, err)
				assert.Equal(t, []string{
					"HostAgent:CONTINUE", "HostAgent:ASSIGN", "AppAgent/paint/canvas:CONTINUE", "AppAgent/paint/canvas:FINISH",
					"HostAgent:CONTINUE", "HostAgent:FINISH",
				}, s.positions())
				assert.Equal(t, fsm.ByModel, s.Steps[0].By)
				assert.Equal(t, []string{"paint/canvas"}, f.keys())
				launches := s.Desktop.Calls(desktop.LaunchApplication)
				require.Len(t, launches, 1)
				assert.Equal(t, map[string]any{"name": "paint", "command": []any{"paint", "--new"}}, launches[0].Command.Parameters)
				assert.Zero(t, s.Desktop.Count(desktop.SelectApplicationWindow))
				assert.Equal(t, 1, s.Desktop.Count(desktop.Wait))
				assert.Equal(t, []string{desktop.LaunchApplication}, actions(s.Steps[0].Commands), "in the host's own step")
				require.Len(t, res.Subtasks, 1)
				assert.Equal(t, "paint", res.Subtasks[0].App)
				assert.Equal(t, "FINISH", res.Subtasks[0].Status)
				assert.Equal(t, []entry{
					{"0", "report.docx - Word", "word", "report", true}, {"1", "Book1 - Excel", "excel", "book", true},
					{"2", "paint", "paint", "", false},
				}, prompt[[]entry](s, 0, "windows"), "a program that runs is not listed a second time")
				assert.Equal(t, entry{"2", "Untitled - Paint", "paint", "canvas", true}, prompt[[]entry](s, 2, "windows")[2])
			})
		})
	}
}

// What is running after its launch is the same application the next time.
func TestScenario18_LaunchedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, f := paintStage(t, 5*time.Second,
			assign("2", "draw"), finish("r1"), assign("2", "draw more"), finish("r2"), finish("drawn"))
		_, err := s.run("draw something")
		require.NoError(t, err)
		assert.Equal(t, 1, s.Desktop.Count(desktop.LaunchApplication))
		assert.Equal(t, 1, s.Desktop.Count(desktop.SelectApplicationWindow))
		assert.Equal(t, []string{"paint/canvas"}, f.keys())
	})
}

func TestScenario18_NotUpInTime(t *testing.T) {
	for name, c := range map[string]struct {
		delay, timeout, waited time.Duration
		said                   string
	}{
		"never":                 {-1, 0, 30 * time.Second, "30s"},
		"a moment after 30 s":   {31 * time.Second, 0, 30 * time.Second, "30s"},
		"after the time it has": {3 * time.Second, 2 * time.Second, 2 * time.Second, "2s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _, f := paintStage(t, c.delay, assign("2", "draw"), assign("0", "write instead"), finish("r1"), finish("written"))
				s.Config.LaunchTimeout = c.timeout
				start := time.Now()

				res, err := s.run("draw something")

				require.NoError(t, err)
				assert.Equal(t, c.waited, time.Since(start))
				assert.Equal(t, []string{
					"HostAgent:CONTINUE", "HostAgent:CONTINUE", "HostAgent:ASSIGN",
					"AppAgent/word/report:CONTINUE", "AppAgent/word/report:FINISH", "HostAgent:CONTINUE", "HostAgent:FINISH",
				}, s.positions())
				assert.Equal(t, fsm.BySystem, s.Steps[0].By)
				assert.Contains(t, s.Steps[0].Reason, "paint")
				told := prompt[string](s, 1, "last_error")
				assert.Contains(t, told, "paint was launched")
				assert.Contains(t, told, c.said)
				assert.False(t, s.hasSection(3, "last_error"))
				assert.Equal(t, 1, s.Desktop.Count(desktop.LaunchApplication))
				assert.Equal(t, []string{"word/report"}, f.keys(), "nobody was made for what did not come up")
				require.Len(t, res.Subtasks, 1, "and no sub-task opened")
				assert.Equal(t, "word", res.Subtasks[0].App)
			})
		})
	}
}

func TestScenario18_LaunchRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, f := paintStage(t, 0, assign("2", "draw"), finish("gave up"))
		s.Desktop.Fail(desktop.LaunchApplication, "not installed")
		res, err := s.run("draw something")
		require.NoError(t, err)
		assert.Equal(t, []string{"HostAgent:CONTINUE", "HostAgent:CONTINUE", "HostAgent:FINISH"}, s.positions())
		assert.Equal(t, fsm.BySystem, s.Steps[0].By)
		assert.Contains(t, prompt[string](s, 1, "last_error"), "not installed")
		assert.Empty(t, f.keys())
		assert.Empty(t, res.Subtasks)
		_, assigned, err := blackboard.CurrentSubtask.Get(s.Host.Board())
		require.NoError(t, err)
		assert.False(t, assigned)
	})
}

// Only a program that Config.Apps lists can be launched by choosing it.
func TestScenario18_UnlistedIsNotLaunched(t *testing.T) {
	s, _, f := paintStage(t, 0, assign("2", "draw"), map[string]any{"Status": "ASSIGN", "ControlText": "paint", "CurrentSubTask": "draw"}, finish("gave up"))
	s.Config.Apps = nil
	_, err := s.run("draw something")
	require.NoError(t, err)
	assert.Zero(t, s.Desktop.Count(desktop.LaunchApplication))
	assert.Empty(t, f.keys())
	assert.Len(t, prompt[[]entry](s, 2, "windows"), 2)
}

// A program that never shows a window is launched as often as any other act may be
// repeated, however often its windows were listed meanwhile.
func TestScenario33_LaunchesAreRepeats(t *testing.T) {
	for name, c := range map[string]struct {
		timeout, listing time.Duration
	}{
		"the default":               {0, 0},
		"one look":                  {100 * time.Millisecond, 0},
		"a look at the last moment": {time.Second, 0},
		"slow looks":                {time.Second, 130 * time.Millisecond},
		"a look that is broken off": {time.Second, 300 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _, _ := paintStage(t, 1000*time.Hour)
				s.Config.Model = &chatter{reply: `{"Status":"ASSIGN","ControlLabel":"2","CurrentSubTask":"draw"}`}
				s.Config.LaunchTimeout = c.timeout
				s.Desktop.Before(desktop.GetDesktopAppInfo, func(desktoptest.Call) { time.Sleep(c.listing) })

				res, err := s.run("draw something")

				reached(t, res, err, "MaxRepeats", "10", "10")
				assert.Equal(t, 10, s.Desktop.Count(desktop.LaunchApplication))
			})
		})
	}
}
