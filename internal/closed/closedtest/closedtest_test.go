package closedtest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/closed/closedtest"
	"github.com/agentfsm/agentfsm/internal/loosejson"
)

func object(properties, required string) string {
	return `{"type":"object","properties":{` + properties + `},"required":[` + required + `],"additionalProperties":false}`
}

func TestRules(t *testing.T) {
	var union, names strings.Builder
	for i := range 17 {
		name := `"` + strings.Repeat("n", i+1) + `"`
		union.WriteString(name + `:{"type":["string","null"]},`)
		names.WriteString(name + ",")
	}
	seventeen := object(strings.TrimSuffix(union.String(), ","), strings.TrimSuffix(names.String(), ","))
	for name, c := range map[string]struct{ schema, openAI, anthropic string }{
		"closed":         {object(`"a":{"type":"string"}`, `"a"`), "", ""},
		"open":           {`{"type":"object","properties":{},"required":[]}`, "is open", "is open"},
		"optional":       {object(`"a":{"type":"string"}`, ``), "not required", ""},
		"no type":        {object(`"a":{}`, `"a"`), "no type", "no type"},
		"a bound":        {object(`"a":{"type":"integer","minimum":0}`, `"a"`), "", "minimum is not taken"},
		"oneOf":          {object(`"a":{"oneOf":[{"type":"string"}]}`, `"a"`), "oneOf is not taken", "oneOf is not taken"},
		"a list of any":  {object(`"a":{"type":"array"}`, `"a"`), "no schema", "no schema"},
		"nowhere":        {object(`"a":{"$ref":"#/$defs/x"}`, `"a"`), "leads nowhere", "leads nowhere"},
		"a choice":       {`{"anyOf":[{"type":"string"}]}`, "root", "root"},
		"beginnings":     {object(`"a":{"anyOf":[`+object(`"b":{"type":"string"}`, `"b"`)+`,`+object(`"b":{"type":"integer"}`, `"b"`)+`]}`, `"a"`), "begin with b", ""},
		"told apart":     {object(`"a":{"anyOf":[`+object(`"b":{"type":"string","enum":["x"]}`, `"b"`)+`,`+object(`"b":{"type":"string","enum":["y"]}`, `"b"`)+`]}`, `"a"`), "", ""},
		"unions":         {seventeen, "", "17 parameters with union types"},
		"a strange type": {object(`"a":{"type":"any"}`, `"a"`), `"any" is not taken`, `"any" is not taken`},
		"no JSON":        {`{`, "not JSON", "not JSON"},
	} {
		for provider, got := range map[string][]string{c.openAI + "|openai": closedtest.OpenAI([]byte(c.schema)), c.anthropic + "|anthropic": closedtest.Anthropic([]byte(c.schema))} {
			want, who, _ := strings.Cut(provider, "|")
			if want == "" {
				assert.Empty(t, got, "%s, %s", name, who)
			} else {
				assert.Contains(t, strings.Join(got, "\n"), want, "%s, %s", name, who)
			}
		}
	}
}

const (
	ofHost = `{"type":"object","properties":{"Status":{"type":"string","enum":["CONTINUE"]},"Comment":{"type":"string"},` +
		`"Plan":{"anyOf":[{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"depends_on":{"type":"array","items":{"type":"string"}}},"required":["id","depends_on"],"additionalProperties":false}},{"type":"null"}]},` +
		`"Call":{"anyOf":[` + ofTool + `,{"type":"null"}]},"Result":{"type":"string"}},"required":["Status","Comment","Plan","Call","Result"],"additionalProperties":false,"$defs":{"a":` + reference + `}}`
	ofTool = `{"type":"object","properties":{"Function":{"type":"string","enum":["click"]},"Args":` + ofClick + `},"required":["Function","Args"],"additionalProperties":false},` +
		`{"type":"object","properties":{"Function":{"type":"string","enum":["draw"]},"Args":{"type":"string"}},"required":["Function","Args"],"additionalProperties":false}`
	ofClick = `{"type":"object","properties":{"id":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/a"}]},"twice":{"anyOf":[{"type":"boolean"},{"type":"null"}]}},"required":["id","twice"],"additionalProperties":false}`
	// reference is one as adapters spell it for grammars.
	reference = `{"type":"object","properties":{"$reference":{"type":"string"}},"required":["$reference"],"additionalProperties":false}`
	ofAgent   = `{"type":"object","properties":{"Actions":{"type":"array","items":{"type":"object","properties":{"ControlLabel":{"type":"string"},` +
		`"Call":{"anyOf":[` + ofTool + `]}},"required":["ControlLabel","Call"],"additionalProperties":false}},"Open":{"type":"array","items":{"type":"string"}}},"required":["Actions","Open"],"additionalProperties":false,"$defs":{"a":` + reference + `}}`
)

func TestReply(t *testing.T) {
	for _, c := range []struct{ schema, open, want string }{
		{ofHost, `{"Status":"CONTINUE"}`, `{"Status":"CONTINUE","Comment":"","Plan":null,"Call":null,"Result":""}`},
		{ofHost, `{"Result":{"a":1},"Status":"CONTINUE","Plan":[{"id":"x"}]}`, `{"Status":"CONTINUE","Comment":"","Plan":[{"id":"x","depends_on":[]}],"Call":null,"Result":"{\"a\":1}"}`},
		{ofHost, `{"Result":"done","Status":"CONTINUE","Plan":[]}`, `{"Status":"CONTINUE","Comment":"","Plan":[],"Call":null,"Result":"done"}`},
		{ofHost, `{"Result":"42","Status":"CONTINUE"}`, `{"Status":"CONTINUE","Comment":"","Plan":null,"Call":null,"Result":"\"42\""}`},
		{ofHost, `{"Status":"CONTINUE","Function":"click","Args":{"id":{"$ref":"a.b"}}}`, `{"Status":"CONTINUE","Comment":"","Plan":null,"Call":{"Function":"click","Args":{"id":{"$reference":"a.b"},"twice":null}},"Result":""}`},
		{ofHost, `{"Status":"CONTINUE","Function":"draw"}`, `{"Status":"CONTINUE","Comment":"","Plan":null,"Call":{"Function":"draw","Args":"{}"},"Result":""}`},
		{ofAgent, `{"Function":"click","ControlLabel":"3","Open":{"a":"done: so"}}`, `{"Actions":[{"ControlLabel":"3","Call":{"Function":"click","Args":{"id":"3","twice":null}}}],"Open":["a: done: so"]}`},
		{ofAgent, `{"Actions":[{"Function":"draw","Args":{"a":1}}]}`, `{"Actions":[{"ControlLabel":"","Call":{"Function":"draw","Args":"{\"a\":1}"}}],"Open":[]}`},

		{ofHost, `{"Status":"NOPE"}`, `! $.Status: must be one of "CONTINUE"`},
		{ofHost, `{"Comment":"hi"}`, `! $.Status: is required`},
		{ofHost, `{"Status":"CONTINUE","Comment":1}`, `! $.Comment: must be of type string, not integer`},
		{ofHost, `{"Status":"CONTINUE","Mood":"good"}`, `! $.Mood: is not allowed`},
		{ofHost, `{"Status":"CONTINUE","Actions":[]}`, `! $.Actions: is not allowed`},
		{ofHost, `{"Status":"CONTINUE","Function":"fly"}`, `! $.Call: fits none of its 3 alternatives`},
		{ofHost, `{"Status":"CONTINUE","Args":{}}`, `! $.Args: is not allowed`},
		{ofHost, `{"Status":"CONTINUE","Function":"click","Args":{}}`, `! $.Call: fits none of its 3 alternatives`},
		{ofHost, `{"Status":"CONTINUE","Function":"click","Args":{"id":"1","fast":true}}`, `! $.Call: fits none of its 3 alternatives`},
		{ofHost, `{"Status":"CONTINUE","Function":"click","Args":{"id":1}}`, `! $.Call: fits none of its 3 alternatives`},
		{ofAgent, `{"ControlLabel":"3"}`, `! $.ControlLabel: is not allowed`},
		{ofAgent, `{"Function":"draw","Actions":[{"Function":"draw"}]}`, `! $.Function: is not allowed`},
		{ofAgent, `{"Actions":[{"Function":"draw","Status":"CONTINUE"}]}`, `! $.Actions[0].Status: is not allowed`},
		{ofAgent, `{"Actions":["draw"]}`, `! $.Actions[0]: must be of type object, not string`},
	} {
		open, err := loosejson.Parse(c.open)
		require.NoError(t, err)
		said, err := closedtest.Reply([]byte(c.schema), open)
		if reason, ok := strings.CutPrefix(c.want, "! "); ok {
			require.EqualError(t, err, reason, c.open)
			continue
		}
		require.NoError(t, err, c.open)
		assert.Equal(t, c.want, string(said))
	}
}

func TestArgs(t *testing.T) {
	status := `{"type":"object","properties":{"Comment":{"type":"string"},"Open":{"type":"array","items":{"type":"string"}},"Result":{"type":"string"}}}`
	for _, c := range []struct {
		tool, args string
		status     bool
		want       string
	}{
		{ofClick, `{"id":"1"}`, false, `{"id":"1","twice":null}`},
		{ofClick, `{"fast":true}`, false, `{"twice":null,"fast":true}`},
		{status, `{"Result":[1],"Open":{"a":"done"}}`, true, `{"Comment":"","Open":["a: done"],"Result":"[1]"}`},
		{status, `{"Result":"so"}`, false, `{"Result":"so"}`},
	} {
		args, err := loosejson.Parse(c.args)
		require.NoError(t, err)
		said, err := closedtest.Args([]byte(c.tool), args, c.status)
		require.NoError(t, err)
		assert.Equal(t, c.want, string(said))
	}
}
