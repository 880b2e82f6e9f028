//go:build e2e

package anthropic_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/anthropic"
	"github.com/agentfsm/agentfsm/llm"
)

// fixture says what aimock answers, and to what.
type fixture struct {
	Match    map[string]any `json:"match"`
	Response map[string]any `json:"response"`
	Chaos    map[string]any `json:"chaos,omitempty"`
}

// always matches every request.
func always(response map[string]any) fixture {
	return fixture{Match: map[string]any{"endpoint": "chat"}, Response: response}
}

// inOrder answers with each response once.
func inOrder(responses ...map[string]any) (list []fixture) {
	for i, r := range responses {
		list = append(list, fixture{Match: map[string]any{"endpoint": "chat", "sequenceIndex": i}, Response: r})
	}
	return list
}

func failure(status int, words string) map[string]any {
	return map[string]any{"status": status, "error": map[string]any{"message": words, "type": "a_type"}}
}

// aimock is a server of @copilotkit/aimock: one for each test, since it counts
// requests for all of its clients together.
type aimock struct {
	url     string
	process *os.Process
}

// part is a file of what internal/realparts/install.sh installs.
func part(t testing.TB, path string) string {
	t.Helper()
	folder := os.Getenv("AGENTFSM_REALPARTS")
	if folder == "" {
		folder = filepath.Join("..", "..", "internal", "realparts", ".parts")
	}
	name := filepath.Join(folder, "node_modules", filepath.FromSlash(path))
	if _, err := os.Stat(name); err != nil {
		t.Fatalf("%v: this test needs software that is not installed: run internal/realparts/install.sh, or set AGENTFSM_REALPARTS", err)
	}
	return name
}

var listening = regexp.MustCompile(`listening on (http://\S+)`)

// startMock starts a server on a free port of loopback, and stops it when the
// test ends. Extra is added to its environment.
func startMock(t testing.TB, fixtures []fixture, extra ...string) *aimock {
	t.Helper()
	text, err := json.Marshal(map[string]any{"fixtures": fixtures})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "fixtures.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))

	cmd := exec.CommandContext(t.Context(), "node", part(t, "@copilotkit/aimock/dist/cli.js"),
		"-p", "0", "-h", "127.0.0.1", "-f", file, "--strict", "--validate-on-load", "--log-level", "info")
	cmd.Env = append(os.Environ(), extra...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = cmd.Stdout // one pipe for both: what went wrong is said before the end
	require.NoError(t, cmd.Start())
	urls, said := make(chan string, 1), ""
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(urls)
		for lines := bufio.NewScanner(out); lines.Scan(); { // to the end, so that the server never waits
			if found := listening.FindStringSubmatch(lines.Text()); found != nil {
				urls <- found[1]
			}
			said += lines.Text() + "\n"
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-done
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Log(said)
		}
	})
	url, ok := <-urls
	require.True(t, ok, "aimock does not start")
	return &aimock{url: url, process: cmd.Process}
}

func (a *aimock) model(t testing.TB) llm.Model {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	m, err := anthropic.New(anthropic.Config{
		Model: "claude-parrot", BaseURL: a.url, APIKey: key, HTTPClient: &http.Client{Transport: transport},
	})
	require.NoError(t, err)
	return m
}

// call is what the journal of aimock has of a request: the messages in the form
// that it has for all protocols, with the system parameter first, and without
// images and the output format.
type call struct {
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    struct {
		Model    string `json:"model"`
		Messages []struct {
			Role    string `json:"role"`
			Content string `json:"content"`
		} `json:"messages"`
		MaxTokens   int      `json:"max_tokens"`
		Temperature *float64 `json:"temperature"`
	} `json:"body"`
	Response struct {
		Status int `json:"status"`
	} `json:"response"`
}

// journal is what the server was asked.
func (a *aimock) journal(t testing.TB) (calls []call) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.url+"/__aimock/journal", http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&calls))
	return calls
}
