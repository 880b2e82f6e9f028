package desktoptest

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// errUnfinished is the Err of an Entry until its call returns.
var errUnfinished = errors.New("desktoptest: the call is running, or panicked")

// Entry is one command that reached the desktop.
type Entry struct {
	// Command is what came, its parameters as they come off a wire: numbers are
	// float64. Its CallID is the caller's, so usually random.
	Command desktop.Command
	// Window is the one that it acted on as it was then; zero: none.
	Window desktop.Window
	// Result is what the caller got, unless Err is set.
	Result desktop.Result
	// Err is the broken transport, the end of the caller's context, or says that
	// the call is running or has panicked.
	Err error
	// Executed says that the application carried it out, whatever the caller
	// got.
	Executed bool

	method bool           // it is Desktop.Tools, and no command
	looks  bool           // the tool only reads
	shown  map[string]any // the parameters, secrets masked
}

// String is one line without times and ids of calls: the tool, its parameters
// with secrets masked, the window, how it ended, and what the caller cannot know.
//
//	click_input {"id":"3"} in winword/report.docx: success
func (e Entry) String() string {
	text := e.Command.ToolName + " " + written(e.shown)
	if e.Window.ID != "" {
		text += " in " + e.Window.Root + "/" + e.Window.Process
	}
	switch {
	case e.Err != nil:
		text += ": error: " + e.Err.Error()
	case e.Result.Status == desktop.Failure:
		text += ": failure: " + e.Result.Error
	default:
		text += ": " + string(e.Result.Status)
	}
	told := e.Err == nil && e.Result.Status == desktop.Success
	if e.Executed && !told {
		text += " (but executed)"
	}
	if told && !e.Executed {
		text += " (but not executed)"
	}
	return text
}

func written(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // what came from JSON
	return strings.TrimSpace(b.String())
}

func (d *Desktop) entries(keep func(*Entry) bool) []Entry {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []Entry
	for _, e := range d.log {
		if keep(e) {
			list = append(list, *e)
		}
	}
	return list
}

// Log returns every command that reached the desktop, in the order in which
// they came. Tools and Scope are no commands.
func (d *Desktop) Log() []Entry { return d.entries(func(*Entry) bool { return true }) }

// Actions is the Log without the commands of tools that say they only read.
func (d *Desktop) Actions() []Entry { return d.entries(func(e *Entry) bool { return !e.looks }) }

// Calls is the Log of one tool: every command that reached the desktop, carried
// out or not. Without one nobody even tried.
func (d *Desktop) Calls(tool string) []Entry {
	return d.entries(func(e *Entry) bool { return e.Command.ToolName == tool })
}
