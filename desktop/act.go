package desktop

import (
	"context"
	"time"
)

// ClickOptions are the details of a [Click]. The zero value is one click with
// the left button.
type ClickOptions struct {
	Button string // left, right or middle; "": left
	Double bool
}

// Click returns the command that clicks on a control. id is that of
// [Control]; with a name, a control that is called otherwise by now is not
// touched. opts may be nil.
func Click(id, name string, opts *ClickOptions) Command {
	p := target(id, name)
	if opts != nil && opts.Button != "" {
		p["button"] = opts.Button
	}
	if opts != nil && opts.Double {
		p["double"] = true
	}
	return action(ClickInput, p)
}

// SetText returns the command that replaces the text of a control. For id and
// name see [Click].
func SetText(id, name, text string) Command {
	p := target(id, name)
	p["text"] = text
	return action(SetEditText, p)
}

// TypeOptions are the details of [TypeKeys].
type TypeOptions struct {
	KeepFocus bool // do not give the control the input focus first
}

// TypeKeys returns the command that presses keys: plain text, keys in braces
// such as {ENTER}, with ^, % and + for Ctrl, Alt and Shift. They go to the
// control of that id, or, when it is empty, wherever the input focus is. opts
// may be nil.
func TypeKeys(id, keys string, opts *TypeOptions) Command {
	p := target(id, "")
	p["keys"] = keys
	if opts != nil && opts.KeepFocus {
		p["control_focus"] = false
	}
	return action(KeyboardInput, p)
}

// Scroll returns the command that turns the mouse wheel by so many notches,
// above 0 up, over the control of that id, or, when it is empty, in the middle
// of the window.
func Scroll(id string, notches int) Command {
	p := target(id, "")
	p["wheel_dist"] = notches
	return action(WheelMouseInput, p)
}

// Pause returns the command that waits, at most [MaxWait].
func Pause(d time.Duration) Command {
	return action(Wait, map[string]any{"seconds": d.Seconds()})
}

// Shell returns the command that runs a command line.
func Shell(line string) Command {
	return action(RunShell, map[string]any{"bash_command": line})
}

// SelectWindow returns the command that brings a window to the front. name is
// its title and may be empty.
func SelectWindow(id, name string) Command {
	return action(SelectApplicationWindow, target(id, name))
}

// LaunchProgram returns the command that starts a program. command is the
// program with its arguments; without one the desktop knows what the name
// means.
func LaunchProgram(name string, command ...string) Command {
	p := map[string]any{"name": name}
	if len(command) > 0 {
		list := make([]any, len(command)) // as encoding/json would have it
		for i, word := range command {
			list[i] = word
		}
		p["command"] = list
	}
	return action(LaunchApplication, p)
}

// CloseWindow returns the command that closes a window.
func CloseWindow(id string) Command { return action(CloseApplication, target(id, "")) }

// Do runs one command with [Execute] and turns a result that is no success
// into a [*FailedError]. The result is returned with it.
func Do(ctx context.Context, d Desktop, cmd Command) (Result, error) {
	res, err := Execute(ctx, d, cmd)
	if err != nil {
		return res, err
	}
	return res, res.failed(cmd.ToolName)
}

// Launch starts a program, see [LaunchProgram]. That it returns does not mean
// that its window is there. Errors are those of [Do].
func Launch(ctx context.Context, d Desktop, name string, command []string) (Result, error) {
	return Do(ctx, d, LaunchProgram(name, command...))
}

// Select brings a window to the front. Errors are those of [Do].
func Select(ctx context.Context, d Desktop, w Window) (Result, error) {
	return Do(ctx, d, SelectWindow(w.ID, w.Title))
}

func action(tool string, p map[string]any) Command {
	return Command{ToolName: tool, Parameters: p, ToolType: Action}
}

func target(id, name string) map[string]any {
	p := map[string]any{}
	if id != "" {
		p["id"] = id
	}
	if name != "" {
		p["name"] = name
	}
	return p
}
