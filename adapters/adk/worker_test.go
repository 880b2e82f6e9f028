package adk_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/toolconfirmation"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// worker is an agent of one step, which is a func.
type worker struct {
	fsm.Position
	step   func(ctx context.Context, w *worker) error
	task   string
	answer string
	closed chan error // what Close returns; it has been called when it is empty
}

var workers = fsm.Table("Worker",
	[]fsm.Row[*worker]{
		{Status: fsm.Continue, Handle: func(w *worker, ctx context.Context) error { return w.step(ctx, w) }},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.BySystem},
)

func (w *worker) Name() string    { return "worker" }
func (w *worker) States() fsm.Set { return workers }
func (w *worker) Answer() string  { return w.answer }

func (w *worker) Begin(_ context.Context, task fsm.Task) error {
	w.task, w.answer = task.Text, ""
	return nil
}

func (w *worker) Close(context.Context) error {
	if w.closed == nil {
		return nil
	}
	return <-w.closed
}

// finish ends the task with an answer.
func (w *worker) finish(answer string) error {
	w.answer = answer
	w.Decide(fsm.Finish, fsm.BySystem, "")
	return nil
}

// sessions opens one for each call, with a worker that does step.
func sessions(step func(ctx context.Context, w *worker) error) func(context.Context) (*round.Session, error) {
	return func(context.Context) (*round.Session, error) { return round.NewSession(&worker{step: step}, nil) }
}

// call calls a tool as the ADK does.
func call(ctx context.Context, t *testing.T, of tool.Tool, args map[string]any) (map[string]any, error) {
	t.Helper()
	f, ok := of.(interface {
		Declaration() *genai.FunctionDeclaration
		Run(ctx agent.Context, args any) (map[string]any, error)
	})
	require.True(t, ok)
	return f.Run(&toolContext{agent.NewStrictContextMock(ctx)}, args)
}

// toolContext is a context without a confirmation.
type toolContext struct{ agent.StrictContextMock }

func (*toolContext) ToolConfirmation() *toolconfirmation.ToolConfirmation { return nil }

func request(text string) map[string]any { return map[string]any{"request": text} }

// declaration is what the ADK tells its model about a tool.
func declaration(t *testing.T, of tool.Tool) *genai.FunctionDeclaration {
	t.Helper()
	f, ok := of.(interface {
		Declaration() *genai.FunctionDeclaration
	})
	require.True(t, ok)
	return f.Declaration()
}

// decode reads a value through its JSON.
func decode(t *testing.T, v any) map[string]any {
	t.Helper()
	var out map[string]any
	require.NoError(t, json.Unmarshal([]byte(marshal(t, v)), &out))
	return out
}
