package adapters_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// A server that only refuses that the model must call a tool takes the tools.
func TestToolsRefused(t *testing.T) {
	req := &llm.Request{Tools: []llm.Tool{{Name: "save", Parameters: json.RawMessage(`{}`)}}}
	for message, helps := range map[string]bool{
		"Forced tool use is not supported":                  true,
		"Thinking may not be enabled if it forces tool use": true,
		"This model cannot force tool use":                  true,
		"tool_choice is not supported":                      true,
		"Function calling mode ANY is not supported":        true,
		"Tool use is not supported":                         false,
	} {
		var forms adapters.Forms
		_, err := forms.CompleteForeign(req, func(_ *llm.Request, auto bool) (*llm.Response, error) {
			if auto {
				return &llm.Response{}, nil
			}
			return nil, &llm.CallError{Kind: llm.ErrRejected, Status: http.StatusBadRequest, Message: message}
		})
		assert.Equal(t, helps, err == nil, message)
	}
}

// No two names are written as one, and each is read back.
func TestNames(t *testing.T) {
	names := []string{"desk.type", "desk/type", "desk_type", strings.Repeat("x", 65), strings.Repeat("x", 66), "grüß"}
	req := &llm.Request{Messages: []llm.Message{
		{Role: llm.Assistant, Calls: []llm.Call{{ID: "1", Name: "not a tool"}}}, {Role: llm.ToolResult, CallID: "1"},
	}}
	for _, name := range names {
		req.Tools = append(req.Tools, llm.Tool{Name: name, Parameters: json.RawMessage(`{}`)})
	}
	before := req.Clone()
	var forms adapters.Forms
	resp, err := forms.CompleteForeign(req, func(sent *llm.Request, _ bool) (*llm.Response, error) {
		resp := &llm.Response{Calls: []llm.Call{{Name: sent.Messages[0].Calls[0].Name}, {Name: "made_up"}}}
		for _, tool := range sent.Tools {
			resp.Calls = append(resp.Calls, llm.Call{Name: tool.Name})
		}
		for _, call := range resp.Calls {
			assert.Regexp(t, `^[a-zA-Z0-9_-]{1,64}$`, call.Name)
		}
		assert.Equal(t, "desk_type", sent.Tools[2].Name)
		return resp, nil
	})
	require.NoError(t, err)
	assert.Equal(t, before, req)
	assert.Equal(t, "made_up", resp.Calls[1].Name)
	for i, name := range names {
		assert.Equal(t, name, resp.Calls[i+2].Name)
	}
}

// Every call has a result, and every result a call.
func TestWrongTools(t *testing.T) {
	for name, change := range map[string]func(*llm.Request){
		"without a result": func(req *llm.Request) { req.Messages = req.Messages[:3] },
		"after a question": func(req *llm.Request) { req.Messages = slices.Insert(req.Messages, 2, llm.Text(llm.User, "well?")) },
		"of no call":       func(req *llm.Request) { req.Messages[3].CallID = "other" },
		"one id twice":     func(req *llm.Request) { req.Messages[1].Calls[1].ID = "1" },
		"no id":            func(req *llm.Request) { req.Messages[1].Calls[1].ID = "" },
		"of the user":      func(req *llm.Request) { req.Messages[0].Calls = req.Messages[1].Calls },
		"no JSON":          func(req *llm.Request) { req.Tools[0].Parameters = nil },
	} {
		req := &llm.Request{
			Tools: []llm.Tool{{Name: "click", Parameters: json.RawMessage(`{}`)}},
			Messages: []llm.Message{
				llm.Text(llm.User, "click"), {Role: llm.Assistant, Calls: []llm.Call{{ID: "1"}, {ID: "2"}}},
				{Role: llm.ToolResult, CallID: "1"}, {Role: llm.ToolResult, CallID: "2"},
			},
		}
		assert.Empty(t, adapters.WrongTools(req))
		change(req)
		assert.NotEmpty(t, adapters.WrongTools(req), name)
	}
}
