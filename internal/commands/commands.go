// Package commands makes the well-known commands, as agents send them.
package commands

import (
	"context"

	"github.com/agentfsm/agentfsm/desktop"
)

// Do executes a command. A tool that says no is an error here.
func Do(ctx context.Context, d desktop.Desktop, cmd desktop.Command) (desktop.Result, error) {
	res, err := desktop.Execute(ctx, d, cmd)
	if err == nil {
		err = res.Err()
	}
	return res, err
}

// Click clicks on a control. With a name, a control that is called otherwise by
// now is not touched.
func Click(id, name string) desktop.Command {
	return command(desktop.ClickInput, "id", id, "name", name)
}

// SetText replaces the text of a control. For id and name see [Click].
func SetText(id, name, text string) desktop.Command {
	cmd := command(desktop.SetEditText, "id", id, "name", name)
	cmd.Parameters["text"] = text
	return cmd
}

// TypeKeys presses keys in a control, or, without an id, wherever the input
// focus is.
func TypeKeys(id, keys string) desktop.Command {
	cmd := command(desktop.KeyboardInput, "id", id)
	cmd.Parameters["keys"] = keys
	return cmd
}

// Select brings a window to the front. The name is its title and may be empty.
func Select(id, name string) desktop.Command {
	return command(desktop.SelectApplicationWindow, "id", id, "name", name)
}

// Launch starts a program. command is the program with its arguments; without
// one the desktop knows what the name means.
func Launch(name string, words ...string) desktop.Command {
	cmd := desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": name}}
	if len(words) > 0 {
		list := make([]any, len(words)) // as encoding/json would have it
		for i, word := range words {
			list[i] = word
		}
		cmd.Parameters["command"] = list
	}
	return cmd
}

// Close closes a window.
func Close(id string) desktop.Command { return command(desktop.CloseApplication, "id", id) }

// command leaves out parameters that are empty.
func command(tool string, pairs ...string) desktop.Command {
	parameters := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			parameters[pairs[i]] = pairs[i+1]
		}
	}
	return desktop.Command{ToolName: tool, Parameters: parameters}
}
