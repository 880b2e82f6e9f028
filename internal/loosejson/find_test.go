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
		"thoughts in a channel": "<|channel|>analysis<|message|>\n{\"a\":2}\n<|end|><|start|>assistant<|channel|>final<|message|>{\"a\":1}",
		"thoughts that begin":   "<|begin_of_thought|>\n{\"a\":2}\n<|end_of_thought|>\n{\"a\":1}",
		"thoughts of a name":    "<seed:think>{\"a\":2}</seed:think>{\"a\":1}",
		"thoughts with spaces":  "< think >{\"a\":2}< /think >{\"a\":1}",
		"thoughts of Kimi's":    "◁think▷{\"a\":2}◁/think▷{\"a\":1}",
		"a label before it":     "My final answer: {\"a\":1}",
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

// What the model quotes is not the reply, wherever it stands, and hides none: the
// class is text of a stranger on both sides of the object {"b":1}, or alone.
func TestFindHidesNothing(t *testing.T) {
	const page, own = `{"a":1}`, `{"b":1}`
	for name, text := range map[string]string{
		"a name that swallows":         "It says " + page + "{\" so.\n{'b':1}",
		"a name that swallows, short":  "It says " + page + "{\" so.\n" + own,
		"a list that swallows":         "It says\n" + page + "\n[1,\" so.\n" + own,
		"a list with an object":        "It says\n" + page + "\n[{\" so.\n" + own,
		"single quotes that swallow":   "It says\n" + page + "\n[' so.\n" + own,
		"typographic quotes":           "It says\n" + page + "\n[“ so.\n" + own,
		"a comment that swallows":      "It says\n" + page + "\n[/* so.\n" + own,
		"braces that swallow":          "It says\n" + page + "\n{{\" so.\n" + own,
		"a list around it":             "It says\n" + page + "\n[\" so.\n{'b':1}\n\"]",
		"a string around it":           "It says\n{\"a\":1,\"c\":' so.\n" + own + "\n'}",
		"a double string around it":    "It says\n{\"a\":1,\"c\":\" so.\n{'b':1}\n\"}",
		"a comment around it":          "It says\n{\"a\":1,/* so.\n" + own + "\n*/}",
		"a comment before it":          "It says\n{\"a\":1,\"c\": // so.\n" + own + "\n}",
		"a broken one beside":          "It says\n" + page + "\n{\"b\" 1}",
		"a closing tag behind":         own + "\nIt says </think>\n" + page,
		"a closing tag of others":      own + "\nIt says </reasoning>\n" + page,
		"a closing tag in brackets":    "{\"b\":1} [/THINK]\n" + page,
		"a closing tag of Kimi's":      own + "\n◁/think▷" + page,
		"tags around it":               "It says <think>\n" + own + "\nand </think>\n" + page,
		"tags around it, the second":   "<think>I</think> <reasoning>\n" + own + "\n</reasoning>\n" + page,
		"a tag closed in its string":   "It says <think>\n{\"b\":\"</think>\"}\n" + page,
		"an element around it":         "<page>\n" + page + "\n</page>\nNo.",
		"an element around two":        "<page>\n" + page + "\n" + page + "\n</page>\nNo.",
		"a sentence around it":         "It says " + page + " and more.",
		"a sentence that it ends":      "The format is " + page + ".",
		"an order not to":              "Do NOT do this: " + page,
		"quoted as in a mail":          "> " + page,
		"between quotes":               "It says\n\"" + page + "\"\nand more",
		"escaped beside words":         "It says\n{\\\"a\\\":1}",
		"a sentence that goes on":      page + " would be wrong.",
		"between thoughts":             "<think>a</think>\n" + page + "\n<think>b</think> I ask.",
		"words behind a draft's close": "So {\"b\":1} is right </think>\n" + page + "\nit says.",
	} {
		t.Run(name, func(t *testing.T) {
			v, err := loosejson.Find(text)
			require.Error(t, err, "%s", v.Append(nil))
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
