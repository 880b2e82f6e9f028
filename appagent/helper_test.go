package appagent_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// bench is an agent with a scripted model in a window of Word; another window
// has the focus.
type bench struct {
	t       *testing.T
	Other   *desktoptest.App
	Word    *desktoptest.App
	Desktop *desktoptest.Desktop
	Model   *llmtest.Model
	Config  appagent.Config
	Steps   []round.Step
}

func newBench(t *testing.T, replies ...any) *bench {
	t.Helper()
	b := &bench{
		t:     t,
		Other: &desktoptest.App{Root: "excel", Process: "book", Title: "Book1 - Excel", Running: true},
		Word: &desktoptest.App{
			Root: "word", Process: "report", Title: "report.docx - Word", Running: true,
			Controls: []desktop.Control{
				{ID: "1", Name: "Save", Type: "Button"},
				{ID: "2", Name: "Body", Type: "Pane", Children: []desktop.Control{{ID: "3", Name: "Title", Type: "Edit", Value: "Sales"}}},
			},
		},
	}
	b.Desktop = desktoptest.New(t, b.Other, b.Word)
	b.Model = llmtest.Script(t, replies...)
	window, _ := b.Word.Window()
	b.Config = appagent.Config{Model: b.Model, Desktop: b.Desktop, Window: window}
	return b
}

func (b *bench) agent() *appagent.Agent {
	b.t.Helper()
	agent, err := appagent.New(b.Config)
	require.NoError(b.t, err)
	return agent
}

// drive runs a round of an agent and keeps the steps.
func (b *bench) drive(agent *appagent.Agent, task string) (round.Result, error) {
	b.t.Helper()
	r, err := round.New(agent, task, &round.Options{Observe: func(s round.Step) { b.Steps = append(b.Steps, s) }})
	require.NoError(b.t, err)
	return r.Run(b.t.Context())
}

func (b *bench) run() (round.Result, error) {
	b.t.Helper()
	return b.drive(b.agent(), "do it")
}

// finish runs a round that must end in FINISH.
func (b *bench) finish() round.Result {
	b.t.Helper()
	res, err := b.run()
	require.NoError(b.t, err)
	return res
}

// section decodes a section of the i-th request.
func section[T any](b *bench, i int, name string) T {
	b.t.Helper()
	return llmtest.Section[T](b.t, b.Model.Requests()[i], name)
}

func (b *bench) has(i int, name string) bool {
	_, ok := llm.FindSection(b.Model.Requests()[i], name)
	return ok
}

// lastError is the section last_error of the second request.
func (b *bench) lastError() string {
	b.t.Helper()
	return section[string](b, 1, "last_error")
}

// stepOf takes one step by hand, as a Round does.
func stepOf(t *testing.T, agent *appagent.Agent) {
	t.Helper()
	state := agent.States().Bind(agent.Status())
	require.NoError(t, state.Handle(t.Context(), agent))
	to, _, _, err := state.Next(agent)
	require.NoError(t, err)
	require.True(t, state.Permits(to, "", 0), "%s to %s", agent.Status(), to)
	agent.SetStatus(to)
}

type m = map[string]any

func say(s fsm.Status) m {
	d := m{"Status": s}
	if s == fsm.Finish {
		d["Comment"] = "done" // else it is fed back
	}
	return d
}

func call(s fsm.Status, function string, args m) m {
	return m{"Status": s, "Function": function, "Args": args}
}

func answering(text string, approved bool) people.User {
	return people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{Text: text, Approved: approved}, nil
	})
}
