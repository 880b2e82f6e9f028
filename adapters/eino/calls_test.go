package eino_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/eino"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
)

// toolUser is a chat model that keeps the tools that it is given.
type toolUser struct {
	*fake
	tools []*schema.ToolInfo
	err   error
}

func (f *toolUser) WithTools(tools []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	f.tools = tools
	return f.fake, f.err
}

// called is a reply of calls.
func called(calls []llm.Call) *schema.Message {
	m := text("I click.", "tool_calls")
	for i, c := range calls {
		m.ToolCalls = append(m.ToolCalls, schema.ToolCall{Index: new(i), ID: c.ID, Function: schema.FunctionCall{Name: c.Name, Arguments: string(c.Args)}})
	}
	m.ReasoningContent = "first the id"
	return m
}

// A round whose model replies with calls.
func TestRoundInCalls(t *testing.T) {
	next := 0
	of := &toolUser{fake: &fake{answer: func(context.Context, []*schema.Message, *model.Options) ([]*schema.Message, error) {
		next++
		return []*schema.Message{called(adapterstest.InCalls[next-1])}, nil
	}}}
	adapterstest.RunRound(t, adapt(t, of, nil), true)
	_, options := of.last(t)
	assert.Equal(t, schema.ToolChoiceForced, *options.ToolChoice)
	assert.NotEmpty(t, of.tools)
}

func TestResultsOfCalls(t *testing.T) {
	made := []llm.Call{{ID: "1", Name: "click", Args: json.RawMessage(`{"id":"1"}`)}, {ID: "2", Name: "FINISH", Args: json.RawMessage(`"{"`)}}
	of := &toolUser{fake: says(called([]llm.Call{made[0], {ID: "2", Name: "FINISH", Args: json.RawMessage(`{`)}}))}
	m, err := eino.Model(of, nil)
	require.NoError(t, err)
	resp, err := llm.Complete(t.Context(), m, adapterstest.Tooled("click it"))
	require.NoError(t, err)
	assert.Equal(t, made, resp.Calls)
	require.Len(t, of.tools, 2)
	parameters, err := of.tools[0].ToJSONSchema()
	require.NoError(t, err)
	raw, err := json.Marshal(parameters)
	require.NoError(t, err)
	assert.JSONEq(t, string(adapterstest.Tooled("").Tools[0].Parameters), string(raw))

	for _, reasoning := range []json.RawMessage{resp.Reasoning, json.RawMessage(`["of another"]`)} {
		resp.Reasoning = reasoning
		_, err = m.Complete(t.Context(), adapterstest.Told(resp))
		require.NoError(t, err)
		messages, _ := of.last(t)
		require.Len(t, messages, 4)
		turn := messages[1]
		assert.Equal(t, "I click.", turn.Content)
		assert.Equal(t, reasoning[0] == '"', turn.ReasoningContent == "first the id")
		require.Len(t, turn.ToolCalls, 2)
		assert.Equal(t, schema.FunctionCall{Name: "click", Arguments: `{"id":"1"}`}, turn.ToolCalls[0].Function)
		assert.Equal(t, "{}", turn.ToolCalls[1].Function.Arguments)
		assert.Equal(t, schema.Tool, messages[2].Role)
		assert.Equal(t, "1", messages[2].ToolCallID)
		assert.Equal(t, "the id is wrong", messages[3].Content)
	}
	bad := adapterstest.Told(resp)
	bad.Messages = bad.Messages[:2]
	_, err = m.Complete(t.Context(), bad)
	require.ErrorIs(t, err, llm.ErrRejected)
}

// toolless is a chat model that takes no tools.
type toolless struct{ model.BaseChatModel }

func TestNoTools(t *testing.T) {
	of := says(text("hi", "stop"))
	_, err := adapt(t, toolless{of}, nil).Complete(t.Context(), adapterstest.Tooled("click it"))
	require.ErrorIs(t, err, llm.ErrRejected)
	require.ErrorContains(t, err, "takes no tools")
	assert.Empty(t, of.inputs)

	_, err = adapt(t, &toolUser{fake: of, err: errors.New("no such tool")}, nil).Complete(t.Context(), adapterstest.Tooled("click it"))
	require.ErrorContains(t, err, "no such tool")

	resp, err := adapt(t, says(called([]llm.Call{{ID: "1", Name: "search"}})), nil).Complete(t.Context(), ask("hello"))
	require.NoError(t, err)
	assert.Empty(t, resp.Calls)
}

// A provider that does not let a model be made to call something is asked once more, and that is remembered.
func TestForcedCallsAreForgone(t *testing.T) {
	of := &fake{answer: func(_ context.Context, _ []*schema.Message, opts *model.Options) ([]*schema.Message, error) {
		if *opts.ToolChoice == schema.ToolChoiceForced {
			return nil, errors.New("error, status code: 400, message: Thinking may not be enabled when tool_choice forces tool use")
		}
		return []*schema.Message{called([]llm.Call{{ID: "1", Name: "click", Args: []byte(`{}`)}})}, nil
	}}
	m := adapt(t, of, nil)
	for range 2 {
		resp, err := m.Complete(t.Context(), adapterstest.Tooled("click it"))
		require.NoError(t, err)
		assert.Equal(t, "click", resp.Calls[0].Name)
		assert.Equal(t, []llm.Repair{{Kind: repair.NotForced, Count: 1}}, resp.Repairs)
	}
	var choices []schema.ToolChoice
	for _, opts := range of.options {
		choices = append(choices, *opts.ToolChoice)
	}
	assert.Equal(t, []schema.ToolChoice{schema.ToolChoiceForced, schema.ToolChoiceAllowed, schema.ToolChoiceAllowed}, choices)

	of = &fake{answer: func(context.Context, []*schema.Message, *model.Options) ([]*schema.Message, error) {
		return nil, errors.New("this model does not support tools")
	}}
	assert.Contains(t, adapterstest.CallError(t, adapt(t, of, nil), adapterstest.Tooled("click it")).Error(), "does not take these tools")
	assert.Len(t, of.options, 1)
}
