package eino_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/require"

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
	b.Run("eino", func(b *testing.B) { perStep(b, einoLoop) })
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

// einoLoop is a ChatModelAgent with a tool, run by a Runner.
func einoLoop(b *testing.B) {
	ctx, calls := b.Context(), 0
	noop, err := utils.InferTool("noop", "does nothing", func(context.Context, noopArguments) (string, error) {
		calls++
		return "ok", nil
	})
	require.NoError(b, err)
	thinker := &looper{}
	agent, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name: "looper", Description: "does nothing", Model: thinker,
		ToolsConfig:   adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{noop}}},
		MaxIterations: 2 * loopSteps,
	})
	require.NoError(b, err)
	var said string
	events := adk.NewRunner(ctx, adk.RunnerConfig{Agent: agent}).Query(ctx, "do nothing")
	for event, ok := events.Next(); ok; event, ok = events.Next() {
		require.NoError(b, event.Err)
		said = event.Output.MessageOutput.Message.Content
	}
	require.Equal(b, "done", said)
	require.Equal(b, loopSteps, thinker.calls)
	require.Equal(b, loopSteps-1, calls)
}

// looper is a chat model that calls the tool until it says done.
type looper struct{ calls int }

func (l *looper) Generate(context.Context, []*schema.Message, ...model.Option) (*schema.Message, error) {
	if l.calls++; l.calls == loopSteps {
		return schema.AssistantMessage("done", nil), nil
	}
	return schema.AssistantMessage("", []schema.ToolCall{{
		ID: "call", Function: schema.FunctionCall{Name: "noop", Arguments: `{"n": 1}`},
	}}), nil
}

func (l *looper) Stream(ctx context.Context, input []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	message, err := l.Generate(ctx, input, opts...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{message}), nil
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
