package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// patience is how long a program of others may take.
const patience = 2 * time.Minute

// desk builds the example.
func desk(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "desk")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, "../example").CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

// deskHTTP runs it over HTTP until the test ends.
func deskHTTP(t *testing.T, path string) string {
	t.Helper()
	cmd := exec.Command(path, "-http", "127.0.0.1:0") //nolint:noctx // it is told to end, so that it can clean up
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		assert.NoError(t, cmd.Wait(), "it ends in good order")
	})
	line, err := bufio.NewReader(stderr).ReadString('\n')
	require.NoError(t, err)
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "serving on ")
	require.True(t, ok, line)
	return url
}

// inspect does one request with the inspector, and decodes what it prints.
func inspect(t *testing.T, into any, args ...string) {
	t.Helper()
	argv := realpartstest.Inspector(t, append([]string{"--cli"}, args...)...)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &stderr
	require.NoError(t, cmd.Run(), short(stderr.String()))
	require.NoError(t, json.Unmarshal(out.Bytes(), into), short(out.String()))
}

// short is the beginning of what a program printed: a stack trace of a bundle is long.
func short(text string) string { return text[:min(len(text), 600)] }

func TestRealInspector(t *testing.T) {
	realpartstest.Need(t)
	path := desk(t)
	for name, target := range map[string][]string{
		"stdio": {path},
		"http":  {deskHTTP(t, path), "--transport", "http"},
	} {
		t.Run(name, func(t *testing.T) {
			request := func(into any, args ...string) { inspect(t, into, append(append([]string{}, target...), args...)...) }
			var list struct {
				Tools []struct {
					Name, Title               string
					InputSchema, OutputSchema any
					Annotations               map[string]any
				}
			}
			request(&list, "--method", "tools/list")
			require.Len(t, list.Tools, 1)
			tool := list.Tools[0]
			assert.Equal(t, []string{"run_task", "Do a task on the desktop"}, []string{tool.Name, tool.Title})
			assert.Equal(t, map[string]any{"destructiveHint": true, "idempotentHint": false, "openWorldHint": true, "readOnlyHint": false}, tool.Annotations)

			type result struct {
				IsError           bool
				StructuredContent map[string]any
				Content           []struct{ Type, Text string }
			}
			var good result // the inspector checks it by the schema of the output
			request(&good, "--method", "tools/call", "--tool-name", "run_task", "--tool-arg", "request=What does Ada want?")
			assert.False(t, good.IsError)
			assert.Equal(t, "FINISH", good.StructuredContent["outcome"])
			assert.Equal(t, "Ada asks whether you meet for lunch in the first week of May.", good.StructuredContent["answer"])
			require.Len(t, good.Content, 1)
			fits(t, tool.OutputSchema, good.StructuredContent)

			// The inspector's command line cannot ask a person.
			var bad result
			request(&bad, "--method", "tools/call", "--tool-name", "run_task", "--tool-arg", "request=Put it in my calendar.")
			assert.True(t, bad.IsError)
			assert.Nil(t, bad.StructuredContent)
			require.Len(t, bad.Content, 1)
			assert.Contains(t, bad.Content[0].Text, "there is nobody to ask")
		})
	}
}
