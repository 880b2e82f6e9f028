package loosejson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

func TestFind(t *testing.T) {
	const want = `{"a":1}`
	for name, text := range map[string]string{
		"alone":                 `{"a":1}`,
		"fenced":                "```json\n{\"a\":1}\n```",
		"fenced in one line":    "```{\"a\":1}```",
		"fenced with tildes":    "~~~\n{\"a\":1}\n~~~",
		"fence not closed":      "Here:\n```JSON5\n{\"a\":1}",
		"fence in Windows":      "```json\r\n{\"a\":1}\r\n```\r\n",
		"prose around":          "Sure! Here is [my] answer (1):\n{\"a\":1}\nDoes {that} help?",
		"template in prose":     "I fill {{name}} and { x } and {x in [a] and [1, 2]: {\"a\":1}",
		"byte order mark":       "\ufeff{\"a\":1}",
		"tag around":            "<json>{\"a\":1}</json>",
		"twice the same":        "{\"a\":1}\n\nAgain: { 'a' : 1, }",
		"brace too many":        `{"a":1}}`,
		"string":                `"{\"a\": 1}"`,
		"bracket not closed":    `[see {"a":1}`,
		"thoughts":              "<think>maybe {\"a\":2}</think>\n{\"a\":1}",
		"thinking":              "\n<thinking>[{\"a\":2}</thinking>{\"a\":1}",
		"open comment in prose": "{\"a\":1} and {/* then",
	} {
		t.Run(name, func(t *testing.T) {
			v, err := loosejson.Find(text)
			require.NoError(t, err)
			assert.Equal(t, want, string(v.Append(nil)))
		})
	}
}

func TestFindRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ in, reason string }{
		"empty":                {"", "empty"},
		"blank":                {" \n", "empty"},
		"prose":                {"I am done.", "no JSON object"},
		"prose with braces":    {"I fill {name} in", "no JSON object"},
		"two objects":          {`{"a":1} or {"a":2}`, "a second object"},
		"empty and full":       {`with {} as arguments: {"a":1}`, "a second object"},
		"array of objects":     {`[{"a":1}]`, "an array where"},
		"array deep":           {`["x", [{"a":1}]]`, "an array where"},
		"array in prose":       {`Actions: [{"a":1}, {"a":1}]. And {"a":1}`, "an array where"},
		"array of scalars":     {"```\n[1, 2]\n```", "an array where"},
		"number":               {" 42 ", "a number where"},
		"string":               {`"FINISH"`, "a string where"},
		"word":                 {"true", "a boolean where"},
		"null":                 {"null", "null where"},
		"string of array":      {`"[1]"`, "an array where"},
		"cut off":              {`{"a":{"b":1},"c":"x`, "a string is not closed"},
		"cut off in thoughts":  {`<think>{"a":1`, "ends inside an object"},
		"inner object only":    {`{"a": {"b":1}, "c": x}`, "'x' where a value"},
		"good before broken":   {`{"a":1} {"a": x}`, "'x' where a value"},
		"array around cut off": {`[{"a":1}, {"a"`, "ends inside an object"},
		"array breaks":         {`[{"a":1} and more`, "a comma or the end of the array"},
		"too deep":             {strings.Repeat(`{"a":`, 200), "nested more than"},
		"braces without end":   {"{", "ends inside an object"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := loosejson.Find(tc.in)
			require.ErrorContains(t, err, tc.reason)
		})
	}
}

// hostile are texts on which a reader that tries again at every brace, quote or
// comment takes quadratic time: hours, not milliseconds.
func hostile() map[string]string {
	texts := make(map[string]string)
	for _, unit := range []string{`{`, `"`, `[`} {
		texts[unit] = strings.Repeat(unit, 1<<20)
	}
	for _, unit := range []string{
		`}`, `'`, `{"`, `{'`, `["`, `{/*`, `[#`, `{"a":`, `{"a":[`, `{a:'`, `[{`, `[1 `, `{"a":1}`, `{} `, `\`, `{"\"`, `“`, `{“`,
		`{"{'`, `["[`, `[[],`, `[{},`, `<think>`, "```json\n", `{"a":"{\"a\":`,
	} {
		texts[unit] = strings.Repeat(unit, 1<<18/len(unit))
	}
	texts["one long string"] = `{"a":"` + strings.Repeat(`\"`, 1<<17)
	texts["same name"] = "{" + strings.Repeat(`"a":1,`, 1<<18/6)
	texts["long equal values"] = `{"a":[` + strings.Repeat("1,", 1<<16) + `],"a":[` + strings.Repeat("1,", 1<<16) + "]}"
	texts["comments"] = "{" + strings.Repeat("/**/", 1<<16)
	return texts
}

func TestHostileTextTakesLinearTime(t *testing.T) {
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			// A quadratic reader does not come back in the time that a test has.
			_, _ = loosejson.Find(text)
			_, _ = loosejson.Parse(text)
		})
	}
}

func FuzzFind(f *testing.F) {
	for _, seed := range []string{"x {\"a\":1} y", "[{}]", "<think></think>{}", `"{\"a\":1}"`, "{{a}} {\"b\":2}", "[\"{\"", "{'a':1}{\"a\":1,}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := loosejson.Find(text)
		if err != nil {
			var broken *loosejson.Error
			require.ErrorAs(t, err, &broken)
			return
		}
		require.Equal(t, loosejson.Object, v.Kind)
		out := string(v.Append(nil))
		again, err := loosejson.Find("So: ```json\n" + out + "\n```") // the same in another wrapping
		require.NoError(t, err)
		require.True(t, loosejson.Equal(v, again))
	})
}
