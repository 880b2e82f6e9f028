package linuxdesktop

import (
	"context"
	"regexp"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

var (
	// writing are controls in which {ENTER} begins a line.
	writing = atspi.Set("document text", "paragraph", "heading", "text")
	// cells are those of a sheet, in which {ENTER} ends a cell. In a list of files it opens one.
	cells = atspi.Set("document spreadsheet", "table", "table cell")
	// typedInto are fields of one line.
	typedInto = atspi.Set("entry", "password text", "spin button", "combo box")

	// leaving are keys that close what is open, or move the view.
	leaving = atspi.Set("{ESC}", "{ESCAPE}", "{PAGEUP}", "{PAGEDOWN}")
	// moving are keys that do nothing in a text but move, with {SHIFT} mark.
	moving = atspi.Set("{LEFT}", "{RIGHT}", "{UP}", "{DOWN}", "{HOME}", "{END}", "{PAGEUP}", "{PAGEDOWN}",
		"^{HOME}", "^{END}", "^{LEFT}", "^{RIGHT}", "^{UP}", "^{DOWN}")
	// changing are keys that change a text, and nothing else.
	changing = atspi.Set("{BACK}", "{DEL}", "^a", "^c", "^x", "^v", "^z", "^y")

	// typedFormula is what keys may have in them that a cell computes: a formula can send what other cells hold.
	typedFormula = regexp.MustCompile(`=|[-+@][^0-9]*[(#!|']`)
	cellName     = regexp.MustCompile(`^[A-Z]{1,3}[1-9][0-9]{0,6}$`)
)

func inSheet(ctx context.Context, c desktop.Control) bool {
	_, sheet := inPath(ctx, atspi.Set("document spreadsheet"))
	return sheet && cells[c.Type]
}

// hasLines reports whether {ENTER} does no more than write in a control.
func hasLines(ctx context.Context, c desktop.Control) bool {
	_, inDialog := inPath(ctx, dialogs)
	return inSheet(ctx, c) || writing[c.Type] && (c.Type != "text" || !inDialog)
}

func keyboard(ctx context.Context, cmd desktop.Command, c desktop.Control, seen bool) policies.Verdict {
	text, _ := cmd.Parameters["keys"].(string)
	strokes, err := x11.Keys(text)
	if err != nil {
		return allowed // nothing will be pressed
	}
	names := make([]string, len(strokes))
	leaves := true
	for i, s := range strokes {
		names[i] = s.String()
		if plain := strings.TrimPrefix(names[i], "+"); moving[plain] || len([]rune(plain)) == 1 {
			names[i] = plain
		}
		leaves = leaves && leaving[names[i]]
	}
	focus, said := cmd.Parameters["control_focus"].(bool)
	elsewhere := !seen || said && !focus
	sheet := inSheet(ctx, c)
	switch {
	case leaves && elsewhere:
		return allowed
	case !seen:
		return ask("nobody has seen where these keys go")
	case elsewhere:
		return ask("these keys go where the input focus is")
	case !writing[c.Type] && !typedInto[c.Type] && !sheet:
		return ask("keys can push the " + c.Type + " " + quote(c.Name))
	case leaves:
		return allowed
	case sheet && typedFormula.MatchString(text):
		return ask("the cell may become a formula, which can send what other cells hold")
	case sheet && overwrites(c, names):
		return ask("keys can change what cells hold")
	}
	lines := hasLines(ctx, c)
	for i, n := range names {
		isSign := len([]rune(n)) == 1 || len(n) == 3 && n[0] == '{' // a letter; or a sign in braces
		endsField := n == "{TAB}" && i == len(names)-1
		if !isSign && !moving[n] && !changing[n] && !endsField && (!lines || n != "{ENTER}" && n != "{TAB}") {
			return ask("the keys " + quote(text) + " can do more than write")
		}
	}
	return allowed
}

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
