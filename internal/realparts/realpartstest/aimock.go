// Package realpartstest starts the programs of others that install.sh beside it
// installs, for the tests of adapters with the tag e2e. What it starts it stops
// when the test ends.
package realpartstest

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Fixture says what aimock answers, and to what.
type Fixture struct {
	Match    map[string]any `json:"match"`
	Response map[string]any `json:"response"`
	Chaos    map[string]any `json:"chaos,omitempty"`
}

// Always matches every request.
func Always(response map[string]any) Fixture {
	return Fixture{Match: map[string]any{"endpoint": "chat"}, Response: response}
}

// InOrder answers with each response once.
func InOrder(responses ...map[string]any) (list []Fixture) {
	for i, r := range responses {
		list = append(list, Fixture{Match: map[string]any{"endpoint": "chat", "sequenceIndex": i}, Response: r})
	}
	return list
}

// Failure is a response that fails with a status and these words.
func Failure(status int, words string) map[string]any {
	return map[string]any{"status": status, "error": map[string]any{"message": words, "type": "a_type"}}
}

// Aimock is a server of @copilotkit/aimock: one for each test, since it counts
// requests for all of its clients together.
type Aimock struct {
	URL     string      // without a path
	Process *os.Process // to be killed in mid-call
}

var listening = regexp.MustCompile(`listening on (http://\S+)`)

// Start starts a server on a free port of loopback, and stops it when the
// test ends. Extra is added to its environment.
func Start(t testing.TB, fixtures []Fixture, extra ...string) *Aimock {
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
	return &Aimock{URL: url, Process: cmd.Process}
}
