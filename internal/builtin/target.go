package builtin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/spelling"
)

// separators keeps the two parts of a name apart: a document may have a path
// for its name.
var separators = strings.NewReplacer("%", "%25", "/", "%2F")

// Key returns root/process, the name of an application. Those of two
// applications differ, whatever they are called.
func Key(w desktop.Window) string {
	return separators.Replace(w.Root) + "/" + separators.Replace(w.Process)
}

// Where returns the name of the application as people read it: its Key, without
// the slash where there is no process; "" for no window.
func Where(w desktop.Window) string { return strings.TrimSuffix(Key(w), "/") }

// Place returns where commands on a window act: the application, the window by its
// id, and the dialog in front of it. A title is no part of it: it changes with every
// keystroke in some programs.
func Place(w desktop.Window) string {
	place := Exact(Where(w))
	if w.ID != "" {
		place += fmt.Sprintf(" (%s)", Exact(w.ID))
	}
	if w.Dialog != "" {
		place += fmt.Sprintf(" behind the dialog with id %s", Exact(w.Dialog))
	}
	return strings.TrimSpace(place)
}

// IDs returns the ids of what is around a control, behind that of the dialog in front, if none of them is that.
func IDs(front string, around []desktop.Control) string {
	var ids []string
	for _, c := range around {
		if c.ID != "" {
			ids = append(ids, separators.Replace(c.ID))
		}
	}
	if front = separators.Replace(front); front != "" && !slices.Contains(ids, front) {
		ids = slices.Insert(ids, 0, front)
	}
	return strings.Join(ids, "/")
}

// Exact quotes a name that could be read as more than one, or as words around it.
func Exact(name string) string {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./:%#", r) {
			return strconv.Quote(name)
		}
	}
	return name
}

// Focus returns the control that gets what a command types: keys that name none.
func Focus(box *desktop.Toolbox, cmd desktop.Command, w desktop.Window) string {
	switch {
	case !typing(cmd.ToolName), ID(cmd) != "" && cmd.Parameters["control_focus"] != false:
		return ""
	case cmd.ToolName == desktop.KeyboardInput:
		return w.Focus
	}
	types, _ := box.Parameters(cmd.ToolName)
	for name, value := range cmd.Parameters {
		// What the tool does not know moves no keys, whatever the model writes.
		if _, takes := types[name]; takes && targets[Fold(name)] && value != nil && value != "" {
			return ""
		}
	}
	return w.Focus
}

// typists are words in the names of tools that type, and targets what their parameter
// for a control is called.
var (
	typists = set("keyboard", "key", "keys", "keypress", "keystroke", "keystrokes", "hotkey", "hotkeys", "type", "typewrite", "typing", "press", "paste",
		"shortcut", "sendkeys", "presskey")
	writers = set("input", "enter", "send", "insert", "write")
	targets = set("id", "ref", "target", "selector", "control", "controlid", "elementid", "locator", "uid")
)

// typing goes by the words of a name, such as browser_press_key and desk.typeText. One too
// many only makes an approval void when the focus moves.
func typing(tool string) bool {
	text, writes := false, false
	for written := range spelling.Written(tool) {
		word := strings.ToLower(written)
		if typists[word] {
			return true
		}
		text, writes = text || word == "text", writes || writers[word]
	}
	return text && writes
}

// In returns a thing with the place where it is, as far as both are known.
func In(what, where string) string {
	if what == "" || where == "" {
		return what + where
	}
	return what + " in " + where
}

// ID returns the argument id of a command as a text: a tool may want it as a
// number. "" where there is none.
func ID(cmd desktop.Command) string {
	id := cmd.Parameters["id"]
	if id == nil {
		return ""
	}
	return idText(id)
}
