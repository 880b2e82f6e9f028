package mcp

import (
	"context"
	"crypto/rand"
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
	if req.Params.Mode == "url" || nilcheck.IsNil(c.config.User) {
		res.Action = decline
		return res, nil
	}
	if most := or(c.config.MaxForms, DefaultMaxForms, -1); most >= 0 && c.forms.Add(1) > int64(most) {
		if n, yes := c.declined.worth(); yes {
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
	if i := slices.IndexFunc(fields, field.isSecret); i >= 0 && !c.server.AskSecrets {
		if n, yes := c.declined.worth(); yes {
			c.log.Warn("mcp: a form is declined, since it asks for what looks like a secret", "field", flat(fields[i].name), "times", n)
		}
		res.Action = decline
		return res, nil
	}
	action, content, err := c.fill(ctx, req.Params.Message, fields)
	if err != nil {
		if !errors.Is(err, people.ErrTimeout) {
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

// fill asks for one field after another. What a person did not say is sent only
// after a yes: a default is the server's own answer, and a form that nobody filled
// in would still say that somebody accepts it.
func (c *connection) fill(ctx context.Context, message string, fields []field) (string, map[string]any, error) {
	intro := fmt.Sprintf("The tool server %s asks: %s", c.server.Name, quoted(message))
	if len(fields) == 0 {
		action, err := c.agree(ctx, intro+"\n\nYes or no?")
		return action, map[string]any{}, err
	}
	content := map[string]any{}
	var unsaid []field // with a default
	said := false
	for _, f := range fields {
		value, given, action, err := c.askField(ctx, intro, f.question()+f.warning(message), f, &said)
		if err != nil || action != accept {
			return action, nil, err
		}
		switch {
		case given:
			content[f.name] = value
		case f.Default != nil:
			content[f.name] = f.Default
			unsaid = append(unsaid, f)
		}
	}
	if said && len(unsaid) == 0 {
		return accept, content, nil
	}
	action, err := c.agree(ctx, intro+"\n\n"+unanswered(unsaid, said))
	return action, content, err
}

// agree asks for a yes. Anything else declines.
func (c *connection) agree(ctx context.Context, text string) (string, error) {
	answer, err := c.ask(ctx, text)
	if err != nil {
		return "", err
	}
	if yes, ok := parseBool(answer.Text); answer.Approved || ok && yes {
		return accept, nil
	}
	return decline, nil
}

// askField asks for one field until the answer fits. It sets said when there was one
// that is not empty; who never says anything declines.
func (c *connection) askField(ctx context.Context, intro, wanted string, f field, said *bool) (value any, given bool, action string, err error) {
	problem := ""
	for range maxAsks {
		answer, err := c.ask(ctx, intro+"\n\n"+wanted+problem+"\nTo give nothing to the server, answer "+decline+".")
		if err != nil {
			return nil, false, "", err
		}
		text := strings.TrimSpace(answer.Text)
		*said = *said || text != ""
		if strings.EqualFold(text, decline) {
			return nil, false, decline, nil
		}
		if value, given, err = f.parse(text); err == nil {
			return value, given, accept, nil
		}
		problem = "\nThe answer before this did not fit: " + err.Error() + "."
	}
	if !*said {
		return nil, false, decline, nil
	}
	return nil, false, dismiss, nil
}

func (c *connection) ask(ctx context.Context, text string) (people.Answer, error) {
	q := people.Question{ID: rand.Text(), Agent: c.server.Name, Text: text}
	return people.Ask(ctx, c.config.User, q, c.config.AskTimeout)
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
