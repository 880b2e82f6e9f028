package policies_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// A path in a text is seen behind what a reader may take off, and one that goes up
// wherever it is.
func TestPathsInTexts(t *testing.T) {
	roots := must(policies.NewRoots([]string{"/data"}, &policies.RootOptions{Base: "/data"}))
	const outside = "is not in a directory on the list"
	for text, denied := range map[string]string{
		`"/etc/passwd"`:                          outside,
		`'/etc/passwd'`:                          outside,
		"`/etc/passwd`":                          outside,
		"(/etc/passwd)":                          outside,
		"\u201e/etc/passwd\u201c":                outside,
		"\u00ab /etc/passwd \u00bb":              outside,
		`"C:\x"`:                                 "backslash",
		`'\\server\x'`:                           "backslash",
		"<file:///etc/passwd>":                   outside,
		"\u00a0/etc/passwd":                      "begins or ends with a blank",
		"\u3000/etc/passwd":                      "begins or ends with a blank",
		`"~/x"`:                                  `"~"`,
		`"$HOME/x"`:                              "variable",
		"a note\n/etc/passwd":                    outside,
		"a note\r\n  \"/etc/passwd\"":            outside,
		"a note\u2028/etc/passwd":                outside,
		"a\x00/etc/passwd":                       outside,
		"output=/etc/passwd":                     outside,
		"output = \"/etc/passwd\"":               outside,
		"body:=@/etc/passwd":                     outside,
		"a=b=/etc/passwd":                        outside,
		"=/etc/passwd":                           outside,
		"@/etc/passwd":                           outside,
		`@"/etc/passwd"`:                         outside,
		"file=@/etc/passwd;type=text":            outside,
		"data@/etc/passwd":                       outside,
		"-o/etc/passwd":                          outside,
		`-o"/etc/passwd"`:                        outside,
		"-o /etc/passwd":                         outside,
		"-xzf/etc/passwd":                        outside,
		`-oC:\x`:                                 "backslash",
		"--output=/etc/passwd":                   outside,
		"--output='/etc/passwd'":                 outside,
		"a/../../etc/passwd":                     `".."`,
		`a\..\..\x`:                              `".."`,
		"copy a/../../etc/passwd":                `".."`,
		"a/..":                                   `".."`,
		`"a/.."`:                                 `".."`,
		"a/%2e%2E/x":                             `".."`,
		"a/..%2fx":                               `".."`,
		"\u200b/etc/passwd":                      "nobody sees",
		".\u200b./x":                             `".."`,
		"\"\u2060/etc/passwd\"":                  "nobody sees",
		"a note\n/\u00ad/etc":                    "nobody sees",
		`"/data/x"`:                              "",
		`"/data"`:                                "",
		"(/data/x)":                              "",
		"<file:///data/x>":                       "",
		"a note\n/data/x\n\"/data/y\"":           "",
		"output=/data/x":                         "",
		"@/data/x":                               "",
		"-o/data/x":                              "",
		"--output='/data/x'":                     "",
		"and so on... /or not, x../y, .../y":     "",
		"-5/2, - and/or, --verbose, a = b":       "",
		"== 3/4 ==":                              "",
		"write to ada@example.com/x or @ada":     "",
		"f(x) = y/z, caf\u00e9=\u00fcber/x, 1=1": "",
		"\u2764\ufe0f wait/what?":                "",
	} {
		t.Run(text, func(t *testing.T) {
			p := policies.Paths(roots, nil)
			for _, name := range []string{"text", "source", "destination", "output", "save_as"} {
				got := verdict(p, desktop.Tool{Name: "x"}, map[string]any{name: text})
				if denied == "" {
					assert.Equal(t, "allow", got, name)
				} else {
					assert.Contains(t, got, "deny: the path ", name)
					assert.Contains(t, got, denied, name)
				}
			}
			if denied != "" {
				got := verdict(p, desktop.Tool{Name: "x"}, map[string]any{"path": text})
				assert.Contains(t, got, "deny: the path ", "its name changes nothing")
			}
		})
	}
}

// Whatever stands in front of it, a line with a path is looked at.
func FuzzPathsInTexts(f *testing.F) {
	for _, text := range []string{"", "a note", `"`, "output=", "-o", "\u200b", "/data/x", "\xff", "a/..", "=@=@-"} {
		f.Add(text)
	}
	p := policies.Paths(must(policies.NewRoots([]string{"/data"}, nil)), nil)
	f.Fuzz(func(t *testing.T, text string) {
		for _, line := range []string{"\n/etc/passwd", "\r\n \"/etc/passwd\"", "\nx=@/etc/passwd", " a/../b"} {
			got := verdict(p, desktop.Tool{Name: "x"}, map[string]any{"text": text + line})
			assert.Contains(t, got, "deny: the path ")
		}
	})
}

// Under the name of a path there are paths.
func TestPathsWithoutAText(t *testing.T) {
	schema := json.RawMessage(`{"type": "object", "properties": {
		"max_files": {"type": "integer"}, "is_dir": {"type": ["boolean", "null"]}, "sizes": {"type": "array", "items": {"type": "number"}},
		"any_file": {"type": ["string", "integer"]}, "where": {"format": "path"}}}`)
	for name, c := range map[string]struct {
		parameters map[string]any
		base       string
		denied     string
	}{
		"empty":                     {map[string]any{"path": ""}, "", `the path "" is relative`},
		"empty, in a root":          {map[string]any{"path": ""}, "/data", ""},
		"empty, in no root":         {map[string]any{"path": ""}, "/home", `the path "" is not in a directory on the list`},
		"empty, by format":          {map[string]any{"where": ""}, "", "is relative"},
		"empty, in a list":          {map[string]any{"paths": []any{"/data/x", ""}}, "", "is relative"},
		"empty, as a key":           {map[string]any{"files": map[string]any{"": "x"}}, "", "is relative"},
		"empty, further parameter":  {map[string]any{"target": ""}, "", "is relative"},
		"empty, a text":             {map[string]any{"text": ""}, "", ""},
		"null":                      {map[string]any{"path": nil}, "", "is relative"},
		"null, a text":              {map[string]any{"text": nil}, "", ""},
		"nothing":                   {map[string]any{}, "", ""},
		"an empty list":             {map[string]any{"paths": []any{}}, "", ""},
		"a number":                  {map[string]any{"path": 3}, "/data", `the parameter "path" is for a path, and what it has is no text`},
		"a boolean":                 {map[string]any{"path": true}, "/data", "no text"},
		"a number in a list":        {map[string]any{"paths": []any{"/data/x", 3}}, "/data", "no text"},
		"a number in lists":         {map[string]any{"paths": []any{[]any{3}}}, "/data", "no text"},
		"a number by format":        {map[string]any{"where": 3}, "/data", "no text"},
		"a number that is wanted":   {map[string]any{"max_files": 3}, "/data", ""},
		"a boolean that is wanted":  {map[string]any{"is_dir": true}, "/data", ""},
		"the other of the two":      {map[string]any{"max_files": true}, "/data", "no text"},
		"a number or a string":      {map[string]any{"any_file": 3}, "/data", "no text"},
		"a number of another thing": {map[string]any{"count": 3, "sizes": []any{1.5}}, "/data", ""},
	} {
		t.Run(name, func(t *testing.T) {
			roots := must(policies.NewRoots([]string{"/data"}, &policies.RootOptions{Base: c.base}))
			p := policies.Paths(roots, &policies.ScanOptions{Parameters: []string{"target"}})
			got := verdict(p, desktop.Tool{Name: "x", InputSchema: schema}, c.parameters)
			if c.denied == "" {
				assert.Equal(t, "allow", got)
			} else {
				assert.Contains(t, got, "deny: ")
				assert.Contains(t, got, c.denied)
			}
		})
	}
}

// A screenshot with an empty save_path is kept nowhere.
func TestPathsOfScreenshots(t *testing.T) {
	p := policies.Paths(nil, nil)
	for _, name := range []string{desktop.CaptureDesktopScreenshot, desktop.CaptureWindowScreenshot} {
		assert.Equal(t, "allow", verdict(p, mustTool(name), map[string]any{"save_path": ""}))
		assert.Contains(t, verdict(p, mustTool(name), map[string]any{"save_path": "x.png"}), "deny: ")
		assert.Contains(t, verdict(p, desktop.Tool{Name: name}, map[string]any{"save_path": 1}), "deny: ")
	}
}
