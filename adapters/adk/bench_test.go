package adk_test

import (
	"context"
	"iter"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// loopSteps is how many model calls a run of the benchmark has. All but the last
// call a tool.
const loopSteps = 100

// What an agent adds to its model and its tool: a run of 100 steps, each one call
// of a model that costs nothing and one of a tool that does nothing. Both sides make
// their agent anew for each run.
func BenchmarkLoop(b *testing.B) {
	b.Run("adk", func(b *testing.B) { perStep(b, adkLoop) })
	b.Run("agentfsm", func(b *testing.B) { perStep(b, agentfsmLoop) })
}

// perStep reports what a step takes and allocates, in whichever goroutine.
func perStep(b *testing.B, run func(b *testing.B)) {
	b.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		run(b)
	}
	runtime.ReadMemStats(&after)
	steps := float64(b.N * loopSteps)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/steps, "ns/step")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/steps, "B/step")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/steps, "allocs/step")
	b.ReportMetric(0, "ns/op") // of a whole run: it says nothing
}

type noopArguments struct {
	N int `json:"n"`
}

// adkLoop is an llmagent with a tool, run by a Runner that keeps its session in
// memory.
func adkLoop(b *testing.B) {
	calls := 0
	noop, err := functiontool.New(functiontool.Config{Name: "noop", Description: "does nothing"},
		func(agent.Context, noopArguments) (map[string]any, error) {
			calls++
			return map[string]any{"result": "ok"}, nil
		})
	require.NoError(b, err)
	thinker := &looper{}
	a, err := llmagent.New(llmagent.Config{Name: "looper", Model: thinker, Tools: []tool.Tool{noop}})
	require.NoError(b, err)
	r, err := runner.NewInMemory("bench", a)
	require.NoError(b, err)
	var said string
	for event, err := range r.Run(b.Context(), "user", "session", genai.NewContentFromText("do nothing", genai.RoleUser), agent.RunConfig{}) {
		require.NoError(b, err)
		said = event.Content.Parts[0].Text
	}
	require.Equal(b, "done", said)
	require.Equal(b, loopSteps, thinker.calls)
	require.Equal(b, loopSteps-1, calls)
}

// looper is a model that calls the tool until it says done.
type looper struct{ calls int }

func (*looper) Name() string { return "looper" }

func (l *looper) GenerateContent(context.Context, *model.LLMRequest, bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		part := genai.NewPartFromFunctionCall("noop", map[string]any{"n": 1})
		if l.calls++; l.calls == loopSteps {
			part = genai.NewPartFromText("done")
		}
		yield(&model.LLMResponse{
			Content:      &genai.Content{Role: genai.RoleModel, Parts: []*genai.Part{part}},
			FinishReason: genai.FinishReasonStop,
		}, nil)
	}
}

// agentfsmLoop is an AppAgent with a tool, run by a Round.
func agentfsmLoop(b *testing.B) {
	calls, thoughts := 0, 0
	tools, err := desktop.New(desktop.Func("noop", "does nothing", func(context.Context, noopArguments) (string, error) {
		calls++
		return "ok", nil
	}, nil))
	require.NoError(b, err)
	thinker := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		if thoughts++; thoughts == loopSteps {
			return &llm.Response{Text: `{"Status": "FINISH", "Result": "done"}`}, nil
		}
		return &llm.Response{Text: `{"Status": "CONTINUE", "Function": "noop", "Args": {"n": 1}}`}, nil
	})
	agent, err := appagent.New(appagent.Config{Model: thinker, Desktop: tools})
	require.NoError(b, err)
	r, err := round.New(agent, "do nothing", &round.Options{MaxSteps: -1, MaxTransitions: -1, MaxRepeats: -1})
	require.NoError(b, err)
	res, err := r.Run(b.Context())
	require.NoError(b, err)
	require.Equal(b, "done", res.Answer)
	require.Equal(b, loopSteps, res.Steps)
	require.Equal(b, loopSteps-1, calls)
}
