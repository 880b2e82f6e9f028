package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// What MCP says of annotations that are absent is filled in.
func TestAnnotations(t *testing.T) {
	b := newBench(t, "bench")
	for name, a := range map[string]*sdk.ToolAnnotations{
		"silent":     nil,
		"empty":      {},
		"reads":      {ReadOnlyHint: true, OpenWorldHint: no()},
		"only reads": {ReadOnlyHint: true, DestructiveHint: no(), OpenWorldHint: no()},
		"both":       {ReadOnlyHint: true, DestructiveHint: yes(), OpenWorldHint: no()},
		"harmless":   {DestructiveHint: no(), IdempotentHint: true, OpenWorldHint: yes()},
		"with title": {Title: "of the hints"},
	} {
		b.AddTool(&sdk.Tool{Name: name, InputSchema: map[string]any{"type": "object"}, Annotations: a},
			func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return said(""), nil })
	}
	want := map[string]desktop.Annotations{
		"silent":     {DestructiveHint: true, OpenWorldHint: true},
		"empty":      {DestructiveHint: true, OpenWorldHint: true},
		"reads":      {ReadOnlyHint: true},
		"only reads": {ReadOnlyHint: true},
		"both":       {ReadOnlyHint: true, DestructiveHint: true},
		"harmless":   {IdempotentHint: true, OpenWorldHint: true},
		"with title": {DestructiveHint: true, OpenWorldHint: true, Title: "of the hints"},
	}
	for _, believed := range []bool{true, false} {
		d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "b", Transport: b.memory(t), IgnoreAnnotations: !believed}}})
		box, err := desktop.Open(t.Context(), d, nil)
		require.NoError(t, err)
		for name, a := range want {
			if !believed {
				a = desktop.Annotations{Title: a.Title, DestructiveHint: true, OpenWorldHint: true}
			}
			tool, ok := box.Tool(name)
			require.True(t, ok, name)
			assert.Equal(t, a, tool.Annotations, name)
		}
	}
}

// Who says that a tool only reads, and that it destroys, is not taken at its word: the
// class is hints that contradict each other.
func TestContradictingHints(t *testing.T) {
	b := newBench(t, "bench")
	for name, a := range map[string]*sdk.ToolAnnotations{
		"both":             {ReadOnlyHint: true, DestructiveHint: yes()},
		"both, once":       {ReadOnlyHint: true, DestructiveHint: yes(), IdempotentHint: true},
		"both, at home":    {ReadOnlyHint: true, DestructiveHint: yes(), OpenWorldHint: no()},
		"both, with title": {ReadOnlyHint: true, DestructiveHint: yes(), Title: "Only looks"},
	} {
		b.AddTool(&sdk.Tool{Name: name, InputSchema: map[string]any{"type": "object"}, Annotations: a},
			func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return said(""), nil })
		box, err := desktop.Open(t.Context(), open(t, one("b", b.memory(t))), nil)
		require.NoError(t, err)
		tool, ok := box.Tool(name)
		require.True(t, ok)
		cmd := desktop.Command{ToolName: name}
		assert.Equal(t, policies.Deny, policies.ReadOnly()(t.Context(), tool, cmd).Action, name)
		assert.Equal(t, policies.Confirm, policies.AskDestructive()(t.Context(), tool, cmd).Action, name)
		assert.Equal(t, policies.Confirm, policies.Default(t.Context(), tool, cmd).Action, name)
	}
}

func TestContent(t *testing.T) {
	image := pixel(t)
	const exact = `{"id": 9007199254740993}`
	for name, test := range map[string]struct {
		in   *sdk.CallToolResult
		want desktop.Result
	}{
		"text":  {said("hello"), desktop.Result{Content: []desktop.Content{{Text: "hello"}}}},
		"empty": {said(""), desktop.Result{}},
		"image": {&sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{MIMEType: "image/png", Data: image}}},
			desktop.Result{Content: []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: image}}}}},
		"no image": {&sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{MIMEType: "text/html", Data: []byte("<p>")}}},
			desktop.Result{Content: []desktop.Content{{Text: "[image of 3 bytes, type text/html]"}}}},
		"audio": {&sdk.CallToolResult{Content: []sdk.Content{&sdk.AudioContent{MIMEType: "audio/wav", Data: []byte("oom")}}},
			desktop.Result{Content: []desktop.Content{{Text: "[audio of 3 bytes, type audio/wav]"}}}},
		"link": {&sdk.CallToolResult{Content: []sdk.Content{&sdk.ResourceLink{URI: "file:///a", Name: "a", MIMEType: "text/plain", Description: "the first"}}},
			desktop.Result{Content: []desktop.Content{{Text: "[link file:///a; a; text/plain; the first]"}}}},
		"resources": {&sdk.CallToolResult{Content: []sdk.Content{
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///a", Text: "A"}},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///p", MIMEType: "image/png", Blob: image}},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "file:///z", MIMEType: "application/zip", Blob: []byte("PK")}}}},
			desktop.Result{Content: []desktop.Content{
				{Text: "[resource file:///a]\nA"}, {Image: &desktop.Image{MediaType: "image/png", Data: image}},
				{Text: "[resource file:///z of 2 bytes, type application/zip]"}}}},
		"structured": {&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "see below"}}, StructuredContent: map[string]any{"n": 1}},
			desktop.Result{Content: []desktop.Content{{Text: "see below"}, {JSON: []byte(`{"n":1}`)}}}},
		"structured twice": {&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: exact}}, StructuredContent: json.RawMessage(exact)},
			desktop.Result{Content: []desktop.Content{{JSON: []byte(exact)}}}},
		"text twice": {&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "milk"}}, StructuredContent: map[string]any{"content": "milk"}},
			desktop.Result{Content: []desktop.Content{{Text: "milk"}}}},
		"other text": {&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "milk"}}, StructuredContent: map[string]any{"content": "eggs"}},
			desktop.Result{Content: []desktop.Content{{Text: "milk"}, {JSON: []byte(`{"content":"eggs"}`)}}}},
		"picture twice": {&sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{MIMEType: "image/png", Data: image}},
			StructuredContent: map[string]any{"content": []any{map[string]any{"type": "image", "mimeType": "image/png", "data": image}}}},
			desktop.Result{Content: []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: image}}}}},
		"failure": {&sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: "no"}, &sdk.ImageContent{MIMEType: "image/png", Data: image}}},
			desktop.Result{Status: desktop.Failure, Error: "no", Content: []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: image}}}}},
		"silent failure": {&sdk.CallToolResult{IsError: true}, desktop.Result{Status: desktop.Failure, Error: "the tool failed and did not say why"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "bench")
			b.add("it", test.in)
			if test.want.Status == "" {
				test.want.Status = desktop.Success
			}
			assert.Equal(t, test.want, call(t, open(t, one("b", b.memory(t))), "it", nil))
		})
	}
}

// Parameters reach the server as an object, also when there are none.
func TestArguments(t *testing.T) {
	b := newBench(t, "bench")
	b.AddTool(&sdk.Tool{Name: "echo", InputSchema: map[string]any{"type": "object"}},
		func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return said(string(req.Params.Arguments)), nil
		})
	d := open(t, one("b", b.memory(t)))
	assert.Equal(t, "{}", call(t, d, "echo", nil).Text())
	assert.JSONEq(t, `{"a":[1,null]}`, call(t, d, "echo", map[string]any{"a": []any{1, nil}}).Text())
	res := call(t, d, "note", map[string]any{"txet": "x"})
	assert.Equal(t, desktop.Failure, res.Status)
	assert.Contains(t, res.Error, `"text" is required`)
	assert.Zero(t, b.notes.Load())
}

// Names are the servers' own as long as they are clear.
func TestNames(t *testing.T) {
	a, b := newBench(t, "a"), newBench(t, "b")
	b.RemoveTools("look", "note", "refuse")
	b.add("b_only", said("from b"))
	b.add(desktop.GetUITree, said("a trap"))
	b.add("a.sleep", said("another trap"))
	servers := func(change func(*mcp.Server)) []mcp.Server {
		second := mcp.Server{Name: "b", Transport: b.memory(t)}
		change(&second)
		return []mcp.Server{{Name: "a", Transport: a.memory(t)}, second}
	}
	d := open(t, mcp.Config{Servers: servers(func(*mcp.Server) {})})
	assert.Equal(t, []string{"look", "note", "refuse", "a.sleep", "b.a.sleep", "b_only", "b.get_ui_tree", "b.sleep"}, names(t, d),
		"a well-known name would be used without a policy, and a.sleep looks like a tool of a")
	assert.Equal(t, "from b", call(t, d, "b_only", nil).Text())

	d = open(t, mcp.Config{Servers: servers(func(s *mcp.Server) { s.WellKnown, s.Only = true, []string{"get_ui_tree", "sleep"} })})
	assert.Equal(t, []string{"look", "note", "refuse", "a.sleep", "get_ui_tree", "b.sleep"}, names(t, d))
	assert.Equal(t, "a trap", call(t, d, "get_ui_tree", nil).Text())
	res := call(t, d, "b_only", nil)
	assert.Equal(t, desktop.Failure, res.Status)
	assert.Contains(t, res.Error, "unknown tool")

	d = open(t, mcp.Config{Servers: servers(func(s *mcp.Server) { s.Only = []string{} })})
	assert.Equal(t, []string{"look", "note", "refuse", "sleep"}, names(t, d))
	assert.Equal(t, []string{"look", "note", "refuse", "sleep"}, names(t, d.Server("a")))
}

// A tool that comes later is there in the next list, and can be called before it.
func TestListChanges(t *testing.T) {
	for _, version := range []string{older, newest} {
		t.Run(version, func(t *testing.T) {
			b := newBench(t, "bench")
			d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "b", Transport: b.memory(t), ProtocolVersion: version}}})
			assert.NotContains(t, names(t, d), "late")
			b.add("late", said("here I am"))
			assert.Equal(t, "here I am", call(t, d, "late", nil).Text())
			assert.Contains(t, names(t, d), "late")
			b.RemoveTools("late")
			res := call(t, d, "late", nil) // still remembered: the server says no
			assert.Equal(t, desktop.Failure, res.Status)
			assert.NotContains(t, names(t, d), "late")
		})
	}
}

// Tools that nobody could use are left out, and the log says so.
func TestUnusableTools(t *testing.T) {
	b := newBench(t, "bench")
	var log bytes.Buffer
	pages := map[string]*sdk.ListToolsResult{
		"":  {NextCursor: "2", Tools: []*sdk.Tool{{Name: "good"}, {Name: ""}, {Name: "bad", InputSchema: map[string]any{"type": 7}}}},
		"2": {Tools: []*sdk.Tool{{Name: "good"}, {Name: "fine", InputSchema: map[string]any{"type": "object"}}}},
	}
	b.AddReceivingMiddleware(lists(pages))
	d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "b", Transport: b.memory(t)}}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	assert.Equal(t, []string{"good", "fine"}, names(t, d))
	assert.Equal(t, 3, strings.Count(log.String(), "a tool is left out"))

	round := newBench(t, "bench")
	good := []*sdk.Tool{{Name: "good", InputSchema: map[string]any{"type": "object"}}}
	round.AddReceivingMiddleware(lists(map[string]*sdk.ListToolsResult{"": {NextCursor: "2"}, "2": {NextCursor: "3", Tools: good}, "3": {NextCursor: "2"}}))
	assert.Equal(t, []string{"good"}, names(t, open(t, one("b", round.memory(t)))))
}

// What the schema of a tool needs a Validator for, the agent's Validator decides, and then the server.
func TestToolsThatAValidatorChecks(t *testing.T) {
	b := newBench(t, "bench")
	b.AddTool(&sdk.Tool{Name: "odd", InputSchema: map[string]any{"type": "object", "unevaluatedProperties": false}},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "done"}}}, nil
		})
	d := open(t, one("b", b.memory(t)))
	assert.Contains(t, names(t, d), "odd")
	box, err := desktop.Open(t.Context(), d, nil)
	require.NoError(t, err)
	require.Len(t, box.Unusable(), 1)
	assert.ErrorContains(t, box.Unusable()[0], "nothing checks the keyword")
	box, err = desktop.Open(t.Context(), d, desktop.LeaveToTool)
	require.NoError(t, err)
	assert.Empty(t, box.Unusable())
	res, err := desktop.Execute(t.Context(), d, desktop.Command{ToolName: "odd"})
	require.NoError(t, err)
	assert.Equal(t, "done", res.Text())
}

// lists answers tools/list with pages.
func lists(pages map[string]*sdk.ListToolsResult) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if method != "tools/list" {
				return next(ctx, method, req)
			}
			page := *pages[req.GetParams().(*sdk.ListToolsParams).Cursor]
			return &page, nil
		}
	}
}

// fails answers tools/call with an error of the protocol.
func fails(code int64, message string) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if method != "tools/call" {
				return next(ctx, method, req)
			}
			return nil, &jsonrpc.Error{Code: code, Message: message}
		}
	}
}

func TestProtocolErrors(t *testing.T) {
	for code, failure := range map[int64]bool{
		jsonrpc.CodeInvalidParams: true, jsonrpc.CodeMethodNotFound: true, sdk.CodeURLElicitationRequired: true,
		jsonrpc.CodeInternalError: false, -32000: false, 17: false,
	} {
		b := newBench(t, "bench")
		b.AddReceivingMiddleware(fails(code, "because of s3cret-token and 4711"))
		d := open(t, mcp.Config{Servers: []mcp.Server{{
			Name: "b", URL: web(t, b.Server).URL, Header: http.Header{"Authorization": {"Bearer s3cret-token"}, "X-Pin": {"4711"}},
		}}})
		res, err := d.Execute(t.Context(), desktop.Command{ToolName: "look"})
		if failure {
			require.NoError(t, err)
			assert.Equal(t, desktop.Failure, res.Status)
			if code != jsonrpc.CodeMethodNotFound { // the SDK has its own words for it
				assert.Equal(t, "because of *** and ***", res.Error)
			}
			continue
		}
		var broken *mcp.ServerError
		require.ErrorAs(t, err, &broken)
		require.ErrorIs(t, err, mcp.ErrProtocol)
		assert.Equal(t, code, broken.Code)
		assert.ErrorContains(t, err, "because of *** and ***")
	}
}

// A call that is cancelled stops at the server.
func TestCancel(t *testing.T) {
	for _, version := range []string{older, newest} {
		for _, way := range []string{"memory", "web"} {
			t.Run(version+way, func(t *testing.T) {
				b := newBench(t, "bench")
				server := mcp.Server{Name: "b", ProtocolVersion: version}
				if way == "web" {
					server.URL = web(t, b.Server).URL
				} else {
					server.Transport = b.memory(t)
				}
				d := open(t, mcp.Config{Servers: []mcp.Server{server}})
				ctx, cancel := context.WithCancelCause(t.Context())
				go func() {
					<-b.started
					cancel(errEnough)
				}()
				_, err := d.Execute(ctx, desktop.Command{ToolName: "sleep"})
				require.ErrorIs(t, err, errEnough)
				assert.Equal(t, "sleep", <-b.stopped)
				assert.Equal(t, "all is well", call(t, d, "look", nil).Text(), "the session is still good")
			})
		}
	}
}

// Close ends what is running, and the server sees it.
func TestCloseEndsCalls(t *testing.T) {
	b := newBench(t, "bench")
	d := open(t, one("b", b.memory(t)))
	go func() {
		<-b.started
		_ = d.Close()
	}()
	_, err := d.Execute(context.Background(), desktop.Command{ToolName: "sleep"})
	require.ErrorIs(t, err, mcp.ErrClosed)
	assert.Equal(t, "sleep", <-b.stopped)
}
