package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/round/runtask"
)

// scenario is one of the official suite, for a server of tasks.
type scenario struct {
	tool    string                         // the name that the suite wants it to have; "": any
	replies []any                          // of the model
	also    func(t *testing.T, o *outcome) // what the suite does not look at
}

// outcome is what the server saw.
type outcome struct {
	results []map[string]any // of tools/call
	deleted []string
}

func failed(t *testing.T, o *outcome) {
	t.Helper()
	require.Len(t, o.results, 1)
	assert.Equal(t, true, o.results[0]["isError"])
	assert.Empty(t, o.deleted)
}

func finished(t *testing.T, o *outcome) {
	t.Helper()
	require.Len(t, o.results, 1)
	assert.NotContains(t, o.results[0], "isError")
	assert.Equal(t, "FINISH", o.results[0]["structuredContent"].(map[string]any)["outcome"])
}

// applies are the scenarios for a server with one tool, which does tasks.
var applies = map[string]scenario{
	"server-initialize":           {},
	"ping":                        {},
	"tools-list":                  {},
	"dns-rebinding-protection":    {},
	"server-sse-multiple-streams": {},
	"tools-call-simple-text":      {tool: "test_simple_text", replies: []any{done}, also: finished},
	"tools-call-error":            {tool: "test_error_handling", replies: []any{`{"Status": "FAIL", "Comment": "This is a failure for testing."}`}, also: failed},
	"tools-call-with-progress":    {tool: "test_tool_with_progress", replies: []any{looking, looking, done}, also: finished},
	// The client of the suite answers with names that were not asked for: that is a
	// form that was not filled in, and no answer.
	"tools-call-elicitation": {tool: "test_elicitation", replies: []any{asking, done}, also: failed},
}

// not are those that do not apply, and why.
var not = map[string]string{
	"logging-set-level":             "the protocol deprecates logging",
	"tools-call-with-logging":       "the protocol deprecates logging",
	"completion-complete":           "no prompts, no resource templates: nothing to complete",
	"tools-call-image":              "a result is JSON; pictures stay at the desktop",
	"tools-call-audio":              "a result is JSON",
	"tools-call-embedded-resource":  "a result is JSON",
	"tools-call-mixed-content":      "a result is JSON",
	"tools-call-sampling":           "agents use their own model, not the client's",
	"json-schema-2020-12":           "needs a tool that the suite defines",
	"elicitation-sep1034-defaults":  "needs a form that the suite defines; forms here have no defaults, so that only a person says yes",
	"elicitation-sep1330-enums":     "needs a form that the suite defines; questions here have no list of answers",
	"server-sse-polling":            "a broken stream ends its call and is not resumed",
	"resources-list":                "no resources",
	"resources-read-text":           "no resources",
	"resources-read-binary":         "no resources",
	"resources-templates-read":      "no resources",
	"resources-subscribe":           "no resources",
	"resources-unsubscribe":         "no resources",
	"prompts-list":                  "no prompts",
	"prompts-get-simple":            "no prompts",
	"prompts-get-with-args":         "no prompts",
	"prompts-get-embedded-resource": "no prompts",
	"prompts-get-with-image":        "no prompts",
}

// suite runs the conformance suite and returns what it printed.
func suite(t *testing.T, args ...string) (string, error) {
	t.Helper()
	argv := realpartstest.Conformance(t, args...)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = t.TempDir() // it writes files where it is
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Each scenario of the suite is run, or there is a reason why not.
func TestRealConformanceList(t *testing.T) {
	out, err := suite(t, "list", "--server")
	require.NoError(t, err, short(out))
	var listed []string
	for _, line := range regexp.MustCompile(`(?m)^ +- (\S+) `).FindAllStringSubmatch(out, -1) {
		listed = append(listed, line[1])
	}
	assert.ElementsMatch(t, listed, slices.Concat(slices.Collect(maps.Keys(applies)), slices.Collect(maps.Keys(not))))
}

var passed = regexp.MustCompile(`Passed: (\d+)/(\d+), (\d+) failed, (\d+) warnings`)

func TestRealConformance(t *testing.T) {
	realpartstest.Need(t)
	for name, s := range applies {
		t.Run(name, func(t *testing.T) {
			o := newOffice()
			config := o.plays(s.replies...)
			config.Tool = &runtask.Options{Name: s.tool}
			var seen outcome
			url := listen(t, withRequest(t, newServer(t, config).Handler(), &seen))
			out, err := suite(t, "server", "--url", url+"/mcp", "--scenario", name)
			require.NoError(t, err, short(out))
			found := passed.FindStringSubmatch(out)
			require.NotNil(t, found, short(out))
			assert.Equal(t, []string{found[2], "0", "0"}, []string{found[1], found[3], found[4]}, short(out))
			assert.NotEqual(t, "0", found[1])
			if s.also != nil {
				seen.deleted = o.gone()
				s.also(t, &seen)
			}
		})
	}
}

// withRequest gives calls of the tool the argument that it needs, which the suite
// does not know, and remembers their results.
func withRequest(t *testing.T, inner http.Handler, seen *outcome) http.Handler {
	t.Helper()
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		assert.NoError(t, err)
		var message struct {
			JSONRPC string         `json:"jsonrpc"`
			ID      any            `json:"id,omitempty"`
			Method  string         `json:"method"`
			Params  map[string]any `json:"params,omitempty"`
		}
		call := json.Unmarshal(body, &message) == nil && message.Method == "tools/call"
		if call {
			message.Params["arguments"] = map[string]any{"request": "a task of the suite"}
			body, err = json.Marshal(message)
			assert.NoError(t, err)
		}
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		copied := &tee{ResponseWriter: w}
		inner.ServeHTTP(copied, req)
		if !call {
			return
		}
		for _, data := range regexp.MustCompile(`(?m)^data: (.*)$`).FindAllSubmatch(copied.body.Bytes(), -1) {
			var response struct{ Result map[string]any }
			if json.Unmarshal(data[1], &response) == nil && response.Result != nil {
				seen.results = append(seen.results, response.Result)
			}
		}
	})
}

// tee keeps what is sent.
type tee struct {
	http.ResponseWriter
	body bytes.Buffer
}

func (w *tee) Write(b []byte) (int, error) {
	w.body.Write(b)
	return w.ResponseWriter.Write(b)
}

func (w *tee) Unwrap() http.ResponseWriter { return w.ResponseWriter }
