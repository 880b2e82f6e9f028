package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/people"
)

// What became of a form, in the words of MCP.
const (
	accept  = "accept"
	decline = "decline"
	dismiss = "cancel"
)

const (
	maxForms = 10 // that a server may show from the start of one call to the start of the next
	maxAsks  = 3  // for one field
)

// elicit asks the User what a server wants to know.
func (c *connection) elicit(ctx context.Context, req *sdk.ElicitRequest) (res *sdk.ElicitResult, err error) {
	// The context has nothing of the call: what the User is asked is no part of the round in which the tool runs.
	own, done, err := c.begin(context.Background())
	if err != nil {
		return nil, err
	}
	defer done()
	own, cancel := context.WithCancelCause(own)
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })()

	res = &sdk.ElicitResult{Action: dismiss}
	defer func() { // no caller could recover it in a goroutine of the SDK
		if v := recover(); v != nil {
			c.log.Error("mcp: the User panicked", "panic", fmt.Sprint(v))
		}
	}()
	if req.Params.Mode == "url" || nilcheck.IsNil(c.config.User) {
		res.Action = decline
		return res, nil
	}
	fields, err := formOf(req.Params.RequestedSchema)
	if err != nil {
		c.log.Warn("mcp: a form cannot be filled in", "error", err)
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the form cannot be shown"}
	}
	problem := ""
	if i := slices.IndexFunc(fields, field.isSecret); i >= 0 {
		problem = "the field " + flat(fields[i].name) + " looks like a secret"
	} else if c.forms.Add(1) > maxForms {
		problem = "the server shows too many"
	}
	if problem != "" {
		if n, yes := c.declined.worth(); yes {
			c.log.Warn("mcp: a form is declined", "reason", problem, "times", n)
		}
		res.Action = decline
		return res, nil
	}
	action, content, err := c.fill(own, req.Params.Message, fields)
	if err != nil {
		if !errors.Is(err, people.ErrTimeout) {
			c.log.Warn("mcp: a form was not filled in", "error", err)
		}
		return res, nil
	}
	res.Action, res.Content = action, content
	return res, nil
}

// fill asks for one field after another. A form that is not answered at all is declined: to send it would say
// that a person accepts it.
func (c *connection) fill(ctx context.Context, message string, fields []field) (string, map[string]any, error) {
	intro := fmt.Sprintf("The tool server %s asks: %s\n\n", c.server.Name, quoted(message))
	if len(fields) == 0 {
		answer, err := c.ask(ctx, intro+"Yes or no?")
		if yes, ok := parseBool(answer.Text); err == nil && (answer.Approved || ok && yes) {
			return accept, map[string]any{}, nil
		}
		return decline, nil, err
	}
	content := map[string]any{}
	for _, f := range fields {
		value, action, err := c.askField(ctx, intro+f.question(), f)
		if err != nil || action != accept {
			return action, nil, err
		}
		if value != nil {
			content[f.name] = value
		}
	}
	if len(content) == 0 {
		return decline, nil, nil
	}
	return accept, content, nil
}

// askField asks for one field until the answer fits. It declines if there never was one.
func (c *connection) askField(ctx context.Context, question string, f field) (value any, action string, err error) {
	problem, said := "", false
	for range maxAsks {
		answer, err := c.ask(ctx, question+problem+"\nTo give nothing to the server, answer "+decline+".")
		if err != nil {
			return nil, "", err
		}
		text := strings.TrimSpace(answer.Text)
		if strings.EqualFold(text, decline) {
			return nil, decline, nil
		}
		said = said || text != ""
		value, err := f.parse(text)
		if err == nil {
			return value, accept, nil
		}
		problem = "\nThe answer before this did not fit: " + flat(err.Error()) + "."
	}
	if said {
		return nil, dismiss, nil
	}
	return nil, decline, nil
}

func (c *connection) ask(ctx context.Context, text string) (people.Answer, error) {
	return people.Ask(ctx, c.config.User, people.Question{Agent: c.server.Name, Text: text}, c.config.AskTimeout)
}
