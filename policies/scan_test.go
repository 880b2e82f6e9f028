package policies_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

type named string

func TestPaths(t *testing.T) {
	roots := must(policies.NewRoots([]string{"/data"}, &policies.RootOptions{Base: "/data"}))
	schema := json.RawMessage(`{"type": "object", "properties": {
		"where": {"type": "string", "format": "path"}, "pin": {"type": "string", "writeOnly": true},
		"deep": {"type": "object", "properties": {"list": {"type": "array", "items": {"type": "object", "properties": {"where": {"format": "file-path"}}}}}},
		"odd": true}}`)
	p := policies.Paths(roots, &policies.ScanOptions{Parameters: []string{"target"}, Ignore: []string{"note", "y.body", "z"}})
	corpus(t, "paths.txt", func(text string) string { return argued(t, p, schema, text) })
	for want, parameters := range map[string]map[string]any{
		`the path "/etc/x" is not in`: {"path": named("/etc/x")}, "is not in": {"o": struct{ Path string }{"/etc/x"}}, "cannot be read": {"x": func() {}},
	} {
		assert.Contains(t, denial(verdict(p, desktop.Tool{Name: "x"}, parameters)), want)
	}
	assert.Contains(t, verdict(policies.Paths(nil, nil), desktop.Tool{Name: "x"}, map[string]any{"path": "/"}), "deny", "nil roots are none")
	ignoring := policies.Paths(roots, &policies.ScanOptions{Ignore: []string{desktop.RunShell}})
	assert.Equal(t, "allow", verdict(ignoring, desktop.Tool{Name: desktop.RunShell}, map[string]any{"bash_command": "cat /etc/x"}))
}

// argued is what a policy finds in the arguments of a tool, which may stand in front of them.
func argued(t *testing.T, p policies.Func, schema json.RawMessage, text string) string {
	t.Helper()
	tool, arguments := "x", text
	if at := strings.Index(text, "{"); at > 0 {
		tool, arguments = strings.TrimSpace(text[:at]), text[at:]
	}
	var parameters map[string]any
	require.NoError(t, json.Unmarshal([]byte(arguments), &parameters), text)
	got := denial(verdict(p, desktop.Tool{Name: tool, InputSchema: schema}, parameters))
	assert.NotContains(t, got, "hunter2")
	return got
}

func TestHosts(t *testing.T) {
	list := must(policies.NewHostList([]string{"example.com"}))
	schema := json.RawMessage(`{"type": "object", "properties": {"page": {"type": "string", "format": "uri"}, "token": {"type": "string", "format": "password"}}}`)
	p := policies.Hosts(list, &policies.ScanOptions{Parameters: []string{"target"}, Ignore: []string{"note"}})
	corpus(t, "hosts.txt", func(text string) string { return argued(t, p, schema, text) })
	assert.Contains(t, verdict(p, desktop.Tool{Name: "x"}, map[string]any{"x": make(chan int)}), "cannot be read")
	assert.Contains(t, verdict(policies.Hosts(nil, nil), desktop.Tool{Name: "x"}, map[string]any{"url": "example.com"}), "deny", "a nil list is empty")
	assert.Contains(t, verdict(policies.Hosts(list, nil), desktop.Tool{Name: desktop.RunShell}, map[string]any{"bash_command": "ls"}), "can name any URL")
}
