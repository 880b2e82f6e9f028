package policies_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

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
	for name, c := range map[string]struct {
		tool       string
		parameters map[string]any
		denied     string // what the reason says; "" when it is allowed
	}{
		"nothing":               {"x", nil, ""},
		"by name":               {"x", map[string]any{"save_path": "/data/x"}, ""},
		"by name, outside":      {"x", map[string]any{"save_path": "/etc/x"}, `the path "/etc/x" is not in a directory on the list`},
		"by name, relative":     {"x", map[string]any{"fileName": "../x"}, `".."`},
		"by name, empty":        {"x", map[string]any{"path": ""}, ""},
		"another use of a word": {"x", map[string]any{"file_type": "pdf", "profile": "x", "title": ".hidden"}, ""},
		"by format":             {"x", map[string]any{"where": "~"}, `"~"`},
		"by format, deep":       {"x", map[string]any{"deep": map[string]any{"list": []any{map[string]any{"where": "x/../y"}}}}, `".."`},
		"by look":               {"x", map[string]any{"query": "/etc/passwd"}, "is not in"},
		"by look, behind blank": {"x", map[string]any{"query": " \t/etc/passwd"}, "nobody sees"},
		"by look, home":         {"x", map[string]any{"query": "~/x"}, `"~"`},
		"by look, above":        {"x", map[string]any{"query": "../x"}, `".."`},
		"by look, drive":        {"x", map[string]any{"query": `c:\x`}, "backslash"},
		"by look, share":        {"x", map[string]any{"query": `\\server\x`}, "backslash"},
		"by look, URL":          {"x", map[string]any{"query": "FILE:///etc/x"}, "is not in"},
		"by look, variable":     {"x", map[string]any{"query": "$HOME/x"}, "variable"},
		"by look, other system": {"x", map[string]any{"query": `%APPDATA%\x`}, "variable"},
		"by look, in a flag":    {"x", map[string]any{"args": []string{"-v", "--out=/etc/x"}}, "is not in"},
		"inside, in a flag":     {"x", map[string]any{"args": []string{"--out=/data/x"}}, ""},
		"a text":                {"x", map[string]any{"text": "half and/or whole, ~5 minutes, 3/4"}, ""},
		"in a list":             {"x", map[string]any{"files": []any{"a", "/etc/x"}}, "is not in"},
		"as a key":              {"x", map[string]any{"files": map[string]any{"/etc/x": "text"}}, "is not in"},
		"of a type of its own":  {"x", map[string]any{"path": named("/etc/x")}, "is not in"},
		"in a struct":           {"x", map[string]any{"o": struct{ Path string }{"/etc/x"}}, "is not in"},
		"further parameter":     {"x", map[string]any{"target": "x/../y"}, `".."`},
		"ignored":               {"x", map[string]any{"note": "/etc/x"}, ""},
		"ignored for one tool":  {"y", map[string]any{"body": "/etc/x"}, ""},
		"not for another":       {"x", map[string]any{"body": "/etc/x"}, "is not in"},
		"ignored tool":          {"z", map[string]any{"path": "/etc/x"}, ""},
		"a secret":              {"x", map[string]any{"pin": "/hunter2"}, `the path "***" is not in`},
		"no JSON":               {"x", map[string]any{"x": func() {}}, "cannot be read"},
		"a shell command":       {desktop.RunShell, map[string]any{"bash_command": "ls"}, "can name any path"},
		"the first by name":     {"x", map[string]any{"b_path": "/b", "a_path": "/a"}, `"/a"`},
	} {
		t.Run(name, func(t *testing.T) {
			p := policies.Paths(roots, &policies.ScanOptions{Parameters: []string{"target"}, Ignore: []string{"note", "y.body", "z"}})
			got := verdict(p, desktop.Tool{Name: c.tool, InputSchema: schema}, c.parameters)
			if c.denied == "" {
				assert.Equal(t, "allow", got)
			} else {
				assert.Contains(t, got, "deny: ")
				assert.Contains(t, got, c.denied)
			}
			assert.NotContains(t, got, "hunter2")
		})
	}
	assert.Contains(t, verdict(policies.Paths(nil, nil), desktop.Tool{Name: "x"}, map[string]any{"path": "/"}), "deny", "nil roots are none")
	ignoring := policies.Paths(roots, &policies.ScanOptions{Ignore: []string{desktop.RunShell}})
	assert.Equal(t, "allow", verdict(ignoring, desktop.Tool{Name: desktop.RunShell}, map[string]any{"bash_command": "cat /etc/x"}))
}

func TestHosts(t *testing.T) {
	list := must(policies.NewHostList([]string{"example.com"}))
	schema := json.RawMessage(`{"type": "object", "properties": {"page": {"type": "string", "format": "uri"}, "token": {"type": "string", "format": "password"}}}`)
	for name, c := range map[string]struct {
		parameters map[string]any
		denied     string
	}{
		"nothing":             {map[string]any{"text": "hello", "n": 5}, ""},
		"by name":             {map[string]any{"url": "https://example.com/x"}, ""},
		"by name, another":    {map[string]any{"baseUrl": "https://evil.test"}, `the URL "https://evil.test" has a host that is not on the list`},
		"by name, bare":       {map[string]any{"hostname": "evil.test"}, "not on the list"},
		"by format":           {map[string]any{"page": "evil.test"}, "not on the list"},
		"by format, script":   {map[string]any{"page": "javascript:alert(1)"}, "scheme"},
		"further parameter":   {map[string]any{"target": "evil.test"}, "not on the list"},
		"in a text":           {map[string]any{"text": "go to https://evil.test, please"}, "not on the list"},
		"in a text, known":    {map[string]any{"text": "go to https://example.com/x. Please (https://example.com)."}, ""},
		"the second of two":   {map[string]any{"text": "see https://example.com https://evil.test"}, "not on the list"},
		"without slashes":     {map[string]any{"text": "https:evil.test"}, "no host"},
		"with backslashes":    {map[string]any{"text": `https:\\evil.test`}, "backslash"},
		"script":              {map[string]any{"text": "  JavaScript:alert(1)"}, "scheme"},
		"scheme-relative":     {map[string]any{"text": "//evil.test/x"}, "no scheme"},
		"www":                 {map[string]any{"keys": "www.evil.test"}, "not on the list"},
		"in a list":           {map[string]any{"links": []any{"https://example.com", "https://evil.test"}}, "not on the list"},
		"as a key":            {map[string]any{"headers": map[string]any{"https://evil.test": 1}}, "not on the list"},
		"a secret":            {map[string]any{"token": "https://hunter2.test"}, `the URL "***"`},
		"ignored":             {map[string]any{"note": "https://evil.test"}, ""},
		"a time, a ratio":     {map[string]any{"text": "at 10:30, 4:3, a:b, x://"}, "scheme"},
		"a time and no slash": {map[string]any{"text": "at 10:30, 4:3, a:b"}, ""},
		"no JSON":             {map[string]any{"x": make(chan int)}, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			p := policies.Hosts(list, &policies.ScanOptions{Parameters: []string{"target"}, Ignore: []string{"note"}})
			got := verdict(p, desktop.Tool{Name: "x", InputSchema: schema}, c.parameters)
			if c.denied == "" {
				assert.Equal(t, "allow", got)
			} else {
				assert.Contains(t, got, "deny: ")
				assert.Contains(t, got, c.denied)
			}
			assert.NotContains(t, got, "hunter2")
		})
	}
	assert.Contains(t, verdict(policies.Hosts(nil, nil), desktop.Tool{Name: "x"}, map[string]any{"url": "example.com"}), "deny", "a nil list is empty")
	assert.Contains(t, verdict(policies.Hosts(list, nil), desktop.Tool{Name: desktop.RunShell}, map[string]any{"bash_command": "ls"}), "can name any host")
}
