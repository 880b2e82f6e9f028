package plan

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// styles are the classes of nodes, by state.
var styles = []struct{ state, style string }{
	{"ready", "stroke:#1971c2,stroke-width:2px"},
	{"blocked", "stroke-dasharray:4"},
	{string(Assigned), "fill:#fff3bf"},
	{string(Finished), "fill:#d3f9d8"},
	{string(Failed), "fill:#ffe3e3"},
	{string(Dropped), "fill:#f1f3f5,stroke-dasharray:2"},
}

// Mermaid draws the plan as a Mermaid flowchart, the same text for the same plan.
// An arrow leads from an item to what depends on it; the word behind an item is
// its status, or ready or blocked where it is planned. Names and tasks are
// escaped: whatever they say, they stay inside their labels.
func (p Plan) Mermaid() string {
	var d strings.Builder
	d.WriteString("flowchart TD\n")
	done := p.finished()
	used := map[string]bool{}
	node := make(map[string]int, len(p))
	for i := range p {
		e := &p[i]
		state := done.state(e)
		fmt.Fprintf(&d, "    n%d[\"%s\"]", i+1, label(e, state))
		if state != "" {
			d.WriteString(":::" + state)
			used[state] = true
		}
		d.WriteString("\n")
		if _, twice := node[e.ID]; e.ID != "" && !twice {
			node[e.ID] = i + 1
		}
	}
	for i := range p {
		for _, id := range p[i].DependsOn {
			if from, ok := node[id]; ok {
				fmt.Fprintf(&d, "    n%d --> n%d\n", from, i+1)
			}
		}
	}
	for _, s := range styles {
		if used[s.state] {
			fmt.Fprintf(&d, "    classDef %s %s\n", s.state, s.style)
		}
	}
	return d.String()
}

func label(e *Entry, state string) string {
	const limit = 80 // letters of a task
	text := escape(e.Task, limit)
	if e.ID != "" {
		text = escape(e.ID, limit) + ": " + text
	}
	if e.Application != "" {
		text += " (" + escape(e.Application, limit) + ")"
	}
	if state != "" {
		text += ", " + state
	}
	return text
}

// escape keeps of a text its first letters. Letters, digits and a few harmless
// signs stay; everything else becomes an entity or, where it has no place in a
// line, a space. So no text ends its label or its line, or is taken for markup, a
// comment or a directive.
func escape(text string, limit int) string {
	var b strings.Builder
	letters := 0
	for _, r := range text {
		if letters == limit {
			b.WriteString("…")
			break
		}
		letters++
		switch {
		case r == utf8.RuneError, unicode.IsSpace(r), unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
			b.WriteByte(' ')
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), strings.ContainsRune(" .,:-_/()…'", r), r > unicode.MaxASCII:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
