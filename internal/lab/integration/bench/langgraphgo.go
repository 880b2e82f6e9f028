package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/smallnest/langgraphgo/prebuilt"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/tools"
)

// runLangGraph runs the prebuilt agent, whose state is a map.
func runLangGraph(ctx context.Context, j *job) error {
	var offered []tools.Tool
	for _, spec := range j.specs() {
		t := &langTool{job: j, spec: spec}
		if err := json.Unmarshal([]byte(spec.Schema), &t.schema); err != nil {
			return err
		}
		offered = append(offered, t)
	}
	agent, err := prebuilt.CreateAgentMap(langModel{j}, offered, 2*j.Steps)
	if err != nil {
		return err
	}
	state, err := agent.Invoke(ctx, map[string]any{
		"messages": []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "do nothing")},
	})
	if err != nil {
		return err
	}
	messages, ok := state["messages"].([]llms.MessageContent)
	if !ok || len(messages) == 0 {
		return errOther
	}
	said, ok := messages[len(messages)-1].Parts[0].(llms.TextContent)
	if !ok {
		return errOther
	}
	return j.done(said.Text)
}

// langTool decodes its arguments and does nothing.
type langTool struct {
	job    *job
	spec   toolSpec
	schema map[string]any
}

func (t *langTool) Name() string           { return t.spec.Name }
func (t *langTool) Description() string    { return t.spec.Description }
func (t *langTool) Schema() map[string]any { return t.schema }

func (t *langTool) Call(_ context.Context, input string) (string, error) {
	var in toolArguments
	err := json.Unmarshal([]byte(input), &in)
	return t.job.called(), err
}

// langModel calls the tool until it says done.
type langModel struct{ job *job }

// langRequest is what a provider's client encodes.
type langRequest struct {
	Messages []llms.MessageContent `json:"messages"`
	Tools    []llms.Tool           `json:"tools"`
}

func (m langModel) GenerateContent(_ context.Context, messages []llms.MessageContent, opts ...llms.CallOption) (*llms.ContentResponse, error) {
	var of llms.CallOptions
	for _, opt := range opts {
		opt(&of)
	}
	step, last, err := m.job.think(&langRequest{messages, of.Tools})
	if err != nil {
		return nil, err
	}
	choice := &llms.ContentChoice{Content: "done"}
	if !last {
		choice = &llms.ContentChoice{Content: m.job.thought(step), ToolCalls: []llms.ToolCall{{
			ID: "call", Type: "function", FunctionCall: &llms.FunctionCall{Name: toolName, Arguments: arguments},
		}}}
	}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{choice}}, nil
}

func (langModel) Call(context.Context, string, ...llms.CallOption) (string, error) {
	return "", errors.New("bench: nobody calls it so")
}
