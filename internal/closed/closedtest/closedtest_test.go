package closedtest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/closed/closedtest"
)

func object(properties, required string) string {
	return `{"type":"object","properties":{` + properties + `},"required":[` + required + `],"additionalProperties":false}`
}

func TestRules(t *testing.T) {
	many := func(n int, property string) string { return strings.TrimSuffix(strings.Repeat(property+",", n), ",") }
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
		"itself":         {strings.TrimSuffix(object(`"a":{"$ref":"#/$defs/x"}`, `"a"`), "}") + `,"$defs":{"x":{"type":"array","items":{"$ref":"#/$defs/x"}}}}`, "", "contains itself"},
		"a choice":       {`{"anyOf":[{"type":"string"}]}`, "root", "root"},
		"beginnings":     {object(`"a":{"anyOf":[`+object(`"b":{"type":"string"}`, `"b"`)+`,`+object(`"b":{"type":"integer"}`, `"b"`)+`]}`, `"a"`), "begin with b", ""},
		"told apart":     {object(`"a":{"anyOf":[`+object(`"b":{"type":"string","enum":["x"]}`, `"b"`)+`,`+object(`"b":{"type":"string","enum":["y"]}`, `"b"`)+`]}`, `"a"`), "", ""},
		"many words":     {object(`"a":{"type":"string","enum":[`+many(1001, `"w"`)+`]}`, `"a"`), "1001 values", ""},
		"long words":     {object(`"a":{"type":"string","enum":[`+many(251, `"`+strings.Repeat("w", 100)+`"`)+`]}`, `"a"`), "25100 letters", ""},
		"too deep":       {strings.Repeat(`{"type":"object","required":["a"],"additionalProperties":false,"properties":{"a":`, 11) + `{"type":"string"}` + strings.Repeat("}}", 11), "11 levels", ""},
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
