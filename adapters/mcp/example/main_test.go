package main

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// serve runs the program over HTTP, and returns its URL and a func that ends it.
func serve(t *testing.T) (url string, end func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"-http", "127.0.0.1:0"}, write)
		_ = write.Close()
	}()
	line, err := bufio.NewReader(read).ReadString('\n')
	require.NoError(t, err)
	go func() { _, _ = io.Copy(io.Discard, read) }()
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "serving on ")
	require.True(t, ok, line)
	url, _, _ = strings.Cut(url, ";")
	return url, func() error {
		cancel()
		return <-ended
	}
}

func TestRun(t *testing.T) {
	url, end := serve(t)
	var asked []string
	told := make(chan string, 64)
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked = append(asked, req.Params.Message)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "the third", "approve": true}}, nil
		},
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { told <- req.Params.Message },
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
	require.NoError(t, err)
	for request, want := range map[string]string{
		"What does Ada want?":    "Ada asks whether you meet for lunch in the first week of May.",
		"Put it in my calendar.": "Lunch with Ada is in the calendar.",
	} {
		params := &mcp.CallToolParams{Name: "run_task", Arguments: map[string]any{"request": request}}
		params.SetProgressToken(request)
		res, err := session.CallTool(t.Context(), params)
		require.NoError(t, err)
		require.False(t, res.IsError)
		assert.Equal(t, want, res.StructuredContent.(map[string]any)["answer"])
	}
	assert.Equal(t, "Clerk: CONTINUE → CONTINUE", <-told)
	require.Len(t, asked, 2)
	assert.Contains(t, asked[0], "Which day of the first week of May?")
	assert.Contains(t, asked[1], `Allow set_event {"day":"3 May","title":"Lunch with Ada"}`)
	require.NoError(t, session.Close())
	assert.NoError(t, end())
}

// Without a yes, the calendar stays as it is.
func TestRunNotApproved(t *testing.T) {
	url, end := serve(t)
	decline := func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	for want, ask := range map[string]func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error){
		"not approved": decline, "there is nobody to ask": nil,
	} {
		client := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{ElicitationHandler: ask})
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
		require.NoError(t, err)
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "run_task", Arguments: map[string]any{"request": "calendar"}})
		require.NoError(t, err)
		assert.True(t, res.IsError)
		assert.Contains(t, res.Content[0].(*mcp.TextContent).Text, want)
		require.NoError(t, session.Close())
	}
	require.NoError(t, end())
}

// Sessions that are open do not keep the program.
func TestRunEnds(t *testing.T) {
	url, end := serve(t)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
	require.NoError(t, err)
	assert.NoError(t, end())
	_ = session.Close()
}

func TestRunFails(t *testing.T) {
	require.Error(t, run(t.Context(), []string{"-http", "no address"}, io.Discard))
	require.Error(t, run(t.Context(), []string{"-unknown"}, io.Discard))
}
