package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/desktop"
)

// Bounds of a list of tools.
const (
	maxPages = 1000
	maxTools = 2000 // that are used
	maxName  = 256  // bytes
)

// offer is a tool of a server.
type offer struct {
	conn *connection
	name string       // as the server calls it
	tool desktop.Tool // its Name is what agents call it
	box  *desktop.Toolbox
}

// list asks for the tools, page by page. It leaves out those that nobody could
// use.
func (c *connection) list(ctx context.Context) ([]offer, error) {
	ctx, done, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if offered := c.session.InitializeResult().Capabilities; offered != nil && offered.Tools == nil {
		return nil, nil // it has none, and would refuse the question
	}
	var offers []offer
	seen, cursors := map[string]bool{}, map[string]bool{}
	params := &sdk.ListToolsParams{}
	size := 0
	for range maxPages {
		page, err := c.session.ListTools(ctx, params)
		if err != nil {
			return nil, c.failed(ctx, "list tools", err)
		}
		if isUnread(page.Meta) {
			return nil, c.badList("it cannot be read")
		}
		for _, t := range page.Tools {
			if t == nil || c.server.Only != nil && !slices.Contains(c.server.Only, t.Name) {
				continue
			}
			o, err := c.offer(t)
			if err == nil {
				err = badName(t.Name)
			}
			if err == nil && seen[t.Name] {
				err = errors.New("another has the same name")
			}
			if err != nil {
				c.log.Warn("mcp: a tool is left out", "tool", cut(t.Name), "error", err)
				continue
			}
			seen[t.Name] = true
			offers = append(offers, o)
			size += len(t.Name) + len(t.Description) + len(o.tool.Annotations.Title) + len(o.tool.InputSchema)
			if len(offers) > maxTools || size > c.config.MaxMessage {
				return nil, c.badList("it is too long")
			}
		}
		if page.NextCursor == "" {
			return offers, nil
		}
		if cursors[page.NextCursor] { // it would come again
			c.log.Warn("mcp: the rest of the list of tools is left out", "error", "a page says that it follows itself")
			return offers, nil
		}
		cursors[page.NextCursor] = true
		params = &sdk.ListToolsParams{Cursor: page.NextCursor}
	}
	return nil, c.badList("it does not end")
}

func (c *connection) badList(why string) error {
	return &ServerError{Server: c.server.Name, Op: "list tools", Kind: ErrProtocol, Err: errors.New("the list of tools is bad: " + why)}
}

// badName says what is wrong with the name of a tool: it is shown to people, who
// have to know what they approve, and put into prompts.
func badName(name string) error {
	switch {
	case len(name) > maxName:
		return fmt.Errorf("its name is longer than %d bytes", maxName)
	case strings.TrimSpace(name) != name:
		return errors.New("its name begins or ends with a space")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return errors.New("its name has characters that cannot be seen")
	}
	return nil
}

// cut is a text of a server as it is put into a log.
func cut(text string) string {
	if len(text) > maxName {
		return text[:maxName] + "..."
	}
	return text
}

// offer describes a tool as package desktop does.
func (c *connection) offer(t *sdk.Tool) (offer, error) {
	tool := desktop.Tool{Name: t.Name, Description: t.Description, Annotations: annotations(t), Origin: c.server.Name, Group: c.group()}
	if c.server.IgnoreAnnotations {
		tool.Annotations = desktop.Annotations{Title: tool.Annotations.Title, DestructiveHint: true, OpenWorldHint: true}
	}
	if t.InputSchema != nil {
		schema, err := json.Marshal(t.InputSchema)
		if err != nil {
			return offer{}, err
		}
		tool.InputSchema = schema
	}
	box, err := desktop.NewToolbox([]desktop.Tool{tool}, desktop.LeaveToTool)
	return offer{conn: c, name: t.Name, tool: tool, box: box}, err
}

// annotations are a tool's own, with what MCP says of those that are absent: a
// tool that does not say anything may destroy something, anywhere.
func annotations(t *sdk.Tool) desktop.Annotations {
	a := desktop.Annotations{Title: t.Title, DestructiveHint: true, OpenWorldHint: true}
	if said := t.Annotations; said != nil {
		if a.Title == "" {
			a.Title = said.Title
		}
		a.ReadOnlyHint, a.IdempotentHint = said.ReadOnlyHint, said.IdempotentHint
		switch {
		case said.DestructiveHint != nil: // also beside the other: then its word is not taken
			a.DestructiveHint = *said.DestructiveHint
		case said.ReadOnlyHint:
			a.DestructiveHint = false
		}
		if said.OpenWorldHint != nil {
			a.OpenWorldHint = *said.OpenWorldHint
		}
	}
	return a
}

// call runs a tool.
func (o *offer) call(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	c := o.conn
	if ctx.Err() != nil {
		return desktop.Result{}, context.Cause(ctx)
	}
	check := cmd
	check.ToolName = o.name
	if err := o.box.Check(check); err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	ctx, done, err := c.begin(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	defer done()
	c.forms.Store(0)
	arguments := cmd.Parameters
	if arguments == nil {
		arguments = map[string]any{} // many servers refuse null
	}
	res, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: o.name, Arguments: arguments})
	switch wire, refused := answered(err); {
	case err == nil:
		return c.result(res), nil
	case ctx.Err() == nil && refused && neverRan(wire.Code):
		return desktop.FailureResult("%s", c.secrets.hide(wire.Message)), nil
	}
	return desktop.Result{}, c.failed(ctx, "call "+o.name, err)
}
