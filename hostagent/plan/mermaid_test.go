package plan_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/hostagent/plan"
)

func TestMermaid(t *testing.T) {
	p := drafted(t,
		plan.Item{ID: "read", Task: "read the table", Application: "word"},
		item("find"), item("draw", "read", "find"), item("mail", "draw"), item("tidy", "read"), item("rest", "read"))
	p = lost(t, done(t, p, "read"), "find").Assign("tidy", "subtask_3")
	//nolint:dupword // an arrow to n3, and then one from it
	const want = `flowchart TD
    n1["read: read the table (word), finished"]:::finished
    n2["find: do find, failed"]:::failed
    n3["draw: do draw, blocked"]:::blocked
    n4["mail: do mail, blocked"]:::blocked
    n5["tidy: do tidy, assigned"]:::assigned
    n6["rest: do rest, ready"]:::ready
    n1 --> n3
    n2 --> n3
    n3 --> n4
    n1 --> n5
    n1 --> n6
    classDef ready stroke:#1971c2,stroke-width:2px
    classDef blocked stroke-dasharray:4
    classDef assigned fill:#fff3bf
    classDef finished fill:#d3f9d8
    classDef failed fill:#ffe3e3
`
	assert.Equal(t, want, p.Mermaid())
	assert.Equal(t, p.Mermaid(), p.Mermaid())

	assert.Equal(t, "flowchart TD\n", plan.Plan(nil).Mermaid())
	assert.Equal(t, "flowchart TD\n    n1[\"a\"]\n    n2[\"b\"]\n", plan.Notes("a", "b").Mermaid())
}

// drawn is all that a drawing consists of, whatever is in the plan.
var drawn = regexp.MustCompile(`\Aflowchart TD\n` +
	`(    n\d+\["([^"\n\r<>%&;{}|` + "`" + `\\*~^=\[\]#]|#\d+;)*"\](:::(ready|blocked|assigned|finished|failed|dropped))?\n)*` +
	`(    n\d+ --> n\d+\n)*(    classDef [a-z]+ [a-z0-9:#,-]+\n)*\z`)

var hostile = []string{
	`"]; click n1 "https://example.com"`, "a\n    n2 --> n1", "a\r\nb", "%%{init: {'theme':'dark'}}%%", "%% gone",
	"<script>alert(1)</script>", "`**bold**`", "#quot;#35;", "a|b|c", "a\u2028b\u2029c\u0085d", "\x00\x1b[31m", "\xff\xfe", "end", "\u202etxt", "",
	"{{a}}", "(((a)))", "subgraph x", "style n1 fill:red", "\\", "n1 --> n2",
}

func TestMermaidOfHostileText(t *testing.T) {
	for _, text := range hostile {
		p := plan.Plan{
			{Item: plan.Item{ID: "x" + text, Task: text, Application: text}, Status: plan.Planned},
			{Item: plan.Item{ID: "y", Task: text, DependsOn: []string{"x" + text, text}}, Status: plan.Failed},
			{Item: plan.Item{Task: text}},
		}
		assert.Regexp(t, drawn, p.Mermaid(), "%q", text)
		assert.Equal(t, 1, strings.Count(p.Mermaid(), "\n    n1 --> n2\n"), "the one arrow that there is")
	}
}

func TestMermaidCutsLongTexts(t *testing.T) {
	p := plan.Notes(strings.Repeat("é", 81), strings.Repeat("é", 80))
	require.Equal(t, "flowchart TD\n    n1[\""+strings.Repeat("é", 80)+"…\"]\n    n2[\""+strings.Repeat("é", 80)+"\"]\n", p.Mermaid())
}
