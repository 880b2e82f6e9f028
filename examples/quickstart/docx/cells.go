package docx

import (
	"cmp"
	"maps"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/examples/internal/tables"
)

// unknownIn names a property that is not known.
func unknownIn(props *node, known map[string]bool) string {
	for i := range props.Nodes {
		if name := props.Nodes[i].name(); name == "cellDel" { // the rest of its row moves
			return tables.Unknown + " (a deleted cell)"
		} else if !known[name] {
			return tables.Unknown + " (the property " + name + ")"
		}
	}
	return ""
}

func count(n *node, otherwise int) int {
	if v, err := strconv.Atoi(n.attr("val")); err == nil && v >= 0 && v <= 100 {
		return v
	}
	return otherwise
}

// cell returns the text of a cell, and what of it cannot be read.
func (r *reader) cell(tc *node, languages map[string]bool, unknown string) string {
	var lines []string
	struck, listed := false, false
	r.walk(tc, func(n *node) {
		switch name := n.name(); {
		case name == "p":
			p := r.paragraph(n)
			if p.says != "" {
				lines, listed = append(lines, p.says), listed || p.listed
			}
			maps.Copy(languages, p.languages)
			unknown, struck = cmp.Or(unknown, p.unknown), struck || p.struck
		case name != "tcPr" && !unseen[name]:
			unknown = cmp.Or(unknown, tables.Unknown+" (the element "+n.XMLName.Local+")")
		}
	})
	says := strings.Join(lines, "\n")
	words := strings.IndexFunc(says, unicode.IsLetter) == 0
	switch {
	case unknown == "" && struck && says == "":
		unknown = tables.Unknown + " (a text that is struck through)"
	case unknown == "" && listed && !words:
		unknown = tables.Unknown + " (the number or bullet of a list)"
	case words && strings.Contains(unknown, picture):
		unknown = "" // beside words it changes nothing
	}
	return strings.TrimSpace(says + " " + unknown)
}
