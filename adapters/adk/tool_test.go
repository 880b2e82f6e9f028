package adk_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/adk"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/runtask"
)

func echo(_ context.Context, w *worker) error { return w.finish("did " + w.task) }

func TestDeclaration(t *testing.T) {
	made, err := adk.Tool(sessions(echo), nil)
	require.NoError(t, err)
	assert.Equal(t, "run_task", made.Name())
	assert.Contains(t, made.Description(), "a task in the applications of a desktop")
	assert.False(t, made.IsLongRunning())
	schema := decode(t, declaration(t, made).ParametersJsonSchema)
	assert.Equal(t, []any{"request"}, schema["required"])
	properties, ok := schema["properties"].(map[string]any)
	require.True(t, ok)
	require.Len(t, properties, 1)
	argument, ok := properties["request"].(map[string]any)
	require.True(t, ok)
	assert.Equal(t, "string", argument["type"])
	assert.NotEmpty(t, argument["description"])

	made, err = adk.Tool(sessions(echo), &adk.ToolOptions{Name: "office", Description: "works in an office"})
	require.NoError(t, err)
	assert.Equal(t, "office", declaration(t, made).Name)
	assert.Equal(t, "works in an office", declaration(t, made).Description)
}

func TestNoSession(t *testing.T) {
	_, err := adk.Tool(nil, nil)
	require.ErrorContains(t, err, "runtask: there is no session")
	_, err = adk.SessionTool(nil, nil)
	require.ErrorContains(t, err, "runtask: there is no session")

	closed := errors.New("the office is closed")
	made, err := adk.Tool(func(context.Context) (*round.Session, error) { return nil, closed }, nil)
	require.NoError(t, err)
	_, err = call(t.Context(), t, made, request("x"))
	require.ErrorIs(t, err, closed)
}

func TestNoRequest(t *testing.T) {
	made, err := adk.Tool(func(context.Context) (*round.Session, error) {
		assert.Fail(t, "a session is opened")
		return nil, nil
	}, nil)
	require.NoError(t, err)
	_, err = call(t.Context(), t, made, request(" \n"))
	require.ErrorIs(t, err, round.ErrNoRequest)
	for _, args := range []map[string]any{{}, {"request": 7}, {"request": "x", "more": true}} {
		_, err = call(t.Context(), t, made, args)
		require.Error(t, err)
	}
}

func TestFinish(t *testing.T) {
	made, err := adk.Tool(sessions(echo), nil)
	require.NoError(t, err)
	got, err := call(t.Context(), t, made, request("the dishes"))
	require.NoError(t, err)
	assert.Equal(t, "FINISH", got["outcome"])
	assert.Equal(t, "did the dishes", got["answer"])
	assert.Contains(t, got, "usage")
	assert.NotContains(t, got, "warning")
}

func TestNotFinished(t *testing.T) {
	made, err := adk.Tool(sessions(func(_ context.Context, w *worker) error {
		w.answer = "never"
		w.Decide(fsm.Fail, fsm.BySystem, "there is no table")
		return nil
	}), nil)
	require.NoError(t, err)
	got, err := call(t.Context(), t, made, request("x"))
	assert.Nil(t, got)
	require.ErrorIs(t, err, round.ErrFailed)
	failed, ok := errors.AsType[*runtask.Error](err)
	require.True(t, ok)
	assert.Equal(t, round.Failed, failed.Result.Outcome)
	assert.ErrorContains(t, err, "there is no table")
}

// All calls of a SessionTool have the session of the caller, which the tool does not close.
func TestSessionTool(t *testing.T) {
	w := &worker{closed: make(chan error, 1), step: echo}
	w.closed <- nil
	session, err := round.NewSession(w, nil)
	require.NoError(t, err)
	made, err := adk.SessionTool(session, nil)
	require.NoError(t, err)
	for _, task := range []string{"x", "y"} {
		got, err := call(t.Context(), t, made, request(task))
		require.NoError(t, err)
		assert.Equal(t, "did "+task, got["answer"])
	}
	assert.NotEmpty(t, w.closed)
}
