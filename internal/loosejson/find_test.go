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
		"template in prose":     "I fill {{name}} and { x } and {x in [a] and [1, 2]:\n{\"a\":1}",
		"byte order mark":       "\ufeff{\"a\":1}",
		"tag around":            "<json>{\"a\":1}</json>",
		"twice the same":        "{\"a\":1}\n\nAgain: { 'a' : 1, }",
		"brace too many":        `{"a":1}}`,
		"string":                `"{\"a\": 1}"`,
		"bracket not closed":    "[see\n{\"a\":1}",
		"thoughts":              "<think>maybe {\"a\":2}</think>\n{\"a\":1}",
		"thoughts of one tag":   "prose {\"a\":2}, [3]\n</think>\n{\"a\":1}",
		"thoughts twice":        "<think></think>\n<think>Or {\"a\":2}?</think>{\"a\":1}",
		"thoughts behind":       "{\"a\":1}<think>Not {\"a\":2}.</think>",
		"a closing tag at last": `{"a":1}</think>`,
		"list of one":           `[{"a":1}]`,
		"full-width braces":     `｛"a":1｝`,
		"comma missing":         "{\"a\":1\n\"a\": 1}",
		"line breaks escaped":   `{\n"a": 1\n}`,
		"escaped as a whole":    `{\n\"a\": 1}`,
		"string in a fence":     "```json\n\"{\\\"a\\\": 1}\"\n```",
		"thoughts in brackets":  "[THINK]{\"a\":2}[/THINK]{\"a\":1}",
		"thoughts, shouted":     "So: <Reasoning>not {\"a\":2}, I say</Reasoning> {\"a\":1}",
		"tags of other things":  "<b>x</b> [/x] <think\n{\"a\":1}",
		"curly apostrophes":     "{‘a’: 1}",
		"one kind of curl":      "{”a”: 1}",
		"wide signs":            "{\"a\"：1，}",
		"invisible marks":       "\u200b{\u200f\"a\":\u20601}",
		"thinking":              "\n<thinking>[{\"a\":2}</thinking>{\"a\":1}",
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
		"array of objects":     {`[{"a":1}, {"a":1}]`, "an array where"},
		"array deep":           {`["x", [{"a":1}]]`, "an array where"},
		"array in prose":       {`Actions: [{"a":1}, {"a":1}]. And {"a":1}`, "an array where"},
		"array of scalars":     {"```\n[1, 2]\n```", "an array where"},
		"number":               {" 42 ", "a number where"},
		"string":               {`"FINISH"`, "a string where"},
		"word":                 {"true", "a boolean where"},
		"null":                 {"null", "null where"},
		"string of array":      {`"[1]"`, "an array where"},
		"cut off":              {`{"a":{"b":1},"c":"x`, "a string is not closed"},
		"thoughts alone":       {`<think>{"a":1}</think>`, "nothing behind the thoughts"},
		"thoughts to the end":  {`So {"a":1}</think>`, "nothing behind the thoughts"},
		"cut off by a tag":     {"So: <think>{\"a\": \"</think>\"}\n{\"b\": 1}", "breaks off"},
		"open comment behind":  {"{\"a\":1} and {/* then", "a comment is not closed"},
		"thoughts, then prose": {`{"a":1}</think> I am done.`, "there is no JSON object"},
		"thoughts of a word":   {`<thought>{"a":1}</think>{"a":2}`, "the thoughts are not closed"},
		"cut off in thoughts":  {`<think>{"a":1`, "the thoughts are not closed"},
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

func FuzzFind(f *testing.F) {
	for _, seed := range []string{"x {\"a\":1} y", "[{}]", "<think></think>{}", `"{\"a\":1}"`, "{{a}} {\"b\":2}", "[\"{\"", "{'a':1}{\"a\":1,}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := loosejson.Find(text)
		if err != nil {
			var broken *loosejson.Error
			require.ErrorAs(t, err, &broken)
			work, _ := loosejson.FindWork(text)
			require.LessOrEqual(t, work, mostWork*(len(text)+1))
			return
		}
		require.Equal(t, loosejson.Object, v.Kind)
		out := string(v.Append(nil))
		again, err := loosejson.Find("So: ```json\n" + out + "\n```") // the same in another wrapping
		require.NoError(t, err)
		require.True(t, loosejson.Equal(v, again))
		_, notes, err := loosejson.FindNoting(out)
		require.NoError(t, err)
		require.False(t, notes.Any(), "%q is clean", out)
		work, err := loosejson.FindWork(text)
		require.NoError(t, err)
		require.LessOrEqual(t, work, mostWork*(len(text)+1))
	})
}
