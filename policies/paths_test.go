package policies_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// A path in a text is seen behind what a reader may take off, and one that goes up
// wherever it is. The name of the parameter changes nothing.
func TestPathsInTexts(t *testing.T) {
	p := policies.Paths(must(policies.NewRoots([]string{"/data"}, &policies.RootOptions{Base: "/data"})), nil)
	corpus(t, "texts.txt", func(text string) string {
		got := denial(verdict(p, desktop.Tool{Name: "x"}, map[string]any{"text": text}))
		for _, name := range []string{"source", "output", "save_as"} {
			assert.Equal(t, got, denial(verdict(p, desktop.Tool{Name: "x"}, map[string]any{name: text})), name)
		}
		if got != "" {
			assert.Contains(t, got, "the path ")
			assert.NotEmpty(t, denial(verdict(p, desktop.Tool{Name: "x"}, map[string]any{"path": text})))
		}
		return got
	})
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
	find := func(base string) func(string) string {
		roots := must(policies.NewRoots([]string{"/data"}, &policies.RootOptions{Base: base}))
		p := policies.Paths(roots, &policies.ScanOptions{Parameters: []string{"target"}})
		return func(text string) string { return argued(t, p, schema, text) }
	}
	corpus(t, "empty_paths.txt", find(""))
	assert.Empty(t, find("/data")(`{"path": ""}`), "the base is in a root")
	assert.Contains(t, find("/home")(`{"path": ""}`), `the path "" is not in a directory on the list`)
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
