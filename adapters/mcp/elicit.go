package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/processor"
)

// What became of a form, in the words of MCP.
const (
	accept  = "accept"
	decline = "decline"
	dismiss = "cancel"
)

// maxAsks is how often one field of a form is asked for.
const maxAsks = 3

// elicit asks the User what a server wants to know. What the User is asked, and
// answers, is no part of the round in which the tool runs.
func (c *connection) elicit(ctx context.Context, req *sdk.ElicitRequest) (res *sdk.ElicitResult, err error) {
	ctx, done, err := c.beside(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	res = &sdk.ElicitResult{Action: dismiss}
	defer c.survive("User")
	if req.Params.Mode == "url" || isNil(c.config.User) {
		res.Action = decline
		return res, nil
	}
	if most := or(c.config.MaxForms, DefaultMaxForms, -1); most >= 0 && c.forms.Add(1) > int64(most) {
		if n, yes := c.refused.worth(); yes {
			c.log.Warn("mcp: a form is declined, since the server shows too many", "times", n)
		}
		res.Action = decline
		return res, nil
	}
	fields, err := formOf(req.Params.RequestedSchema)
	if err != nil {
		c.log.Warn("mcp: a form cannot be filled in", "error", err)
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the form cannot be shown"}
	}
	action, content, err := c.fill(ctx, req.Params.Message, fields)
	if err != nil {
		if !errors.Is(err, processor.ErrTimeout) {
			c.log.Warn("mcp: a form was not filled in", "error", err)
		}
		return res, nil
	}
	res.Action = action
	if action == accept {
		res.Content = content
	}
	return res, nil
}

// fill asks for one field after another.
func (c *connection) fill(ctx context.Context, message string, fields []field) (string, map[string]any, error) {
	intro := fmt.Sprintf("The tool server %s asks: %s", c.server.Name, quoted(message))
	if len(fields) == 0 {
		answer, err := c.ask(ctx, intro+"\n\nYes or no?")
		if err != nil {
			return "", nil, err
		}
		if yes, ok := parseBool(answer.Text); answer.Approved || ok && yes {
			return accept, map[string]any{}, nil
		}
		return decline, nil, nil
	}
	content := map[string]any{}
	for _, f := range fields {
		value, given, action, err := c.askField(ctx, intro, f)
		if err != nil || action != accept {
			return action, nil, err
		}
		if given {
			content[f.name] = value
		}
	}
	return accept, content, nil
}

// askField asks for one field until the answer fits.
func (c *connection) askField(ctx context.Context, intro string, f field) (value any, given bool, action string, err error) {
	problem := ""
	for range maxAsks {
		answer, err := c.ask(ctx, intro+"\n\n"+f.question()+problem+"\nTo give nothing to the server, answer "+decline+".")
		if err != nil {
			return nil, false, "", err
		}
		text := strings.TrimSpace(answer.Text)
		if strings.EqualFold(text, decline) {
			return nil, false, decline, nil
		}
		if value, given, err = f.parse(text); err == nil {
			return value, given, accept, nil
		}
		problem = "\nThe answer before this did not fit: " + err.Error() + "."
	}
	return nil, false, dismiss, nil
}

func (c *connection) ask(ctx context.Context, text string) (processor.Answer, error) {
	q := processor.Question{ID: rand.Text(), Agent: c.server.Name, Text: text}
	return processor.Ask(ctx, c.config.User, q, c.config.AskTimeout)
}

// beside makes a context for what a server asks: it ends with the request and
// with the connection, and has nothing else of the call during which it came. A
// round does not see it, whichever version of the protocol brought it.
func (c *connection) beside(ctx context.Context) (context.Context, func(), error) {
	own, done, err := c.begin(context.Background())
	if err != nil {
		return nil, nil, err
	}
	own, cancel := context.WithCancelCause(own)
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	return own, func() {
		stop()
		cancel(nil)
		done()
	}, nil
}
