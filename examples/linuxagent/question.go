package main

import (
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/people"
)

// layout is a question for a terminal. The text of an approval has the command as
// JSON, in which a line of a shell cannot be read; here it stands as it is typed,
// and why it is asked and what the agent says stand on lines of their own. Nothing
// of an approval is left out.
func layout(q people.Question) string {
	line, ok := shellLine(q)
	if !ok {
		return wrap(q.Text)
	}
	text := visible(q.Agent) + " wants to run this"
	if origin := q.Shown.Origin; origin != "" {
		text += " by the shell of " + strconv.Quote(origin)
	}
	if q.Target != "" {
		text += " on " + strconv.Quote(q.Target)
	}
	if q.Title != "" {
		text += " titled " + strconv.Quote(q.Title)
	}
	text += ":\n" + strings.TrimSuffix(code(line), "\n")
	if q.Reason != "" {
		text += "\n" + wrap("It needs approval because "+q.Reason+".")
	}
	if q.Comment != "" {
		text += "\n" + wrap("The agent says: "+strconv.Quote(q.Comment))
	}
	return text
}

// shellLine returns the line of a shell that is to be approved. A command with a
// secret in it, or with more than a line, is shown as its text.
func shellLine(q people.Question) (string, bool) {
	if q.Command == nil || q.Shown == nil || q.Command.ToolName != desktop.RunShell || len(q.Command.Parameters) != 1 {
		return "", false
	}
	line, ok := q.Command.Parameters["bash_command"].(string)
	return line, ok && q.Shown.Parameters["bash_command"] == line
}
