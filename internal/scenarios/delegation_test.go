package scenarios_test

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// What failed once is not kept: the next round asks the factory again.
func TestScenario15_FactoryFailsOnce(t *testing.T) {
	s := onStage(t, assign("0", "work"), assign("0", "work"), finish("r1"), finish("done"))
	calls := 0
	s.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
		if calls++; calls == 1 {
			return nil, nil
		}
		return appagent.New(app)
	}
	session := s.session()
	res, err := session.Run(t.Context(), "work")
	require.ErrorContains(t, err, "the agent of word/report: hostagent: Config.NewApp returned no agent")
	require.ErrorIs(t, err, round.ErrFault)
	assert.Equal(t, []string{"HostAgent:CONTINUE", "HostAgent:ASSIGN", "HostAgent:ERROR"}, s.positions())
	require.Empty(t, res.Subtasks)
	assert.Nil(t, s.Host.App("word/report"))
	res, err = session.Run(t.Context(), "work again")
	require.NoError(t, err)
	assert.Equal(t, "done", res.Answer)
	assert.Equal(t, 2, calls)
}

// A host may work for another one, in an application of its own or for a task that has
// none. Both may need the same application: their agents have names that differ, because
// those of a named host begin with its name. The class: who has a name in one round.
func TestAHostUnderAHost(t *testing.T) {
	for name, named := range map[string]string{"named after the application": "", "a name of its own": "Team"} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t,
				assign("0", "read the report"), finish("read"), // by Word's agent
				assign("1", "make the book"), // by a host of its own
				assign("0", "read it again"), finish("read again"), finish("made"),
				assign("0", "close the report"), finish("closed"), // by Word's first agent
				finish("done"))
			s.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
				if app.Window.Root != "excel" {
					return appagent.New(app)
				}
				inner := s.Config
				inner.NewApp, inner.Name, inner.Board = nil, named, app.Board
				if named == "" {
					inner.Name = strings.TrimPrefix(app.Name, "AppAgent/")
				}
				return hostagent.New(inner)
			}
			res, err := s.run("report and book")
			require.NoError(t, err)
			assert.Equal(t, "done", res.Answer)
			at := map[string]int{}
			for _, step := range s.Steps {
				at[step.Agent]++
			}
			host := named
			if host == "" {
				host = "excel/book"
			}
			assert.Equal(t, []string{"AppAgent/" + host + "/word/report", "AppAgent/word/report", "HostAgent", host}, slices.Sorted(maps.Keys(at)))
		})
	}
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
				s := onStage(t)
				s.Desktop.Add(&desktoptest.App{Root: "paint", LaunchDelay: 1000 * time.Hour})
				s.Config.Apps = []hostagent.Program{{Name: "paint"}}
				s.Config.Model = &always{takes: time.Minute, reply: `{"Status":"ASSIGN","ControlLabel":"2","CurrentSubTask":"draw"}`}
				s.Config.LaunchTimeout = c.timeout
				s.Desktop.Before(desktop.GetDesktopAppInfo, func(desktoptest.Call) { time.Sleep(c.listing) })

				res, err := s.run("draw something")

				reached(t, res, err, "MaxRepeats", "10", "10")
				assert.Len(t, s.Desktop.Calls(desktop.LaunchApplication), 10)
			})
		})
	}
}

// A round inside a Handle announces its secrets to the round around it, which
// records the same commands.
func TestSecretsOfARoundInsideARound(t *testing.T) {
	s := onStage(t)
	s.Desktop.AddTools(desktoptest.Tool{Name: "login", Schema: loginSchema})
	model := llmtest.Script(t, call(fsm.Continue, "login", map[string]any{"user": "bob", "password": longSecret}), finish("in"))
	inner, err := appagent.New(appagent.Config{Name: "Inner", Desktop: s.Desktop, Model: model})
	require.NoError(t, err)
	var out bytes.Buffer
	s.Options.Observe = round.JSONL(&out)
	outer := &walker{end: 1, does: func(ctx context.Context) error {
		r, err := round.New(inner, "log in", nil)
		if err != nil {
			return err
		}
		_, err = r.Run(ctx)
		return err
	}}
	_, err = s.drive(outer, "go").Run(t.Context())
	require.NoError(t, err)
	assert.Contains(t, out.String(), "login")
	assert.NotContains(t, out.String(), longSecret)
}

// A worker whose FINISH names another agent in its place does not speak for it.
func TestTheOutcomeIsThatOfWhoComesBack(t *testing.T) {
	s := onStage(t, assign("0", "x"), finish("done"))
	var log []string
	second := &runner{name: "second", log: &log}
	second.states = runners(t, "Second", []*leg{
		{name: fsm.Continue, to: fsm.To[*runner](fsm.Fail)},
		{name: fsm.Fail, ends: true, to: fsm.To[*runner]("")},
	},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.BySystem},
	)
	first := &runner{name: "first", log: &log, give: second}
	first.states = runners(t, "First", []*leg{
		{name: fsm.Continue, to: fsm.To[*runner](fsm.Finish)},
		{name: fsm.Finish, ends: true, pass: true, to: fsm.To[*runner](fsm.Continue)},
	},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
		fsm.Edge{From: fsm.Finish, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
	)
	s.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return first, nil }
	res, err := s.run("go")
	require.NoError(t, err)
	require.Len(t, res.Subtasks, 1)
	assert.Equal(t, "FAIL", res.Subtasks[0].Status)
}
