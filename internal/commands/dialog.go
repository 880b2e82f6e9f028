package commands

import (
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// IsDialog reports whether a control is a dialog, or another thing in front of what it belongs to.
func IsDialog(c desktop.Control) bool {
	return slices.ContainsFunc(dialogs, func(name string) bool { return strings.EqualFold(name, c.Type) })
}

var dialogs = []string{"alert", "alertdialog", "dialog", "messagebox", "popup", "sheet"}

// Dialog returns the innermost dialog on the way to a control, the control itself left out.
func Dialog(path []desktop.Control) (desktop.Control, bool) {
	for i := len(path) - 2; i >= 0; i-- {
		if IsDialog(path[i]) {
			return path[i], true
		}
	}
	return desktop.Control{}, false
}

// IsButton reports whether a control is pressed by a click on it, or on a part of it.
func IsButton(c desktop.Control) bool {
	return slices.Contains(buttons, strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(c.Type)))
}

var buttons = []string{"button", "checkbox", "hyperlink", "link", "pushbutton", "radiobutton", "splitbutton", "togglebutton"}

// Texts are the names of controls and of all that is inside of them, in their order.
func Texts(controls []desktop.Control) (list []string) {
	for i := range controls {
		if controls[i].Name != "" {
			list = append(list, controls[i].Name)
		}
		list = append(list, Texts(controls[i].Children)...)
	}
	return list
}
