package scenarios_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/hostagent"
)

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
				assert.Len(t, s.Desktop.Calls(desktop.LaunchApplication), 10)
			})
		})
	}
}
