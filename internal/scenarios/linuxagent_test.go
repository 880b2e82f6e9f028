package scenarios_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// shell is a status that no built-in kind has.
const shell fsm.Status = "SHELL"

// linuxAgent is a kind that the module knows nothing of: its own type, table,
// decision and states. It has neither Data nor Board nor Save.
type linuxAgent struct {
	fsm.Position
	name    string
	states  fsm.Set
	model   llm.Model
	desktop desktop.Desktop

	tasks   []fsm.Task // all that it was given
	command string
	output  string
	answer  string
}

func newLinuxAgent(name string, m llm.Model, d desktop.Desktop) *linuxAgent {
	return &linuxAgent{name: name, states: linuxStates, model: m, desktop: d}
}

func (l *linuxAgent) Name() string    { return l.name }
func (l *linuxAgent) States() fsm.Set { return l.states }
func (l *linuxAgent) Answer() string  { return l.answer }

func (l *linuxAgent) Begin(_ context.Context, task fsm.Task) error {
	l.tasks = append(l.tasks, task)
	l.command, l.output, l.answer = "", "", ""
	return nil
}

var linuxStates = fsm.Table("LinuxAgent", []fsm.Row[*linuxAgent]{
	{Status: fsm.Continue, Handle: (*linuxAgent).think},
	{Status: shell, Handle: (*linuxAgent).run, NextState: fsm.To[*linuxAgent](fsm.Continue)},
	{Status: fsm.Finish, RoundEnd: true, SubtaskEnd: true},
	{Status: fsm.Fail, RoundEnd: true, SubtaskEnd: true},
	{Status: fsm.Error, RoundEnd: true, SubtaskEnd: true},
},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: shell, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel},
	fsm.Edge{From: shell, To: fsm.Continue, By: fsm.BySystem},
)

type linuxDecision struct {
	Status  fsm.Status `json:"Status"`
	Command string     `json:"Command,omitempty"`
	Answer  string     `json:"Answer,omitempty"`
}

func (l *linuxAgent) think(ctx context.Context) error {
	text, err := llm.Prompt(
		llm.Section{Name: "subtask", Value: l.tasks[len(l.tasks)-1].Text},
		llm.Section{Name: "output", Value: l.output},
	)
	if err != nil {
		return err
	}
	d, err := deciding.Ask(ctx, deciding.Inquiry[linuxDecision]{
		Model:    l.model,
		Messages: []llm.Message{llm.Text(llm.User, text)},
		Allowed:  l.states.Bind(l.Status()).Targets(fsm.ByModel),
	})
	if err != nil {
		return err
	}
	l.command = d.Command
	if d.Status == fsm.Finish {
		l.answer = d.Answer
	}
	l.Decide(d.Status, fsm.ByModel, d.Answer)
	return nil
}

func (l *linuxAgent) run(ctx context.Context) error {
	res, err := commands.Do(ctx, l.desktop, desktop.Shell(l.command))
	if err != nil {
		return err
	}
	l.output = strings.TrimSpace(res.Text())
	l.Decide(fsm.Continue, fsm.BySystem, "ran")
	return nil
}

func TestScenario06_ForeignKindAlone(t *testing.T) {
	var linux *linuxAgent
	s, c := converse(t, "linux_alone", func(s *stage) fsm.Worker {
		s.Desktop.On(desktop.RunShell, uname)
		linux = newLinuxAgent("Linux", s.Model, s.Desktop)
		return linux
	})
	require.NoError(t, c.errs[0])
	require.ErrorIs(t, c.errs[1], round.ErrFailed)
	assert.Equal(t, []fsm.Task{{Text: "which system is this"}, {Text: "and again"}}, linux.tasks)
	assert.Len(t, s.Desktop.Calls(desktop.RunShell), 1)
}

func uname(_ context.Context, c desktoptest.Call) (any, error) {
	if fmt.Sprint(c.Params["bash_command"]) != "uname" {
		return nil, assert.AnError
	}
	return "Linux\n", nil
}

func TestScenario06_ForeignKindUnderAssign(t *testing.T) {
	var linux *linuxAgent
	made := map[string]int{}
	s, c := converse(t, "linux_assigned", func(s *stage) fsm.Worker {
		s.Desktop.Add(&desktoptest.App{Root: "terminal", Process: "tty1", Title: "Terminal", Running: true})
		s.Desktop.On(desktop.RunShell, uname)
		s.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
			made[strings.TrimPrefix(app.Name, "AppAgent/")]++
			if app.Window.Root == "terminal" {
				linux = newLinuxAgent("Linux", app.Model, app.Desktop)
				return linux, nil
			}
			return appagent.New(app)
		}
		return nil
	})
	require.NoError(t, c.errs[0])
	assert.Equal(t, map[string]int{"terminal/tty1": 1, "word/report": 1}, made)
	assert.Same(t, linux, s.Host.App("terminal/tty1"))
	assert.Equal(t, []fsm.Task{
		{ID: "subtask_1", Text: "which system", Message: "ask uname", From: s.Host},
		{ID: "subtask_3", Text: "turn it off", From: s.Host},
	}, linux.tasks)
	subtasks := c.results[0].Subtasks
	require.Len(t, subtasks, 3)
	assert.JSONEq(t, `"Linux"`, string(subtasks[0].Result), "without a method Data the answer is the result")
}
