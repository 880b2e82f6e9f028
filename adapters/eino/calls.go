package eino

import (
	"encoding/json"
	"fmt"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// tooled returns the chat model with the tools of a request, of which it must call one, unless it may call none.
func (m *chatModel) tooled(req *llm.Request, auto bool) (model.BaseChatModel, []model.Option, error) {
	opts := m.callOptions(req)
	if len(req.Tools) == 0 {
		return m.of, opts, nil
	}
	calling, ok := m.of.(model.ToolCallingChatModel)
	if !ok {
		return nil, nil, adapters.Rejected(m.name, "the chat model takes no tools: it is no ToolCallingChatModel")
	}
	var infos []*schema.ToolInfo
	for _, tool := range req.Tools {
		var info schema.ToolInfo
		raw, err := json.Marshal(toolInfo{tool.Name, tool.Description, true, tool.Parameters})
		if err == nil {
			err = json.Unmarshal(raw, &info)
		}
		if err != nil {
			return nil, nil, adapters.Rejected(m.name, fmt.Sprintf("the parameters of tool %q are no JSON Schema", tool.Name))
		}
		infos = append(infos, &info)
	}
	of, err := calling.WithTools(infos)
	if err != nil {
		return nil, nil, m.failed(err)
	}
	choice := schema.ToolChoiceForced
	if auto {
		choice = schema.ToolChoiceAllowed
	}
	return of, append(opts, model.WithToolChoice(choice)), nil
}

// toolInfo is Eino's own JSON form of a tool: so that this package needs no package for schemas.
type toolInfo struct {
	Name       string          `json:"name"`
	Desc       string          `json:"desc"`
	Has        bool            `json:"has_params_one_of"`
	JSONSchema json.RawMessage `json:"json_schema"`
}

// turn adds the calls of a message, with the thoughts that came with them.
func turn(to *schema.Message, message *llm.Message) {
	for i, call := range message.Calls {
		to.ToolCalls = append(to.ToolCalls, schema.ToolCall{
			Index: new(i), ID: call.ID, Type: "function",
			Function: schema.FunctionCall{Name: call.Name, Arguments: string(adapters.Object(call.Args))},
		})
	}
	if json.Unmarshal(message.Reasoning, &to.ReasoningContent) != nil { // of another adapter, or none
		to.ReasoningContent = ""
	}
}

// calls are those of a reply to a request that has tools.
func calls(reply *schema.Message, req *llm.Request, resp *llm.Response) {
	if len(req.Tools) == 0 || len(reply.ToolCalls) == 0 {
		return
	}
	for _, call := range reply.ToolCalls {
		resp.Calls = append(resp.Calls, llm.Call{
			ID: call.ID, Name: call.Function.Name, Args: adapters.Arguments(call.Function.Arguments),
		})
	}
	if reply.ReasoningContent != "" {
		resp.Reasoning, _ = json.Marshal(reply.ReasoningContent) //nolint:errchkjson // a string has a JSON form
	}
}
