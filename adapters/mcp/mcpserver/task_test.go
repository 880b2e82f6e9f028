package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/runtask"
)

func TestTool(t *testing.T) {
	c, served := memory(t, newServer(t, newOffice().plays(done)), nil)
	hello := c.InitializeResult()
	assert.Equal(t, "agentfsm", hello.ServerInfo.Name)
	assert.Equal(t, "2025-11-25", hello.ProtocolVersion, "the newest that has sessions")
	list, err := c.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, list.Tools, 1)
	tool := list.Tools[0]
	assert.Equal(t, "run_task", tool.Name)
	assert.Equal(t, "Do a task on the desktop", tool.Title)
	assert.Contains(t, tool.Description, "a task in the applications of a desktop")
	require.NotNil(t, tool.Annotations)
	assert.True(t, *tool.Annotations.DestructiveHint)
	assert.True(t, *tool.Annotations.OpenWorldHint)
	assert.False(t, tool.Annotations.IdempotentHint)
	assert.False(t, tool.Annotations.ReadOnlyHint)

	res := c.did(t, "do it")
	require.False(t, res.IsError)
	structured, err := json.Marshal(res.StructuredContent)
	require.NoError(t, err)
	assert.JSONEq(t, text(t, res), string(structured))
	fits(t, tool.OutputSchema, res.StructuredContent)
	assert.Equal(t, "All done.", res.StructuredContent.(map[string]any)["answer"])
	require.NoError(t, c.Close())
	assert.NoError(t, <-served, "that the client leaves is no error")
}

// fits checks a value by a schema that came over the wire.
func fits(t testing.TB, schema, value any) {
	t.Helper()
	raw, err := json.Marshal(schema)
	require.NoError(t, err)
	var s jsonschema.Schema
	require.NoError(t, json.Unmarshal(raw, &s))
	resolved, err := s.Resolve(nil)
	require.NoError(t, err)
	require.NoError(t, resolved.Validate(value))
	assert.Error(t, resolved.Validate(map[string]any{"outcome": "FAIL"}), "a schema that takes everything says nothing")
}

func TestToolIsNamed(t *testing.T) {
	config := newOffice().plays(done)
	config.Tool = &runtask.Options{Name: "desk.work", Description: "Works at the desk."}
	config.Title = "Desk"
	config.Name, config.Version = "desk", "1.2"
	c, _ := memory(t, newServer(t, config), nil)
	assert.Equal(t, "1.2", c.InitializeResult().ServerInfo.Version)
	list, err := c.ListTools(t.Context(), nil)
	require.NoError(t, err)
	tool := list.Tools[0]
	assert.Equal(t, []string{"desk.work", "Works at the desk.", "Desk"}, []string{tool.Name, tool.Description, tool.Title})
}

// What is not FINISH is an error of the tool, in the words of package runtask.
func TestNoSuccess(t *testing.T) {
	tired := func(context.Context, *mcpserver.Call) (*round.Session, error) {
		return newOffice().session(nil, &round.Options{MaxSteps: 1}, looking)
	}
	failing := func(err error) func(context.Context, *mcpserver.Call) (*round.Session, error) {
		return func(context.Context, *mcpserver.Call) (*round.Session, error) { return nil, err }
	}
	for name, test := range map[string]struct {
		config mcpserver.Config
		want   string
	}{
		"fail":   {newOffice().plays(`{"Status": "FAIL", "Comment": "there is no such file"}`), "runtask: the task did not finish: round: the task failed: EXCEL:FAIL: there is no such file"},
		"fault":  {newOffice().plays(errTest), "runtask: the task did not finish: round: a fault ended the round: EXCEL:ERROR: "},
		"budget": {mcpserver.Config{Open: tired}, "runtask: the task did not finish: round: a bound was reached"},
		"open":   {mcpserver.Config{Open: failing(fmt.Errorf("db://me:%s@host", token))}, mcpserver.ErrOpen.Error()},
		"refuse": {mcpserver.Config{Open: failing(fmt.Errorf("not you: %w", &mcpserver.RefusalError{Reason: "Ask your admin."}))}, "mcpserver: refused: Ask your admin."},
		"none":   {mcpserver.Config{Open: failing(nil)}, "runtask: there is no session"},
		"panic":  {mcpserver.Config{Open: func(context.Context, *mcpserver.Call) (*round.Session, error) { panic(token) }}, mcpserver.ErrPanic.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			test.config.Logger = slog.New(slog.NewTextHandler(&log, nil))
			c, _ := memory(t, newServer(t, test.config), nil)
			for range 2 { // the server goes on
				res := c.did(t, "do it")
				assert.True(t, res.IsError)
				assert.Nil(t, res.StructuredContent)
				assert.True(t, strings.HasPrefix(text(t, res), test.want), text(t, res))
				assert.NotContains(t, text(t, res), token)
			}
			switch name {
			case "open", "panic":
				assert.Contains(t, log.String(), token, "whoever runs the server is told")
			default:
				assert.Empty(t, log.String())
			}
		})
	}
}

func TestArguments(t *testing.T) {
	c, _ := memory(t, newServer(t, newOffice().plays(done)), nil)
	for name, test := range map[string]struct {
		arguments any
		want      string
	}{
		"nothing": {nil, "request"},
		"empty":   {map[string]any{}, "request"},
		"blank":   {map[string]any{"request": " \n"}, round.ErrNoRequest.Error()},
		"number":  {map[string]any{"request": 3}, "arguments"},
		"more":    {map[string]any{"request": "x", "dry_run": true}, `dry_run`},
		"list":    {[]string{"x"}, "arguments"},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "run_task", Arguments: test.arguments})
			require.NoError(t, err)
			assert.True(t, res.IsError)
			assert.Contains(t, text(t, res), test.want)
		})
	}
	_, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "run_tasks"})
	assert.ErrorContains(t, err, "unknown tool", "of the protocol")
}

func TestConfig(t *testing.T) {
	open := newOffice().plays().Open
	session, err := newOffice().session(nil, nil)
	require.NoError(t, err)
	for name, config := range map[string]mcpserver.Config{
		"nothing":  {},
		"both":     {Open: open, Session: session},
		"several":  {Session: session, MaxConcurrent: 2},
		"any":      {Session: session, MaxConcurrent: -1},
		"tool":     {Open: open, Tool: &runtask.Options{Name: "run task"}},
		"long":     {Open: open, Tool: &runtask.Options{Name: strings.Repeat("x", 129)}},
		"port":     {Open: open, Hosts: []string{"desk.example:80"}},
		"host":     {Open: open, Hosts: []string{"*.example"}},
		"no host":  {Open: open, Hosts: []string{""}},
		"origin":   {Open: open, Origins: []string{"desk.example"}},
		"no blank": {Open: open, Origins: []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mcpserver.New(config)
			require.ErrorContains(t, err, "mcpserver: bad config: ")
			if name == "nothing" {
				assert.ErrorContains(t, err, "one of Open and Session is needed")
			}
		})
	}
	_, err = mcpserver.New(mcpserver.Config{
		Open: open, Hosts: []string{"desk.example", "::1"}, Origins: []string{"https://desk.example"}, Tool: &runtask.Options{Name: "a-B_9."},
		CloseTimeout: -1, SessionTimeout: -time.Second, MaxConcurrent: -1, MaxWaiting: -1,
	})
	assert.NoError(t, err)
}
