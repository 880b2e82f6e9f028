package realpartstest

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

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
	argv := script(t, "@copilotkit/aimock/dist/cli.js", "-p", "0", "-h", "127.0.0.1", "--strict", "--validate-on-load", "--log-level", "info")
	text, err := json.Marshal(map[string]any{"fixtures": fixtures})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "fixtures.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))

	cmd := exec.CommandContext(t.Context(), argv[0], append(argv[1:], "-f", file)...)
	cmd.Env = append(os.Environ(), extra...)
	EndWithTest(cmd)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = cmd.Stdout // one pipe for both: what went wrong is said before the end
	require.NoError(t, cmd.Start())
	urls, said := make(chan string, 1), ""
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(urls)
		for lines := bufio.NewReader(out); ; { // to the end, so that the server never waits
			line, err := lines.ReadString('\n') // of any length: it may be a request
			said += line
			if found := listening.FindStringSubmatch(line); found != nil {
				select {
				case urls <- found[1]:
				default: // it has said so before
				}
			}
			if err != nil {
				return
			}
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
	select {
	case url, ok := <-urls:
		require.True(t, ok, "aimock does not start")
		return &Aimock{URL: url, Process: cmd.Process}
	case <-time.After(2 * time.Minute):
		require.FailNow(t, "aimock does not say where it listens")
		return nil
	}
}

// Call is what aimock has on record of a request.
type Call struct {
	Path     string            `json:"path"`
	Headers  map[string]string `json:"headers"`
	Body     json.RawMessage   `json:"body"` // of Anthropic's protocol, in the form that it has for all: see Journal
	Response struct {
		Status int `json:"status"`
	} `json:"response"`
}

// Journal is what the server was asked. Requests in the protocol of OpenAI are there as
// they came. Of those in others the messages are in OpenAI's form, with what is said to
// the system first, and without images and formats.
func (a *Aimock) Journal(t testing.TB) (calls []Call) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.URL+"/__aimock/journal", http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&calls))
	return calls
}
