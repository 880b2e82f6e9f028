package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
)

// page is what a window shows: its controls, outermost first.
type page []desktop.Control

func look(controls []desktop.Control) page {
	var all page
	for _, c := range controls {
		all = append(append(all, c), look(c.Children)...)
	}
	return all
}

// find returns the first control of the role whose name matches.
func (p page) find(want string, name *regexp.Regexp) (desktop.Control, bool) {
	for _, c := range p {
		if c.Type == want && name.MatchString(c.Name) {
			return c, true
		}
	}
	return desktop.Control{}, false
}

// named is find for a name letter by letter.
func (p page) named(want, name string) (desktop.Control, bool) {
	return p.find(want, regexp.MustCompile("^"+regexp.QuoteMeta(name)+"$"))
}

// said returns the first text of the page that matches, with its groups.
func (p page) said(pattern *regexp.Regexp) []string {
	for _, c := range p {
		for _, text := range []string{c.Name, c.Value, words(c)} {
			if found := pattern.FindStringSubmatch(text); found != nil {
				return found
			}
		}
	}
	return nil
}

// words is all that a control says, its parts in their order.
func words(c desktop.Control) string {
	var list []string
	for _, text := range []string{c.Name, c.Value} {
		if text != "" {
			list = append(list, text)
		}
	}
	for _, inner := range c.Children {
		if text := words(inner); text != "" {
			list = append(list, text)
		}
	}
	return strings.Join(list, " ")
}

// row is a line of a table, by the names of its columns.
type row map[string]string

// rows reads the first table that has all these columns. The browser shows a row as
// one text, with a bar between the cells.
func (p page) rows(columns ...string) ([]row, bool) {
	for _, c := range p {
		if c.Type != "table" {
			continue
		}
		var header []string
		var list []row
		for _, line := range look(c.Children) {
			switch {
			case line.Type != "row":
			case header == nil:
				header = cells(line.Value, -1)
			default:
				list = append(list, pair(header, cells(line.Value, len(header))))
			}
		}
		if !slices.ContainsFunc(columns, func(name string) bool { return !slices.Contains(header, name) }) {
			return list, true
		}
	}
	return nil, false
}

// cells are the texts of a row, at most so many: the last may have bars of its own.
func cells(text string, most int) []string {
	var list []string
	var words []string
	for word := range strings.FieldsSeq(text) {
		if word == "|" && len(list) != most-1 {
			list, words = append(list, strings.Join(words, " ")), nil
			continue
		}
		words = append(words, word)
	}
	return append(list, strings.Join(words, " "))
}

func pair(header, cells []string) row {
	r := row{}
	for i, text := range cells {
		r[header[i]] = text
	}
	return r
}

// content is what a field has in it, without what the browser says of its state.
func content(c desktop.Control) string {
	return strings.TrimSpace(brackets.ReplaceAllString(c.Value, ""))
}

var brackets = regexp.MustCompile(`(\s*\[[^\[\]]*\])+$`)

// number reads 7 and 1,204.
func number(text string) (int, bool) {
	n, err := strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(text), ",", ""))
	return n, err == nil && n >= 0
}

// The actions on a page.

func click(c desktop.Control) reply.Action {
	return reply.Action{Function: desktop.ClickInput, ControlLabel: c.ID, ControlText: c.Name}
}

func fill(c desktop.Control, text string) reply.Action {
	return reply.Action{Function: desktop.SetEditText, ControlLabel: c.ID, ControlText: c.Name, Args: map[string]any{"text": text}}
}
