package scenarios_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/proof"
)

// model is the one that speaks, by a name if there are two.
func (c *conversation) model(name string) llm.Model {
	return c.guard.model(llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		if name != "" {
			c.note("asks the %s model", name)
		}
		c.until = ctx.Done()
		c.begins(req)
		if c.chance != nil {
			text, err := c.reply(req) //nolint:contextcheck // what happens meanwhile is done by others
			return &llm.Response{Text: text, Usage: used}, err
		}
		resp, err := c.s.Model.Complete(ctx, req)
		if call, ok := errors.AsType[*llm.CallError](err); ok && name != "" {
			err = call // as a provider returns it: after a failure of a script nobody waits
		}
		if err != nil {
			return resp, err
		}
		said, open := resp, ""
		switch {
		case c.calls:
			c.checkTurn(req)
			said = inCalls(req, resp)
			if c.closed {
				said = shut(c.t, req, said)
			}
		case c.closed:
			said = c.held(req, resp)
		}
		if c.said = resp.Text; c.closed && said != resp {
			open = resp.Text
		}
		said = through(c.t, req, said, open) //nolint:contextcheck // the call may be cancelled, and the adapter not
		c.called = said.Calls
		return said, nil
	}))
}

func decoded[T any](c *conversation, text string) T {
	c.t.Helper()
	var v T
	require.NoError(c.t, json.Unmarshal([]byte(text), &v), text)
	return v
}

// server is a joined desktop of tools only, which come and go.
type server struct {
	name  string
	c     *conversation
	tools []desktop.Tool
}

// server returns the one of a name. The first event that names it joins it.
func (c *conversation) server(name string) *server {
	if c.servers[name] == nil {
		require.Nil(c.t, c.session, "too late for a server")
		c.servers[name] = &server{name: name, c: c}
		c.joined = append(c.joined, c.servers[name])
		c.s.Config.Desktop = desktop.Join(append([]desktop.Desktop{c.s.Desktop}, c.joined...)...)
	}
	return c.servers[name]
}

func (s *server) Tools(context.Context) ([]desktop.Tool, error) { return slices.Clone(s.tools), nil }

func (s *server) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	if !slices.ContainsFunc(s.tools, func(t desktop.Tool) bool { return t.Name == cmd.ToolName }) {
		s.c.note("does %s at %s: %s", textOf(cmd), s.name, desktop.Failure)
		return desktop.FailureResult("%s is not offered any more", cmd.ToolName), nil
	}
	s.c.note("does %s at %s: %s", textOf(cmd), s.name, desktop.Success)
	s.c.done = append(s.c.done, oneRow(textOf(cmd)))
	return desktop.Result{Status: desktop.Success}, nil
}

// prepare sets the stage for a conversation.
func (c *conversation) prepare() {
	var script []any
	durably, person, verify := false, c.attack, false
	for _, l := range c.lines {
		switch {
		case l.is(replies...):
			script = append(script, c.reply)
		case l.kind == "elsewhere":
			durably = true
		case strings.HasPrefix(l.text, "verdict ") && (l.kind == "given" || l.kind == "then"):
			verify = true
		case l.kind == "given" && strings.HasPrefix(l.text, "policy "):
			c.verdicts = map[string]policies.Verdict{}
		case l.kind == "given" && l.text == "nobody":
			person = false
		case l.is(answers...), l.kind == "given" && l.text == "a person":
			person = true
		}
	}
	s := onStage(c.t, script...)
	s.Config.ToolCalls = c.calls
	s.Config.GraphPlans = c.closed && !c.calls // else the schema has no place for plans of objects
	c.s, c.guard = s, newGuard()
	c.apps = map[string]*desktoptest.App{"word": s.Word, "excel": s.Excel}
	if c.attack {
		s.Config.Board = blackboard.New(0)
		for _, control := range []string{"word 1 Edit Body", "word 2 Button Save", "word 3 Button Send", "excel 1 Edit Cell"} {
			c.event("control " + control)
		}
	}
	c.servers = map[string]*server{}
	if person {
		s.Config.User = c
	}
	if verify {
		s.Config.Verify = func(_ context.Context, claim proof.Claim) (proof.Finding, error) {
			c.note("is asked whether %q is true", claim.Answer)
			return c.found, nil
		}
	}
	switch {
	case c.verdicts != nil:
		s.Config.Policy = c.judge
	case len(c.all("policy")) > 0:
		s.Config.Policy = c.policies
	}
	s.Config.Model = c.model("")
	s.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
		text := fmt.Sprintf("makes AppAgent/%s in window %s", strings.TrimPrefix(app.Name, "AppAgent/"), app.Window.ID)
		if app.Docs != "" {
			text += fmt.Sprintf(", with the docs %q", app.Docs)
		}
		c.note("%s", text)
		return appagent.New(app)
	}
	if durably {
		c.runs = store.Memory()
	}
}
