package desktoptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

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
	// the call panicked.
	Err error
	// Executed says that the application carried it out, whatever the caller
	// got.
	Executed bool
	// Running says that the command is still being executed.
	Running bool

	shown json.RawMessage // the parameters with secrets masked
}

// String is one line without times and ids of calls: the tool, its parameters
// with secrets masked, the window, how it ended, and what the caller cannot know.
//
//	click_input {"id":"3"} in winword/report.docx: success
func (e Entry) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", e.Command.ToolName, e.shown)
	if e.Window.ID != "" {
		fmt.Fprintf(&b, " in %s/%s", e.Window.Root, e.Window.Process)
	}
	told := false
	switch {
	case e.Running:
		b.WriteString(": running")
	case e.Err != nil:
		fmt.Fprintf(&b, ": error: %v", e.Err)
	case e.Result.Status == desktop.Failure:
		fmt.Fprintf(&b, ": failure: %s", e.Result.Error)
	default:
		told = e.Result.Status == desktop.Success
		fmt.Fprintf(&b, ": %s", e.Result.Status)
	}
	switch {
	case e.Executed && !told:
		b.WriteString(" (but executed)")
	case told && !e.Executed:
		b.WriteString(" (but not executed)")
	}
	return b.String()
}

// record is an Entry while it is being filled, under the lock.
type record struct {
	command desktop.Command // without parameters
	raw     json.RawMessage // the parameters
	shown   json.RawMessage
	window  desktop.Window
	answer  answer
	looks   bool // the tool only reads
	running bool
}

// unknown masks the parameters of a tool that is not offered: which of them are
// secret nobody knows.
var unknown, _ = desktop.NewToolbox(nil, nil)

// arrive opens the entry of a command.
func (d *Desktop) arrive(scope *window, cmd desktop.Command, raw json.RawMessage) (Call, *record) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settle(time.Now())
	call := Call{Tool: cmd.ToolName, raw: raw}
	w := d.resolve(scope, &call)
	cmd.Parameters = nil
	entry := &record{command: cmd, raw: raw, window: call.Window, running: true}
	box := unknown
	if t := d.find(cmd.ToolName, w); t != nil {
		entry.looks = t.desc.Annotations.ReadOnlyHint
		box = t.box
	}
	entry.shown = show(box.Mask(desktop.Command{ToolName: cmd.ToolName, Parameters: call.own().Params}).Parameters)
	d.log = append(d.log, entry)
	return call, entry
}

// executed notes that a command took effect, before anything else goes wrong.
func (d *Desktop) executed(entry *record, yes bool) {
	if entry != nil {
		d.mu.Lock()
		entry.answer.executed = yes
		d.mu.Unlock()
	}
}

// leave closes the entry.
func (d *Desktop) leave(entry *record, done answer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	done.result = cloneResult(done.result)
	done.executed = done.executed || entry.answer.executed
	entry.answer, entry.running = done, false
}

func (e *record) entry() Entry {
	cmd := e.command
	cmd.Parameters = Call{raw: e.raw}.own().Params
	return Entry{
		Command: cmd, Window: e.window, shown: e.shown,
		Result: cloneResult(e.answer.result), Err: e.answer.err, Executed: e.answer.executed, Running: e.running,
	}
}

func (d *Desktop) entries(keep func(*record) bool) []Entry {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []Entry
	for _, e := range d.log {
		if keep(e) {
			list = append(list, e.entry())
		}
	}
	return list
}

// Log returns every command that reached the desktop, in the order in which
// they came, as copies. Tools and Scope are no commands.
func (d *Desktop) Log() []Entry { return d.entries(func(*record) bool { return true }) }

// Actions is the Log without the commands of tools that say they only read.
func (d *Desktop) Actions() []Entry { return d.entries(func(e *record) bool { return !e.looks }) }

// Calls is the Log of one tool: every command that reached the desktop, carried
// out or not. Without one nobody even tried.
func (d *Desktop) Calls(tool string) []Entry {
	return d.entries(func(e *record) bool { return e.command.ToolName == tool })
}

func show(params map[string]any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(params) // it came from JSON
	return bytes.TrimSpace(b.Bytes())
}
