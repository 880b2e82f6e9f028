package mcp

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/internal/section"
	"github.com/agentfsm/agentfsm/llm"
)

type (
	samplingRequest = sdk.CreateMessageRequest
	samplingResult  = sdk.CreateMessageResult
)

// sample asks the model for a server. What it costs is not counted by the round
// in which the tool runs.
func (c *connection) sample(ctx context.Context, req *samplingRequest) (*samplingResult, error) {
	ctx, done, err := c.beside(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	limits := c.config.Sampling
	if most := or(limits.MaxCalls, DefaultMaxSamplings, -1); most >= 0 && c.samplings.Add(1) > int64(most) {
		return nil, refusal(jsonrpc.CodeInvalidRequest, "no more sampling: the limit is reached")
	}
	prompt, err := promptOf(req, or(limits.MaxTokens, DefaultMaxTokens, -1))
	if err != nil {
		return nil, err
	}
	resp, err := c.complete(ctx, prompt)
	reason := "endTurn"
	switch {
	case errors.Is(err, llm.ErrCut) && resp != nil && resp.Text != "":
		reason = "maxTokens"
	case errors.Is(err, llm.ErrRefused):
		return nil, refusal(jsonrpc.CodeInvalidRequest, "the model refused to answer")
	case err != nil:
		c.log.Warn("mcp: sampling failed", "error", err)
		return nil, refusal(jsonrpc.CodeInternalError, "the model gave no answer")
	}
	model := resp.Model
	if model == "" {
		model = "unknown"
	}
	return &samplingResult{Content: &sdk.TextContent{Text: resp.Text}, Model: model, Role: "assistant", StopReason: reason}, nil
}

// complete asks the model. A model that panics gave no answer.
func (c *connection) complete(ctx context.Context, prompt *llm.Request) (resp *llm.Response, err error) {
	panicked := true
	defer func() {
		if panicked {
			resp, err = nil, errPanicked
		}
	}()
	defer c.survive("Sampling.Model")
	resp, err = llm.Complete(ctx, c.config.Sampling.Model, prompt)
	panicked = false
	return resp, err
}

var errPanicked = errors.New("mcp: the model panicked")

// promptOf is what the server wants to ask.
func promptOf(req *samplingRequest, most int) (*llm.Request, error) {
	p := req.Params
	out := &llm.Request{MaxTokens: int(min(max(p.MaxTokens, 0), 1<<30))}
	if most > 0 && (out.MaxTokens == 0 || out.MaxTokens > most) {
		out.MaxTokens = most
	}
	if p.Temperature != 0 {
		out.Temperature = &p.Temperature
	}
	if p.SystemPrompt != "" {
		out.Messages = append(out.Messages, unmarked(llm.System, p.SystemPrompt))
	}
	for _, m := range p.Messages {
		if m == nil {
			continue
		}
		role := llm.User
		if m.Role == "assistant" {
			role = llm.Assistant
		}
		switch content := m.Content.(type) {
		case *sdk.TextContent:
			out.Messages = append(out.Messages, unmarked(role, content.Text))
		case *sdk.ImageContent:
			image := &llm.Image{MediaType: content.MIMEType, Data: content.Data}
			out.Messages = append(out.Messages, llm.Message{Role: role, Parts: []llm.Part{{Image: image}}})
		default:
			return nil, refusal(jsonrpc.CodeInvalidParams, "only texts and images can be sampled with")
		}
	}
	return out, nil
}

// unmarked is a text of a server without marks of chat templates, which would end its turn.
func unmarked(role llm.Role, text string) llm.Message {
	return llm.Text(role, string(section.Break([]byte(text))))
}

func refusal(code int64, message string) error { return &jsonrpc.Error{Code: code, Message: message} }
