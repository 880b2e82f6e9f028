package builtin

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
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
	if text, ok := id.(string); ok {
		return text
	}
	raw, err := json.Marshal(id) // without exponent
	if err != nil {
		return fmt.Sprint(id)
	}
	return string(raw)
}
