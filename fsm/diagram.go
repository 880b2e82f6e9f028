package fsm

import (
	"fmt"
	"slices"
	"strings"
)

// Mermaid draws the table as a Mermaid state diagram, the same text for the
// same table. Edges carry their causes. What is exempt from the table is drawn
// once: the return of control, and the fault as a note beside ERROR.
func (m *Manager[A]) Mermaid() string {
	var d strings.Builder
	ids := mermaidIDs{}
	d.WriteString("stateDiagram-v2\n")
	for _, s := range m.Statuses() {
		fmt.Fprintf(&d, "    state \"%s\" as %s\n", mermaidText(string(s)), ids.of(string(s)))
	}
	for _, e := range m.others() {
		fmt.Fprintf(&d, "    state \"%s\" as %s\n", mermaidText(e.target()), ids.of(e.target()))
	}
	for _, e := range m.edges {
		from := "[*]"
		if e.From != "" {
			from = ids.of(string(e.From))
		}
		fmt.Fprintf(&d, "    %s --> %s: %s\n", from, ids.of(e.target()), e.By)
	}
	for _, e := range m.others() {
		fmt.Fprintf(&d, "    %s --> %s: return\n", ids.of(e.target()), ids.of(string(Continue)))
	}
	for _, s := range m.Statuses() {
		b, _, known := m.peek(s)
		if !known {
			b = m.Bind(s)
		}
		if b.Terminal() {
			fmt.Fprintf(&d, "    %s --> [*]\n", ids.of(string(s)))
		}
	}
	if slices.Contains(m.Statuses(), Error) {
		fmt.Fprintf(&d, "    note left of %s: a fault in any state that does not end leads here\n", ids.of(string(Error)))
	}
	return d.String()
}

// others returns one edge for each place in another agent that control goes to.
func (m *Manager[A]) others() []Edge {
	var list []Edge
	seen := map[string]bool{}
	for _, e := range m.edges {
		if e.Kind != "" && !seen[e.target()] {
			seen[e.target()] = true
			list = append(list, e)
		}
	}
	return list
}

// mermaidIDs gives every name an identifier of its own that Mermaid takes: a
// status may hold anything, and two of them may differ only in what is left out.
type mermaidIDs map[string]string

func (ids mermaidIDs) of(name string) string {
	if id, ok := ids[name]; ok {
		return id
	}
	base := strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
	id := base
	for n := 2; ids.taken(id); n++ {
		id = fmt.Sprintf("%s_%d", base, n)
	}
	ids[name] = id
	return id
}

func (ids mermaidIDs) taken(id string) bool {
	for _, other := range ids {
		if other == id {
			return true
		}
	}
	return false
}

// mermaidText makes a label that ends neither its quotes nor its line.
func mermaidText(s string) string {
	return strings.NewReplacer(`"`, "#quot;", "\n", " ", "\r", " ").Replace(s)
}
