package main

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/processor"
)

// layout is a question for a terminal. The text of an approval has the command as
// JSON, in which a line of a shell cannot be read; here it stands as it is typed.
// Nothing of an approval is left out.
func layout(q processor.Question) string {
	if q.Command == nil {
		return wrap(q.Text)
	}
	asked, rest, ok := parts(q)
	if !ok {
		return q.Text
	}
	// Each on a line of its own: what is asked, why, and what the agent says.
	why, says, commented := strings.Cut(strings.TrimPrefix(rest, " "), " The agent says: ")
	text := asked + wrap(why)
	if commented {
		text += "\n" + wrap("The agent says: "+says)
	}
	return strings.TrimSuffix(text, "\n")
}

// parts divides the text of an approval: what is to be approved, and what follows. It is
// not ok where the text is not as expected; then it is shown as it is.
func parts(q processor.Question) (asked, rest string, ok bool) {
	const allow = "Allow "
	rest, ok = strings.CutPrefix(q.Text, allow+q.Command.ToolName+" ")
	if !ok {
		return "", "", false
	}
	decoder := json.NewDecoder(strings.NewReader(rest))
	var shown map[string]any
	if decoder.Decode(&shown) != nil {
		return "", "", false
	}
	rest = rest[decoder.InputOffset():]
	target := ""
	if on, found := strings.CutPrefix(rest, " on "); found {
		quoted, err := strconv.QuotedPrefix(on)
		if err != nil {
			return "", "", false
		}
		target, rest = " on "+quoted, on[len(quoted):]
	}
	if rest, ok = strings.CutPrefix(rest, "?"); !ok {
		return "", "", false
	}
	line, isLine := q.Command.Parameters["bash_command"].(string)
	if q.Command.ToolName != desktop.RunShell || !isLine {
		return strings.TrimSuffix(q.Text, rest) + "\n", rest, true
	}
	// What is shown is what is executed, and all of it. A text without a secret, say,
	// is another one.
	if len(shown) != 1 || len(q.Command.Parameters) != 1 || shown["bash_command"] != line {
		return "", "", false
	}
	return visible(q.Agent) + " wants to run this" + target + ":\n" + code(line), rest, true
}
