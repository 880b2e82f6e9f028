package eino_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/eino"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/runtask"
)

func echo(_ context.Context, w *worker) error { return w.finish("did " + w.task) }

func TestInfo(t *testing.T) {
	made, err := eino.Tool(sessions(echo), nil)
	require.NoError(t, err)
	info, err := made.Info(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "run_task", info.Name)
	assert.Contains(t, info.Desc, "a task in the applications of a desktop")
	schema, err := info.ToJSONSchema()
	require.NoError(t, err)
	assert.Equal(t, []string{"request"}, schema.Required)
	assert.Equal(t, 1, schema.Properties.Len())
	argument, ok := schema.Properties.Get("request")
	require.True(t, ok)
	assert.Equal(t, "string", argument.Type)
	assert.NotEmpty(t, argument.Description)

	made, err = eino.Tool(sessions(echo), &eino.ToolOptions{Name: "office", Description: "works in an office"})
	require.NoError(t, err)
	info, err = made.Info(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "office", info.Name)
	assert.Equal(t, "works in an office", info.Desc)
}

func TestNoSession(t *testing.T) {
	_, err := eino.Tool(nil, nil)
	require.ErrorContains(t, err, "runtask: there is no session")
	_, err = eino.SessionTool(nil, nil)
	require.ErrorContains(t, err, "runtask: there is no session")

	closed := errors.New("the office is closed")
	made, err := eino.Tool(func(context.Context) (*round.Session, error) { return nil, closed }, nil)
	require.NoError(t, err)
	_, err = call(t.Context(), t, made, request("x"))
	require.ErrorIs(t, err, closed)
}

func TestNoRequest(t *testing.T) {
	made, err := eino.Tool(func(context.Context) (*round.Session, error) {
		assert.Fail(t, "a session is opened")
		return nil, nil
	}, nil)
	require.NoError(t, err)
	_, err = call(t.Context(), t, made, request(" \n"))
	require.ErrorIs(t, err, round.ErrNoRequest)
	for _, args := range []string{"", "x", "{}", "null", `{"request": 7}`, `["x"]`} {
		_, err = made.InvokableRun(t.Context(), args)
		require.ErrorIs(t, err, round.ErrNoRequest, args)
	}
}

func TestFinish(t *testing.T) {
	made, err := eino.Tool(sessions(echo), nil)
	require.NoError(t, err)
	got, err := call(t.Context(), t, made, request("the dishes"))
	require.NoError(t, err)
	assert.Equal(t, "FINISH", got["outcome"])
	assert.Equal(t, "did the dishes", got["answer"])
	assert.Contains(t, got, "usage")
	assert.NotContains(t, got, "warning")
}

func TestNotFinished(t *testing.T) {
	made, err := eino.Tool(sessions(func(_ context.Context, w *worker) error {
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
	made, err := eino.SessionTool(session, nil)
	require.NoError(t, err)
	for _, task := range []string{"x", "y"} {
		got, err := call(t.Context(), t, made, request(task))
		require.NoError(t, err)
		assert.Equal(t, "did "+task, got["answer"])
	}
	assert.NotEmpty(t, w.closed)
}

func TestFailureText(t *testing.T) {
	made, err := eino.Tool(sessions(func(_ context.Context, w *worker) error {
		w.Decide(fsm.Fail, fsm.BySystem, "there is no \"table\"")
		return nil
	}), nil)
	require.NoError(t, err)
	_, err = call(t.Context(), t, made, request("x"))
	assert.JSONEq(t, `{"outcome": "FAIL", "error": `+marshal(t, err.Error())+`}`, eino.FailureText(t.Context(), err))
	assert.JSONEq(t, `{"error": "odd"}`, eino.FailureText(t.Context(), errors.New("odd")))
}
