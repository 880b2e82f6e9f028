package linuxdesktop

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// writing are controls in which {ENTER} begins a line.
var writing = atspi.Set("document text", "paragraph", "heading", "text")

// cells are those of a sheet, in which {ENTER} ends a cell. In a list of files it opens one.
var cells = atspi.Set("document spreadsheet", "table", "table cell")

func inSheet(ctx context.Context, c desktop.Control) bool {
	_, sheet := inPath(ctx, atspi.Set("document spreadsheet"))
	return sheet && cells[c.Type]
}

// hasLines reports whether {ENTER} does no more than write in a control.
func hasLines(ctx context.Context, c desktop.Control) bool {
	return inSheet(ctx, c) || writing[c.Type] && (c.Type != "text" || dialogAround(ctx) == "")
}

// moving are keys that do nothing in a text but move, with {SHIFT} mark.
var moving = atspi.Set("{LEFT}", "{RIGHT}", "{UP}", "{DOWN}", "{HOME}", "{END}", "{PAGEUP}", "{PAGEDOWN}",
	"^{HOME}", "^{END}", "^{LEFT}", "^{RIGHT}", "^{UP}", "^{DOWN}")

// changing are keys that change a text, and nothing else.
var changing = atspi.Set("{BACK}", "{DEL}", "^a", "^c", "^x", "^v", "^z", "^y")

// typedFormula is what keys may have in them that a cell computes: a formula can send what other cells hold.
var typedFormula = regexp.MustCompile(`=|[-+@][^0-9]*[(#!|']`)

func (j *judge) keyboard(ctx context.Context, cmd desktop.Command, c desktop.Control, seen bool) policies.Verdict {
	text, _ := cmd.Parameters["keys"].(string)
	strokes, err := x11.Keys(text)
	if err != nil {
		return allowed // nothing will be pressed
	}
	names := make([]string, len(strokes))
	for i, s := range strokes {
		names[i] = s.String()
		if plain := strings.TrimPrefix(names[i], "+"); moving[plain] || len([]rune(plain)) == 1 {
			names[i] = plain
		}
	}
	focus, said := cmd.Parameters["control_focus"].(bool)
	elsewhere := !seen || said && !focus
	leaves := !slices.ContainsFunc(names, func(n string) bool { return n != "{ESC}" && n != "{ESCAPE}" && n != "{PAGEUP}" && n != "{PAGEDOWN}" })
	switch {
	case leaves && elsewhere:
		return allowed
	case !seen:
		return ask("nobody has seen where these keys go")
	case elsewhere:
		return ask("these keys go where the input focus is")
	case !writing[c.Type] && !typedInto[c.Type] && !inSheet(ctx, c):
		return ask("keys can push the " + c.Type + " " + quote(c.Name))
	case leaves:
		return allowed
	case inSheet(ctx, c) && typedFormula.MatchString(text):
		return ask("the cell may become a formula, which can send what other cells hold")
	case inSheet(ctx, c) && overwrites(c, names):
		return ask("keys can change what cells hold")
	}
	lines := hasLines(ctx, c)
	for i, n := range names {
		switch {
		case moving[n], changing[n], len([]rune(n)) == 1, len(n) == 3 && n[0] == '{': // a letter; or a sign in braces
		case n == "{ENTER}" && lines, n == "{TAB}" && (lines || i == len(names)-1):
		default:
			return ask("the keys " + quote(text) + " can do more than write")
		}
	}
	return allowed
}

var cellName = regexp.MustCompile(`^[A-Z]{1,3}[1-9][0-9]{0,6}$`)

// overwrites reports whether keys in a sheet can change a cell that is not known to be empty: only the first one can be.
func overwrites(c desktop.Control, names []string) bool {
	empty := c.Type == "table cell" && c.Value == "" && cellName.MatchString(c.Name)
	for _, n := range names {
		switch {
		case moving[n], n == "{ENTER}", n == "{TAB}", n == "^a":
			empty = false
		case n == "^c":
		case !empty, changing[n] && n != "{DEL}" && n != "{BACK}":
			return true
		}
	}
	return false
}

// typedInto are fields of one line.
var typedInto = atspi.Set("entry", "password text", "spin button", "combo box")
