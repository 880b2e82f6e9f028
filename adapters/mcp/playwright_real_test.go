//go:build unix

package mcp_test

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

const page = `<!doctype html><title>Orders</title><h1>Orders</h1>
<label>Item <input id="item"></label><button onclick="done.textContent = 'ordered ' + item.value">Order</button><p id="done"></p>`

// shop serves a page with a form, and at /slow one that never comes.
func shop(t testing.TB) string {
	t.Helper()
	over := make(chan struct{})
	server := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			select {
			case <-over:
			case <-r.Context().Done():
			}
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(func() { close(over) })
	return server.URL
}

// reference finds how a snapshot calls an element.
func reference(t testing.TB, d desktop.Desktop, role, name string) string {
	t.Helper()
	snapshot := call(t, d, "browser_snapshot", nil).Text()
	found := regexp.MustCompile(role + ` "` + name + `".*\[ref=(\w+)\]`).FindStringSubmatch(snapshot)
	require.NotNil(t, found, snapshot)
	return found[1]
}

func TestRealBrowser(t *testing.T) {
	url, out := shop(t), t.TempDir()
	before := started(t)
	d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "web", Command: realpartstest.Playwright(t, out), Dir: out}}})
	box, err := desktop.Open(t.Context(), d, nil)
	require.NoError(t, err)
	snapshot, ok := box.Tool("browser_snapshot")
	require.True(t, ok)
	assert.True(t, snapshot.Annotations.ReadOnlyHint)
	click, ok := box.Tool("browser_click")
	require.True(t, ok)
	assert.False(t, click.Annotations.ReadOnlyHint)

	call(t, d, "browser_navigate", map[string]any{"url": url})
	item, order := reference(t, d, "textbox", "Item"), reference(t, d, "button", "Order")
	target := "target"
	if !strings.Contains(string(click.InputSchema), `"target"`) {
		target = "ref"
	}
	assert.Equal(t, desktop.Success, call(t, d, "browser_type", map[string]any{"element": "the item", target: item, "text": "milk"}).Status)
	assert.Equal(t, desktop.Success, call(t, d, "browser_click", map[string]any{"element": "the button", target: order}).Status)
	assert.Contains(t, call(t, d, "browser_snapshot", nil).Text(), "ordered milk")

	picture := call(t, d, "browser_take_screenshot", map[string]any{"type": "png", "scale": "css"})
	i := slices.IndexFunc(picture.Content, func(c desktop.Content) bool { return c.Image != nil })
	require.GreaterOrEqual(t, i, 0)
	assert.Equal(t, "image/png", picture.Content[i].Image.MediaType)
	assert.Equal(t, "\x89PNG", string(picture.Content[i].Image.Data[:4]))

	for name, command := range map[string]desktop.Command{
		"stale":   {ToolName: "browser_click", Parameters: map[string]any{"element": "what was there", target: "e4711"}},
		"unknown": {ToolName: "browser_dance"},
		"missing": {ToolName: "browser_navigate"},
	} {
		res, err := d.Execute(t.Context(), command)
		require.NoError(t, err, name)
		assert.Equal(t, desktop.Failure, res.Status, name)
		assert.NotEmpty(t, res.Error, name)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = d.Execute(ctx, desktop.Command{ToolName: "browser_navigate", Parameters: map[string]any{"url": url + "/slow"}})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NoError(t, err2(d.Tools(t.Context())), "the session is still good")

	running := startedSince(t, before)
	assert.Greater(t, len(running), 3, "the server and a browser of several processes")
	require.NoError(t, d.Close())
	gone(t, running...)
}

// A browser does not outlive the crash of its server.
func TestRealBrowserServerIsKilled(t *testing.T) {
	url, out := shop(t), t.TempDir()
	before := started(t)
	d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "web", Command: realpartstest.Playwright(t, out), Dir: out}}})
	call(t, d, "browser_navigate", map[string]any{"url": url})
	running := startedSince(t, before)
	require.Greater(t, len(running), 3)
	kill(t, server(t, before))
	_, err := d.Execute(t.Context(), desktop.Command{ToolName: "browser_snapshot"})
	require.ErrorIs(t, err, mcp.ErrDisconnected)
	require.NoError(t, d.Close())
	gone(t, running...)
}
