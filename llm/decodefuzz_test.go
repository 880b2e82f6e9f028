package llm_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/replycases"
	"github.com/agentfsm/agentfsm/llm"
)

// FuzzDecode asks for what must hold of any text: no panic; a typed error or a
// value; nothing in the value that the text does not have; a report that is the
// same each time; and the value, written as JSON, decodes to itself without a
// repair.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"Status":"FINISH"}`, "```json\n{'status': 'x', 'plan': 'y',}\n```", `{"Args":"{\"a\":1}","Result":[1]}`, `{"Actions":{"Function":"x","Args":{}}}`,
		`{"Status":1,"status":"1"}`, `[{}]`, `{"Plan":"[\"a\"]"}`, `{"SaveScreenshot":"True","ControlLabel":1.0}`, `"{\"Status\":\"\\u00e9\"}"`, `{"Args":{"n":9007199254740993}}`,
	} {
		f.Add(seed)
	}
	cases, err := replycases.Read(filepath.Join("..", "internal", "testdata", "replies"))
	require.NoError(f, err)
	require.NotEmpty(f, cases)
	for _, c := range cases {
		f.Add(c.Reply)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, repairs, err := llm.Decode[decision](text)
		_, again, _ := llm.Decode[decision](text)
		require.Equal(t, repairs, again)
		for _, r := range repairs {
			require.NotEmpty(t, r.Kind)
			require.Positive(t, r.Count)
		}
		if err != nil {
			var broken *llm.DecodeError
			require.ErrorAs(t, err, &broken)
			require.NotEmpty(t, broken.Reason)
			require.Zero(t, got)
			return
		}
		raw, err := json.Marshal(got)
		require.NoError(t, err)
		requireFrom(t, text, raw)
		back, repairs, err := llm.Decode[decision](string(raw))
		require.NoError(t, err, "%s", raw)
		require.Empty(t, repairs, "%s", raw)
		twice, err := json.Marshal(back)
		require.NoError(t, err)
		require.Equal(t, string(raw), string(twice), "byte for byte: a number need not fit a float64")
	})
}

// requireFrom asks that every string and number in raw stands in the text, as it
// is or escaped, as often as a string may be inside another.
func requireFrom(t *testing.T, text string, raw []byte) {
	t.Helper()
	levels := []string{text}
	for range 4 {
		levels = append(levels, unescape(levels[len(levels)-1]))
	}
	all := strings.Join(levels, "\n")
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	for name, value := range v.(map[string]any) { // their names are ours
		requireLeaves(t, all, name, value)
	}
}

func requireLeaves(t *testing.T, text, name string, v any) {
	t.Helper()
	switch v := v.(type) {
	case string:
		require.Contains(t, text, v)
	case bool:
		require.Contains(t, strings.ToLower(text), strconv.FormatBool(v))
	case json.Number:
		if !strings.Contains(text, string(v)) {
			requireNumber(t, text, string(v))
		}
	case []any:
		for _, item := range v {
			requireLeaves(t, text, "", item)
		}
	case map[string]any:
		for key, item := range v {
			if name != "Actions" && name != "" {
				require.Contains(t, text, key)
			}
			requireLeaves(t, text, key, item)
		}
	}
}

// numbers are those of JSON, and .5, which is read as 0.5.
var numbers = regexp.MustCompile(`-?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?`)

// requireNumber asks for a number in the text that is the same.
func requireNumber(t *testing.T, text, digits string) {
	t.Helper()
	want, err := strconv.ParseFloat(digits, 64)
	require.NoError(t, err, digits)
	for _, n := range numbers.FindAllString(text, -1) {
		if got, err := strconv.ParseFloat(n, 64); err == nil && got == want {
			return
		}
	}
	require.Fail(t, "the number "+digits+" is not in the text", text)
}

var escapes = regexp.MustCompile(`(\\u[0-9a-fA-F]{4})+|\\(?s:.)`)

// unescape resolves what JSON escapes, wherever it stands.
func unescape(text string) string {
	return escapes.ReplaceAllStringFunc(text, func(escape string) string {
		var s string
		if escape == `\'` {
			return "'"
		}
		if json.Unmarshal([]byte(`"`+escape+`"`), &s) != nil {
			return escape
		}
		return s
	})
}
