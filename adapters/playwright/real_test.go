package playwright_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/internal/sample"
)

var update = flag.Bool("update", false, "write testdata/answers and testdata/tools.json anew")

// site serves testdata/pages.
func site(t testing.TB) string {
	t.Helper()
	srv := httptest.NewServer(http.FileServer(http.Dir("testdata/pages")))
	t.Cleanup(srv.Close)
	return srv.URL
}

// start starts the real server. Each test takes seconds, so a sample has some of them.
func start(t testing.TB, args ...string) desktop.Desktop {
	t.Helper()
	sample.Case(t, 0)
	d, err := mcp.Open(t.Context(), mcp.Config{Servers: []mcp.Server{{Name: "shop", Command: realpartstest.Playwright(t, t.TempDir(), args...)}}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d.Server("shop")
}

var (
	stamps = regexp.MustCompile(`[^( ]*/(page|console)-[0-9TZ-]+\.(yml|png|log)(#L[0-9-]+L?[0-9]*)?`)
	events = regexp.MustCompile(`(?s)\n(- Console: [^\n]*|### Events.*)`)
	where  = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`)
)

// normal leaves out what is another at each run: addresses, times, what the console says.
func normal(answer string) string {
	answer = events.ReplaceAllString(answer, "")
	return where.ReplaceAllString(stamps.ReplaceAllString(answer, "$1.$2"), "http://shop.test")
}

// TestRealRecorded checks that the real server still answers as it did when the answers
// were recorded that the other tests use.
func TestRealRecorded(t *testing.T) {
	server, at := start(t), site(t)
	tools, err := server.Tools(t.Context())
	require.NoError(t, err)
	raw, err := json.MarshalIndent(tools, "", "\t")
	require.NoError(t, err)
	same(t, "testdata/tools.json", string(raw)+"\n")
	for _, step := range steps(at) {
		same(t, step.file(), normal(step.do(t, server))+"\n")
	}
}

// same compares with a file, or writes it.
func same(t *testing.T, file, now string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(now), 0o600))
		return
	}
	was, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, strings.ReplaceAll(string(was), "\r\n", "\n"), now, file)
}
