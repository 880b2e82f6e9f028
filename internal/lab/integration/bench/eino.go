package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"
)

// runEinoAgent runs a ChatModelAgent, which is Eino's own agent of today.
func runEinoAgent(ctx context.Context, j *job) error {
	tools, err := einoTools(j)
	if err != nil {
		return err
	}
	agent, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name: "looper", Description: "does nothing", Model: &einoModel{job: j},
		ToolsConfig:   adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: tools}},
		MaxIterations: 2 * j.Steps,
	})
	if err != nil {
		return err
	}
	said := ""
	events := adk.NewRunner(ctx, adk.RunnerConfig{Agent: agent}).Query(ctx, "do nothing")
	for event, ok := events.Next(); ok; event, ok = events.Next() {
		if event.Err != nil {
			return event.Err
		}
		said = event.Output.MessageOutput.Message.Content
	}
	return j.done(said)
}

// einoTool decodes its arguments and does nothing.
type einoTool struct {
	job  *job
	info *schema.ToolInfo
}

func (t *einoTool) Info(context.Context) (*schema.ToolInfo, error) { return t.info, nil }

func (t *einoTool) InvokableRun(_ context.Context, args string, _ ...tool.Option) (string, error) {
	var in toolArguments
	err := json.Unmarshal([]byte(args), &in)
	return t.job.called(), err
}

func einoTools(j *job) ([]tool.BaseTool, error) {
	var tools []tool.BaseTool
	for _, spec := range specs {
		var parameters jsonschema.Schema
		if err := json.Unmarshal([]byte(spec.Schema), &parameters); err != nil {
			return nil, err
		}
		tools = append(tools, &einoTool{j, &schema.ToolInfo{
			Name: spec.Name, Desc: spec.Description, ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&parameters),
		}})
	}
	return tools, nil
}

// einoModel calls the tool until it says done.
type einoModel struct {
	job   *job
	tools []*schema.ToolInfo // of WithTools
}

// einoRequest is what a provider's component makes of a call.
type einoRequest struct {
	Messages []*schema.Message `json:"messages"`
	Tools    []einoToolJSON    `json:"tools"`
}

type einoToolJSON struct {
	Name        string             `json:"name"`
	Description string             `json:"description"`
	Parameters  *jsonschema.Schema `json:"parameters"`
}

func (m *einoModel) WithTools(tools []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	return &einoModel{m.job, tools}, nil
}

func (m *einoModel) Generate(_ context.Context, input []*schema.Message, opts ...model.Option) (*schema.Message, error) {
	var request einoRequest
	if m.job.Encoded {
		tools := m.tools
		if of := model.GetCommonOptions(nil, opts...); of.Tools != nil {
			tools = of.Tools
		}
		request.Messages = input
		for _, info := range tools {
			parameters, err := info.ToJSONSchema()
			if err != nil {
				return nil, err
			}
			request.Tools = append(request.Tools, einoToolJSON{info.Name, info.Desc, parameters})
		}
	}
	step, last, err := m.job.think(&request)
	switch {
	case err != nil:
		return nil, fmt.Errorf("bench: %w", err)
	case last:
		return schema.AssistantMessage("done", nil), nil
	}
	return schema.AssistantMessage(thoughts.of(step), []schema.ToolCall{{
		ID: "call", Function: schema.FunctionCall{Name: toolName, Arguments: arguments},
	}}), nil
}

func (m *einoModel) Stream(ctx context.Context, input []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	message, err := m.Generate(ctx, input, opts...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{message}), nil
}
