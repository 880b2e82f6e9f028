package hostagent_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// bench is a host with a scripted model on a desktop where Word runs and
// Excel can be launched.
type bench struct {
	t       *testing.T
	Word    *desktoptest.App
	Excel   *desktoptest.App
	Desktop *desktoptest.Desktop
	Model   *llmtest.Model
	Config  hostagent.Config
	Steps   []round.Step
}

func newBench(t *testing.T, replies ...any) *bench {
	t.Helper()
	b := &bench{
		t:     t,
		Word:  &desktoptest.App{Root: "word", Process: "report", Title: "report.docx - Word", Running: true},
		Excel: &desktoptest.App{Root: "excel", Process: "book", Title: "Book1 - Excel"},
	}
	b.Desktop = desktoptest.New(t, b.Word, b.Excel)
	b.Model = llmtest.Script(t, replies...)
	b.Config = hostagent.Config{
		Config: appagent.Config{
			Model: b.Model, Desktop: b.Desktop,
		},
		Apps: []hostagent.Program{{Name: "excel"}},
	}
	return b
}

func (b *bench) host() *hostagent.Agent {
	b.t.Helper()
	host, err := hostagent.New(b.Config)
	require.NoError(b.t, err)
	return host
}

// session is of a new host. It keeps the steps.
func (b *bench) session() (*hostagent.Agent, *round.Session) {
	b.t.Helper()
	host := b.host()
	s, err := round.NewSession(host, &round.Options{Observe: func(s round.Step) { b.Steps = append(b.Steps, s) }})
	require.NoError(b.t, err)
	return host, s
}

func (b *bench) run() (round.Result, error) {
	b.t.Helper()
	_, s := b.session()
	return s.Run(b.t.Context(), "do it")
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

// lastError is the section last_error of the second request.
func (b *bench) lastError() string {
	b.t.Helper()
	return section[string](b, 1, "last_error")
}

// step takes one step by hand, as a Round does, and returns who is next.
func step(ctx context.Context, t *testing.T, agent fsm.Agent) fsm.Agent {
	t.Helper()
	if agent.Status() == "" {
		start, _ := fsm.Start(agent.States())
		agent.SetStatus(start)
	}
	state := agent.States().Bind(agent.Status())
	require.NoError(t, state.Handle(ctx, agent))
	to, _, _, err := state.Next(agent)
	require.NoError(t, err)
	_, _, next, err := state.Next(agent)
	require.NoError(t, err)
	next.SetStatus(to)
	return next
}

type m = map[string]any

func say(s fsm.Status) m {
	d := m{"Status": s}
	if s == fsm.Finish {
		d["Comment"] = "done" // else it is fed back
	}
	return d
}

func assign(label, subtask string) m {
	return m{"Status": hostagent.Assign, "ControlLabel": label, "CurrentSubTask": subtask}
}

func call(function string, args m) m {
	return m{"Status": "CONTINUE", "Function": function, "Args": args}
}

func answering(text string, approved bool) people.User {
	return people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{Text: text, Approved: approved}, nil
	})
}
