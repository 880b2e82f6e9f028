package policies_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// A format counts however the schema says it. The class is what may apply to a value:
// each form has the format @ for the value V.
func TestFormatsHoweverTheSchemaSaysThem(t *testing.T) {
	const value = `"V"`
	roots := must(policies.NewRoots([]string{"/data"}, &policies.RootOptions{Base: "/srv"}))
	hosts := must(policies.NewHostList([]string{"example.com"}))
	raw, err := os.ReadFile("testdata/formats.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		form := regexp.MustCompile("  +").Split(strings.TrimSpace(line), -1)
		require.Len(t, form, 3, line)
		t.Run(form[0], func(t *testing.T) {
			judge := func(paths bool, format, text string) string {
				schema := strings.NewReplacer("@F", strings.ToUpper(format), "@", fmt.Sprintf(`{"type": "string", "format": %q}`, format)).Replace(form[2])
				var arguments map[string]any
				assert.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(form[1], value, fmt.Sprintf("%q", text))), &arguments))
				p := policies.Hosts(hosts, nil)
				if paths {
					p = policies.Paths(roots, nil)
				}
				return verdict(p, desktop.Tool{Name: "x", InputSchema: json.RawMessage(schema)}, arguments)
			}
			for _, format := range []string{"path", "file-path", "directory-path"} {
				assert.Contains(t, judge(true, format, "secrets.txt"), `deny: the path "secrets.txt" is not in`, format)
			}
			for _, format := range []string{"hostname", "uri", "url", "ipv4"} {
				assert.Contains(t, judge(false, format, "evil.example"), `deny: the URL "evil.example"`, format)
				assert.Equal(t, "allow", judge(false, format, "example.com"), format)
			}
			for _, format := range []string{"date", "email", "regex"} {
				assert.Equal(t, "allow", judge(true, format, "secrets.txt"), format)
				assert.Equal(t, "allow", judge(false, format, "evil.example"), format)
			}
		})
	}
}

// A number is no path and no address where the schema wants one and no string, however
// it says that.
func TestNumbersHoweverTheSchemaSaysThem(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type": "integer"}`: "allow", `{"anyOf": [{"type": "integer"}, {"type": "null"}]}`: "allow", `{"type": ["number", "null"]}`: "allow",
		`{"allOf": [{"type": "number"}]}`: "allow", `{"$ref": "#/$defs/n"}`: "allow", `{"oneOf": [{"$ref": "#/$defs/n"}, false]}`: "allow",
		`{}`: "deny", `{"anyOf": [{"type": "integer"}, {"type": "string"}]}`: "deny", `{"anyOf": [{"type": "integer"}, {}]}`: "deny",
		`{"type": ["number", "string"]}`: "deny", `true`: "deny", `{"not": {"type": "string"}}`: "deny", `{"type": "string"}`: "deny",
	} {
		tool := desktop.Tool{Name: "x", InputSchema: json.RawMessage(`{"$defs": {"n": {"type": "integer"}}, "properties": {"links": ` + schema + `, "file": ` + schema + `}}`)}
		hosts := verdict(policies.Hosts(nil, nil), tool, map[string]any{"links": 2130706433})
		paths := verdict(policies.Paths(nil, nil), tool, map[string]any{"file": 3})
		if want == "allow" {
			assert.Equal(t, "allow", hosts, schema)
			assert.Equal(t, "allow", paths, schema)
			continue
		}
		assert.Contains(t, hosts, "so it must be a text", schema)
		assert.Contains(t, paths, "so it must be a text", schema)
	}
}

// What a schema says that nobody can find out in a sane time is denied, and so is one
// that is none.
func TestSchemasThatTakeTooLong(t *testing.T) {
	wide := make([]string, 2_000)
	for i := range wide {
		wide[i] = fmt.Sprintf(`{"maxLength": %d}`, i+100)
	}
	list := make([]any, 1_000)
	for name, schema := range map[string]string{
		"wide": `{"properties": {"l": {"items": {"anyOf": [` + strings.Join(wide, ",") + `]}}}}`,
		"none": `{`,
		"bad":  `{"properties": {"l": 1}}`,
	} {
		for _, p := range []func() string{
			func() string {
				return verdict(policies.Paths(nil, nil), desktop.Tool{Name: "x", InputSchema: json.RawMessage(schema)}, map[string]any{"l": list})
			},
			func() string {
				return verdict(policies.Hosts(nil, nil), desktop.Tool{Name: "x", InputSchema: json.RawMessage(schema)}, map[string]any{"l": list})
			},
		} {
			assert.Contains(t, p(), "deny: its parameters cannot be read", name)
		}
	}
}
