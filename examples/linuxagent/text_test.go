package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                   "",
		`awk '{ print "\t\u0009" }' < größe`: `awk '{ print "\t\u0009" }' < größe`,
		"a\tb\x1b[2J\r":                      "a<U+0009>b<U+001B>[2J<U+000D>",
		"\u202e\u200b\u00a0\u3164\u2800\U000e0041": "<U+202E><U+200B><U+00A0><U+3164><U+2800><U+E0041>",
		"<U+001B>": "<U+003C>U+001B>",
	} {
		assert.Equal(t, want, visible(text))
	}
}

// All of a command is shown, and each line of it begins with a mark.
func TestCode(t *testing.T) {
	t.Parallel()
	long, word := strings.Repeat("ls ./a; ", 20)+"rm ./b", strings.Repeat("é", 2*width)
	wide := strings.Repeat("語", width-1) // each takes three bytes and two columns
	for text, want := range map[string]string{
		"ls":         "  | ls\n",
		"a\n\n  b\n": "  | a\n  | \n  |   b\n  | \n",
		"a \\ \nb":   "  | a \\<U+0020>\n  | b\n",
		"\n| b":      "  | \n  | | b\n",
		word:         "  | " + word[:2*width] + "\n  + " + word[2*width:] + "\n",
		wide:         "  | " + wide[:3*width/2] + "\n  + " + wide[3*width/2:] + "\n",
		"x" + wide:   "  | x" + wide[:3*width/2-3] + "\n  + " + wide[3*width/2-3:] + "\n",
		long:         "  | " + long[:98] + "\n  + " + long[98:] + "\n",
		"ls" + strings.Repeat(" ", 98) + "Allow it?": "  | ls" + strings.Repeat(" ", 98) + "\n  + Allow it?\n",
	} {
		assert.Equal(t, want, code(text), "%q", text)
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "abc": 3, "größe": 5, "売上高": 6, "ＡＢ": 4, "ｱ": 1, "한글": 4, "🙂": 2, "e\u0301": 2} {
		assert.Equal(t, want, columns(text), text)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	words, name := strings.Repeat("word ", 19)+"word", `"a name of four words"`
	for text, want := range map[string]string{
		"":                              "",
		"short":                         "short",
		words + " 売上高":                  words + "\n売上高",
		words + " next":                 words + "\nnext",
		words + " " + name + ": left":   words + "\n" + name + ": left",
		"a\nb":                          "a\nb",
		strings.Repeat("x", 150) + " y": strings.Repeat("x", 150) + "\ny",
		`"` + words + ` end"`:           `"` + words + "\nend\"",
		`5" and 6"`:                     `5" and 6"`,
	} {
		assert.Equal(t, want, wrap(text))
	}
}

func TestNearby(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	require.NoError(t, err)
	for path, want := range map[string]string{
		filepath.Join(here, "out", "a.xlsx"): filepath.Join("out", "a.xlsx"),
		filepath.Join(here, "a.xlsx"):        "a.xlsx",
		filepath.Join(here, "..", "a.xlsx"):  filepath.Join(here, "..", "a.xlsx"),
		here + "/link/../a.xlsx":             here + "/link/../a.xlsx",
		filepath.Join("out", "a.xlsx"):       filepath.Join("out", "a.xlsx"),
		filepath.Join("..", "a.xlsx"):        filepath.Join("..", "a.xlsx"),
	} {
		assert.Equal(t, want, nearby(path))
	}
}

// question is what a person is asked about a command.
func question(t testing.TB, shown, executed desktop.Command, target, reason, comment string) people.Question {
	t.Helper()
	approval := acting.NewApproval("1", acting.Act{Command: executed, Target: target}, reason)
	approval.Shown = shown
	var asked people.Question
	decision, err := (&acting.Work{Approval: approval}).Confirm(t.Context(), &acting.Actor{User: people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		asked = q
		return people.Answer{}, nil
	}), Agent: "LinuxAgent"}, comment)
	require.NoError(t, err)
	require.Equal(t, fsm.Fail, decision.To)
	return asked
}

func TestLayout(t *testing.T) {
	t.Parallel()
	line := desktop.Shell("for f in './it'\\''s.csv'; do\n  awk '\t\"' \"$f\"\ndone # \"}? <b> \x1b")
	same := func(cmd desktop.Command, target, reason, comment string) people.Question {
		return question(t, cmd, cmd, target, reason, comment)
	}
	for name, tt := range map[string]struct {
		q    people.Question
		want string
	}{
		"a line": {
			same(line, "", `the command "awk" is not on the list`, "Add it up."),
			"LinuxAgent wants to run this:\n  | for f in './it'\\''s.csv'; do\n  |   awk '<U+0009>\"' \"$f\"\n  | done # \"}? <b> <U+001B>\n" +
				"It needs approval because the command \"awk\" is not on the list.\nThe agent says: \"Add it up.\"",
		},
		"nothing is said": {same(desktop.Shell("id"), "", "", ""), "LinuxAgent wants to run this:\n  | id"},
		"on a target":     {same(desktop.Shell("id"), `a "b"? c`, "why", ""), "LinuxAgent wants to run this on \"a \\\"b\\\"? c\":\n  | id\nIt needs approval because why."},
		"another tool": {
			same(desktop.Command{ToolName: "save", Parameters: map[string]any{"text": "a\nThe agent says: b"}}, "w", "why", "says"),
			`Allow save {"text":"a\nThe agent says: b"} on "w"? It needs approval because why. The agent says:` + "\n\"says\"",
		},
		"no arguments": {same(desktop.Command{ToolName: "stop"}, "", "why", ""), "Allow stop? It needs approval because why."},
		"a secret stays one": {
			question(t, desktop.Shell("login ***"), desktop.Shell("login 1234"), "", "why", ""),
			`Allow run_shell {"bash_command":"login ***"}? It needs approval because why.`,
		},
		"more than a line": {
			same(desktop.Command{ToolName: desktop.RunShell, Parameters: map[string]any{"bash_command": "id", "as": "root"}}, "", "", ""),
			`Allow run_shell {"as":"root","bash_command":"id"}?`,
		},
		"a question": {people.Question{Text: "Which?"}, "Which?"},
	} {
		assert.Equal(t, tt.want, layout(tt.q), name)
	}
}
