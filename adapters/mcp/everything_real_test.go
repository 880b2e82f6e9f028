//go:build unix

package mcp_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

var ways = []string{"stdio", "http"}

func overBoth(t *testing.T, test func(t *testing.T, way string)) {
	realpartstest.Need(t)
	for _, way := range ways {
		t.Run(way, func(t *testing.T) { test(t, way) })
	}
}

// A server that nobody here wrote passes what every Desktop has to.
func TestRealEverythingConforms(t *testing.T) {
	overBoth(t, func(t *testing.T, way string) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
			return open(t, mcp.Config{Servers: []mcp.Server{everything(t, way)}})
		}, &desktoptest.Options{
			Safe:    desktop.Command{ToolName: "echo", Parameters: map[string]any{"message": "hello"}},
			Failing: desktop.Command{ToolName: "get-resource-reference", Parameters: map[string]any{"resourceId": -1}},
			Slow:    desktop.Command{ToolName: "trigger-long-running-operation", Parameters: map[string]any{"duration": 60, "steps": 2}},
			Grace:   patience,
		})
	})
}

func TestRealEverythingContent(t *testing.T) {
	overBoth(t, func(t *testing.T, way string) {
		d := open(t, mcp.Config{Servers: []mcp.Server{everything(t, way)}})
		assert.Equal(t, "Echo: hello", call(t, d, "echo", map[string]any{"message": "hello"}).Text())

		image := call(t, d, "get-tiny-image", nil)
		var pictures int
		for _, c := range image.Content {
			if c.Image != nil {
				pictures++
				assert.Equal(t, "image/png", c.Image.MediaType)
				assert.Equal(t, "\x89PNG", string(c.Image.Data[:4]))
			}
		}
		assert.Equal(t, 1, pictures)

		weather := call(t, d, "get-structured-content", map[string]any{"location": "New York"})
		require.Len(t, weather.Content, 1, "the text repeats it and is left out")
		var said struct{ Temperature, Humidity float64 }
		require.NoError(t, json.Unmarshal(weather.Content[0].JSON, &said))
		assert.NotZero(t, said.Humidity)

		annotated := call(t, d, "get-annotated-message", map[string]any{"messageType": "error", "includeImage": true})
		assert.Contains(t, annotated.Text(), "Error: Operation failed")
		assert.NotNil(t, annotated.Content[len(annotated.Content)-1].Image)

		resource := call(t, d, "get-resource-reference", map[string]any{"resourceType": "Text", "resourceId": 1})
		assert.Contains(t, resource.Text(), "[resource demo://resource/dynamic/text/1]")
		blob := call(t, d, "get-resource-reference", map[string]any{"resourceType": "Blob", "resourceId": 2})
		assert.Contains(t, blob.Text(), "[resource demo://resource/dynamic/blob/2 of ")
		links := call(t, d, "get-resource-links", map[string]any{"count": 3})
		assert.Equal(t, 3, strings.Count(links.Text(), "[link demo://"))

		for name, command := range map[string]desktop.Command{
			"schema":  {ToolName: "get-sum", Parameters: map[string]any{"a": "one", "b": 2}},
			"server":  {ToolName: "get-resource-reference", Parameters: map[string]any{"resourceId": -1}},
			"unknown": {ToolName: "get-nothing"},
		} {
			res, err := d.Execute(t.Context(), command)
			require.NoError(t, err, name)
			assert.Equal(t, desktop.Failure, res.Status, name)
			assert.NotEmpty(t, res.Error, name)
		}
	})
}

// A call that takes long comes back when its context ends, and the session is
// still good.
func TestRealEverythingCancel(t *testing.T) {
	overBoth(t, func(t *testing.T, way string) {
		noMoreGoroutines(t)
		d := open(t, mcp.Config{Servers: []mcp.Server{everything(t, way)}})
		slow := desktop.Command{ToolName: "trigger-long-running-operation", Parameters: map[string]any{"duration": 600, "steps": 6000}}
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(300*time.Millisecond, func() { cancel(errEnough) })
		_, err := d.Execute(ctx, slow)
		require.ErrorIs(t, err, errEnough)
		limited, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer stop()
		_, err = d.Execute(limited, slow)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, "Echo: still here", call(t, d, "echo", map[string]any{"message": "still here"}).Text())
		require.NoError(t, d.Close())
	})
}

func TestRealEverythingRoots(t *testing.T) {
	overBoth(t, func(t *testing.T, way string) {
		dir := t.TempDir()
		d := open(t, mcp.Config{Servers: []mcp.Server{everything(t, way)}, Roots: []string{dir}})
		assert.Contains(t, call(t, d, "get-roots-list", nil).Text(), "file://"+dir)
		none := open(t, mcp.Config{Servers: []mcp.Server{everything(t, way)}})
		assert.NotContains(t, names(t, none), "get-roots-list", "the server offers it to those that have roots")
	})
}

// The list changes after the server has heard what this side can do.
func TestRealEverythingListChanges(t *testing.T) {
	overBoth(t, func(t *testing.T, way string) {
		d := open(t, mcp.Config{Servers: []mcp.Server{everything(t, way)}})
		require.Eventually(t, func() bool {
			tools, err := d.Tools(t.Context())
			if err != nil { // this is no goroutine for require
				return false
			}
			for _, tool := range tools {
				if tool.Name == "trigger-elicitation-request" {
					return true
				}
			}
			return false
		}, 2*time.Minute, 20*time.Millisecond)
		assert.NotContains(t, names(t, d), "trigger-sampling-request")
		screen, err := d.Screen()
		require.NoError(t, err)
		windows, err := desktop.Windows(t.Context(), screen)
		require.NoError(t, err)
		assert.Equal(t, "Everything Reference Server", windows[0].Title)
		assert.NotEmpty(t, windows[0].Description)
	})
}

// Only what is named reaches the server.
func TestRealEverythingEnvironment(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-not-for-you")
	server := everything(t, "stdio")
	server.Env = []string{"MINE=yes please"}
	env := call(t, open(t, mcp.Config{Servers: []mcp.Server{server}}), "get-env", nil).Text()
	var got map[string]string
	require.NoError(t, json.Unmarshal([]byte(env), &got))
	assert.Equal(t, "yes please", got["MINE"])
	assert.NotContains(t, env, "sk-not-for-you")
	for name := range got {
		assert.Contains(t, []string{"MINE", "HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"}, name)
	}
}

// Two servers of one program have all names twice.
func TestRealEverythingTwice(t *testing.T) {
	one, two := everything(t, "stdio"), everything(t, "http")
	one.Name, two.Name = "near", "far"
	d := open(t, mcp.Config{Servers: []mcp.Server{one, two}})
	assert.NotContains(t, names(t, d), "echo")
	for _, name := range []string{"near.echo", "far.echo"} {
		assert.Equal(t, "Echo: "+name, call(t, d, name, map[string]any{"message": name}).Text())
	}
	near, far := call(t, d, "near.get-env", nil).Text(), call(t, d, "far.get-env", nil).Text()
	assert.NotContains(t, near, `"PORT"`)
	assert.Contains(t, far, `"PORT"`, "each call went to its own server")
}
