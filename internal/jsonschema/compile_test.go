package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/jsonschema"
)

// block is a case of testdata: its name, and what its lines say.
type block map[string][]string

func blocks(t *testing.T, file string) map[string]block {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file+".txt"))
	require.NoError(t, err)
	all := map[string]block{}
	for i, part := range strings.Split(strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")), "\n\n")[1:] {
		lines := strings.Split(part, "\n")
		b := block{}
		for _, line := range lines[1:] {
			key, value, found := strings.Cut(line, ":")
			require.True(t, found, "%s: %s", lines[0], line)
			b[key] = append(b[key], strings.TrimSpace(value))
		}
		require.Len(t, b["schema"], 1, lines[0])
		if all[lines[0]] != nil {
			lines[0] += " " + strconv.Itoa(i)
		}
		all[lines[0]] = b
	}
	return all
}

func TestCompileRefuses(t *testing.T) {
	all := blocks(t, "refused")
	all["too deep"] = block{"schema": {strings.Repeat(`{"items":`, 202) + "{}" + strings.Repeat("}", 202)}, "refused": {"(1207 bytes): is nested deeper than 200"}}
	all["too large"] = block{"schema": {`{"title":"` + strings.Repeat("x", 1<<20) + `"}`}, "refused": {"#: is larger than 1048576 bytes"}}
	for name, b := range all {
		t.Run(name, func(t *testing.T) {
			s, err := jsonschema.Compile(json.RawMessage(b["schema"][0]))
			assert.Nil(t, s)
			for _, want := range b["refused"] {
				assert.EqualError(t, err, "jsonschema: "+want)
			}
		})
	}
}

func TestSecrets(t *testing.T) {
	all := blocks(t, "secrets")
	wide := `{"items":{"anyOf":[` + strings.Repeat(`{"maxLength":1},`, 2000) + `{}]},"properties":{"a":{"writeOnly":true}}}`
	all["too much"] = block{"schema": {wide}, "value": {"[" + strings.Repeat("1,", 1000) + "1]"}, "secret": {"$"}}
	secrets(t, all)
}

// In a document that marks secrets, what may be one is one.
func TestSecretsInDoubt(t *testing.T) { secrets(t, blocks(t, "doubts")) }

const mask = "***"

// masks returns the paths of the masks in a value.
func masks(v any, at string) (found []string) {
	switch v := v.(type) {
	case map[string]any:
		for name, item := range v {
			found = append(found, masks(item, at+"."+name)...)
		}
	case []any:
		for i, item := range v {
			found = append(found, masks(item, fmt.Sprintf("%s[%02d]", at, i))...)
		}
	case string:
		if v == mask {
			found = []string{at}
		}
	}
	return found
}

func secrets(t *testing.T, all map[string]block) {
	t.Helper()
	for name, b := range all {
		t.Run(name, func(t *testing.T) {
			s := compile(t, b["schema"][0])
			masked, hidden := s.Hide(value(t, b["value"][0]), mask)
			got := masks(masked, "$")
			slices.Sort(got)
			assert.Equal(t, b["secret"], got)
			assert.Len(t, hidden, len(got))
			assert.True(t, s.Hides || len(got) == 0)
		})
	}
}

func TestSchemaServesManyGoroutines(t *testing.T) {
	s := compile(t, `{"properties":{"a":{"$ref":"#"},"p":{"writeOnly":true}},"additionalProperties":false}`)
	done := make(chan []string)
	for range 8 {
		go func() {
			v := map[string]any{"a": map[string]any{"b": true}, "p": "x"}
			s.Hide(v, mask)
			done <- s.Validate(v)
		}()
	}
	for range 8 {
		assert.Equal(t, []string{"$.a.b: is not allowed"}, <-done)
	}
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		`{}`, `true`, `{"$ref":"#"}`, `{"items":{"$ref":"#"},"type":"array"}`, `{"pattern":"(?=a)","multipleOf":1e-3}`,
		`{"oneOf":[{"const":1},{"enum":[1,2]}],"not":{"type":"string"}}`, `{"properties":{"a":{"format":"password"}},"patternProperties":{"^a":false}}`,
		`{"$id":"a:b","$anchor":"a","items":{"$ref":"a:b#a"},"$defs":{"c":{"$id":"#c","$ref":"#/$defs"}}}`, `{"$dynamicAnchor":"a","not":{"items":{"$dynamicRef":"#a"}},"$id":"//x/y#z"}`,
		`{"patternProperties":{"(?=a)":{"writeOnly":true}},"$defs":{"a":{"$id":"x","$id":"y","$ref":"x"}},"unevaluatedItems":{"$ref":"#"}}`,
		`{"if":{"minLength":2},"then":{"uniqueItems":true},"else":{"contains":{}}}`,
	} {
		f.Add(seed, `{"a":[1,"x",null,{"a":1e5}]}`)
	}
	f.Fuzz(func(t *testing.T, schema, text string) {
		s, err := jsonschema.Compile(json.RawMessage(schema))
		if err != nil {
			return
		}
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		var v any
		if dec.Decode(&v) != nil {
			return
		}
		problems := s.Validate(v)
		assert.Equal(t, problems, s.Validate(v), "the same value has the same problems")
		assert.IsNonDecreasing(t, append([]string{""}, problems...))
		for _, p := range problems {
			assert.True(t, strings.HasPrefix(p, "$"), p)
		}
		s.Hide(v, mask)
	})
}
