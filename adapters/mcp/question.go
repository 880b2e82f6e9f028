package mcp

import (
	"fmt"
	"strings"
)

// question is a field as a person reads it.
func (f field) question() string {
	var b strings.Builder
	b.WriteString(flat(f.name))
	if f.Title != "" && f.Title != f.name {
		fmt.Fprintf(&b, " (%s)", flat(f.Title))
	}
	if f.Description != "" {
		fmt.Fprintf(&b, ": %s", flat(f.Description))
	}
	b.WriteString("\nWanted: " + flat(f.wanted()))
	switch {
	case f.Default != nil:
		fmt.Fprintf(&b, "; nothing means %s", flat(fmt.Sprint(f.Default)))
	case !f.required:
		b.WriteString("; may be left empty")
	}
	b.WriteString(".")
	return b.String()
}

func (f field) wanted() string {
	var names []string
	for i, c := range f.options() {
		if i == maxOptions {
			names = append(names, "and more")
			break
		}
		if c.Title != "" && c.Title != c.Const {
			names = append(names, fmt.Sprintf("%s (%s)", c.Const, c.Title))
			continue
		}
		names = append(names, c.Const)
	}
	switch {
	case f.Type == "array":
		return "some of these, with commas: " + strings.Join(names, ", ")
	case len(names) > 0:
		return "one of " + strings.Join(names, ", ")
	case f.Type == "boolean":
		return "yes or no"
	case f.Type == "integer":
		return "a whole number"
	case f.Type == "number":
		return "a number"
	case f.Format != "":
		return "a text, " + f.Format
	}
	return "a text"
}

// maxWords is how much of a text of a server a person is shown, in bytes.
const maxWords = 4000

// quoted are the words of a server. Lines behind the first are marked: they could
// look like words of the agent, or of another question.
func quoted(text string) string {
	return strings.ReplaceAll(shorten(text, maxWords), "\n", "\n| ")
}

// flat is a text of a server on one line.
func flat(text string) string { return strings.Join(strings.Fields(shorten(text, maxWords)), " ") }

func shorten(text string, most int) string {
	text = strings.TrimSpace(lineEnds.Replace(text))
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " [...]"
}

// lineEnds makes one of all that people may see as the end of a line.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")
