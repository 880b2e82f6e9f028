package llm_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

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
	cases, err := replycases.Read(filepath.Join("..", "testdata", "replies"))
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
	fields := v.(map[string]any)
	for name, value := range fields { // their names are ours
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

var numbers = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?`)

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

// unescape resolves what JSON escapes, wherever it stands.
func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch c := text[i]; {
		case strings.IndexByte(`"\/'`, c) >= 0:
			b.WriteByte(c)
		case strings.IndexByte("bfnrt", c) >= 0:
			b.WriteByte("\b\f\n\r\t"[strings.IndexByte("bfnrt", c)])
		case c == 'u' && unit(text[i:]) >= 0:
			r := rune(unit(text[i:]))
			i += 4
			if utf16.IsSurrogate(r) && i+2 < len(text) && text[i+1] == '\\' && unit(text[i+2:]) >= 0 {
				r = utf16.DecodeRune(r, rune(unit(text[i+2:])))
				i += 6
			}
			b.WriteRune(r)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

// unit reads uXXXX; -1: it is none.
func unit(text string) int {
	if len(text) < 5 || text[0] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(text[1:5], 16, 16)
	if err != nil {
		return -1
	}
	return int(n)
}
