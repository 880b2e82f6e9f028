package adk

import (
	"context"
	"encoding/json"
	"fmt"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/runtask"
)

// ToolOptions configure [Tool] and [SessionTool]. Nil and the zero value mean the
// defaults.
type ToolOptions = runtask.Options

// Tool returns a tool that does a task in a session of its own, which
// [runtask.New] explains. The ctx of open is the agent.Context of the tool's call.
//
// The tool has one argument, request. It returns the JSON form of the
// [runtask.Result] of a task that ended in FINISH, and an error for every other
// end, as [runtask.Tool.Run] does. Arguments that are no such object are an error
// of the ADK, which also makes float64 of the numbers in data.
func Tool(open func(ctx context.Context) (*round.Session, error), opts *ToolOptions) (tool.Tool, error) {
	task, err := runtask.New(open, opts)
	if err != nil {
		return nil, err
	}
	return taskTool(task)
}

// SessionTool is [Tool] with one Session for all calls, as [runtask.Shared] explains.
func SessionTool(session *round.Session, opts *ToolOptions) (tool.Tool, error) {
	task, err := runtask.Shared(session, opts)
	if err != nil {
		return nil, err
	}
	return taskTool(task)
}

func taskTool(task *runtask.Tool) (tool.Tool, error) {
	made, err := functiontool.New(
		functiontool.Config{Name: task.Name(), Description: task.Description()},
		func(ctx agent.Context, args adapters.TaskArguments) (map[string]any, error) {
			result, err := task.Run(ctx, args.Request)
			if err != nil {
				return nil, err
			}
			return object(result)
		},
	)
	if err != nil {
		return nil, fmt.Errorf("adk: make the tool: %w", err)
	}
	return made, nil
}

// object is a result in the form in which the ADK wants it.
func object(result runtask.Result) (out map[string]any, err error) {
	text, err := json.Marshal(result)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		return nil, fmt.Errorf("adk: the result: %w", err)
	}
	return out, nil
}
