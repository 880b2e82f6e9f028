package eino

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/runtask"
)

// ToolOptions configure [Tool] and [SessionTool]. Nil and the zero value mean the
// defaults.
type ToolOptions = runtask.Options

// Tool returns a tool that does a task in a session of its own, which
// [runtask.New] explains. open is called with the ctx of the tool's call.
//
// The tool has one argument, request. It returns the JSON of the [runtask.Result]
// of a task that ended in FINISH, and an error for every other end, as
// [runtask.Tool.Run] does. Arguments that are no such object are
// [round.ErrNoRequest].
func Tool(open func(ctx context.Context) (*round.Session, error), opts *ToolOptions) (tool.InvokableTool, error) {
	task, err := runtask.New(open, opts)
	if err != nil {
		return nil, err
	}
	return &taskTool{task}, nil
}

// SessionTool is [Tool] with one Session for all calls, as [runtask.Shared] explains.
func SessionTool(session *round.Session, opts *ToolOptions) (tool.InvokableTool, error) {
	task, err := runtask.Shared(session, opts)
	if err != nil {
		return nil, err
	}
	return &taskTool{task}, nil
}

type taskTool struct{ task *runtask.Tool }

// Info describes the tool to the outer model.
func (t *taskTool) Info(context.Context) (*schema.ToolInfo, error) {
	return &schema.ToolInfo{
		Name: t.task.Name(),
		Desc: t.task.Description(),
		ParamsOneOf: schema.NewParamsOneOfByParams(map[string]*schema.ParameterInfo{
			"request": {Type: schema.String, Required: true, Desc: adapters.RequestDescription},
		}),
	}, nil
}

// InvokableRun is one call of the tool.
func (t *taskTool) InvokableRun(ctx context.Context, argumentsInJSON string, _ ...tool.Option) (string, error) {
	var arguments adapters.TaskArguments
	if err := json.Unmarshal([]byte(argumentsInJSON), &arguments); err != nil {
		return "", fmt.Errorf("%w: %w", round.ErrNoRequest, err)
	}
	result, err := t.task.Run(ctx, arguments.Request)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(result)
	if err != nil {
		return "", fmt.Errorf("eino: the result: %w", err)
	}
	return string(text), nil
}

// FailureText tells the outer model why the tool failed, as JSON: error has the
// text, and outcome, where there was a round, how it ended. It is for
// WrapInvokableToolWithErrorHandler of Eino's components/tool/utils: without that, an
// error of a tool ends the run of the agent.
func FailureText(_ context.Context, err error) string {
	failure := struct {
		Error   string        `json:"error"`
		Outcome round.Outcome `json:"outcome,omitempty"`
	}{Error: err.Error()}
	if t, ok := errors.AsType[*runtask.Error](err); ok {
		failure.Outcome = t.Result.Outcome
	}
	text, err := json.Marshal(failure)
	if err != nil { // two strings
		return failure.Error
	}
	return string(text)
}
