package hostagent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
)

// oneWindow is a desktop with a window and nothing to do in it.
type oneWindow struct{}

func (oneWindow) Tools(context.Context) ([]desktop.Tool, error) {
	return []desktop.Tool{{Name: desktop.GetDesktopAppInfo, Annotations: desktop.Annotations{ReadOnlyHint: true}}}, nil
}

func (oneWindow) Execute(context.Context, desktop.Command) (desktop.Result, error) {
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: json.RawMessage(`[{"id":"1","root":"word","process":"report"}]`)}}}, nil
}

// BenchmarkSubtasks is what a step of the host costs that many sub-tasks were closed
// before: in this round, and in the rounds of its session before it. A sub-task is the
// host's two steps and one of its agent, each with what it saves.
func BenchmarkSubtasks(b *testing.B) {
	for _, before := range []int{10, 100, 500} {
		for _, same := range []bool{true, false} {
			name := fmt.Sprintf("%d in this round", before)
			if !same {
				name = fmt.Sprintf("%d in rounds before", before)
			}
			b.Run(name, func(b *testing.B) { benchmarkSubtasks(b, before, same) })
		}
	}
}

func benchmarkSubtasks(b *testing.B, before int, same bool) {
	asked, host := 0, (*hostagent.Agent)(nil)
	model := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		asked = 0
		for _, m := range req.Messages {
			for _, p := range m.Parts {
				asked += len(p.Text)
			}
		}
		if _, host := llm.FindSection(req, "windows"); host {
			return &llm.Response{Text: `{"Status":"ASSIGN","ControlLabel":"0","CurrentSubTask":"x"}`}, nil
		}
		return &llm.Response{Text: `{"Status":"FINISH","Result":"a result"}`}, nil
	})
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: oneWindow{}, NoImages: true}})
	require.NoError(b, err)
	host.Board().Inside().LogOps()
	begin := func() { require.NoError(b, host.Begin(b.Context(), fsm.Task{Text: "go on"})) }
	prompt := 0
	handle := func(agent fsm.Agent, status fsm.Status) (size float64) {
		agent.SetStatus(status)
		if err := agent.States().Bind(status).Handle(b.Context(), agent); err != nil {
			b.Fatal(err)
		}
		if agent == fsm.Agent(host) && status == fsm.Continue {
			prompt = asked
		}
		if _, err := host.Save(); err != nil {
			b.Fatal(err)
		}
		ops, err := host.Board().Inside().TakeOps()
		if err != nil {
			b.Fatal(err)
		}
		shared, err := json.Marshal(ops)
		if err != nil {
			b.Fatal(err)
		}
		return float64(len(shared))
	}
	subtask := func() float64 {
		size := handle(host, fsm.Continue) + handle(host, hostagent.Assign)
		app := host.App("word/report")
		size += handle(app, fsm.Continue)
		app.SetStatus(fsm.Finish)
		return size
	}
	begin()
	for i := range before {
		subtask()
		if !same && i%10 == 9 {
			host.SetStatus(fsm.Continue)
			require.NoError(b, host.CloseSubtasks(fsm.Fail, ""))
			begin()
		}
	}
	b.ReportAllocs()
	size, n := 0.0, 0
	for b.Loop() {
		if !same && n%10 == 9 {
			require.NoError(b, host.CloseSubtasks(fsm.Fail, ""))
			begin()
		}
		size += subtask()
		n++
	}
	b.ReportMetric(size/float64(n), "board-bytes/subtask")
	b.ReportMetric(float64(prompt), "bytes/prompt")
}
