package people_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/people"
)

func write(params map[string]any) *desktop.Command {
	return &desktop.Command{ToolName: "write", Parameters: params}
}

func shell(line string) *desktop.Command {
	cmd := desktop.Shell(line)
	return &cmd
}

// A request to approve a command without a Text gets one, in which nothing of the command
// is missing and no word can speak for the question around it.
func TestRequestText(t *testing.T) {
	const most = 16 << 10
	for name, c := range map[string]struct {
		q    people.Question
		want string
	}{
		"short":  {people.Question{Command: write(nil)}, `Allow write?`},
		"target": {people.Question{Command: write(map[string]any{"b": 1, "a": "x"}), Target: "book"}, `Allow write {"a":"x","b":1} on "book"?`},
		"title":  {people.Question{Command: write(nil), Target: "book", Title: "a title"}, `Allow write on "book" titled "a title"?`},
		"target with names": {
			people.Question{Command: write(nil), Target: `Button "Yes" (12) of the dialog "Delete \"a\"?" (3) in word/report (1)`, Title: "a"},
			`Allow write on Button "Yes" (12) of the dialog "Delete \"a\"?" (3) in word/report (1) titled "a"?`,
		},
		"names beside signs that speak": {people.Question{Command: write(nil), Target: `it? No, on "b"`}, `Allow write on "it? No, on \"b\""?`},
		"names that are glued":          {people.Question{Command: write(nil), Target: `a" b "c`}, `Allow write on "a\" b \"c"?`},
		"names that end nowhere":        {people.Question{Command: write(nil), Target: `"a" "b`}, `Allow write on "\"a\" \"b"?`},
		"a title of its own":            {people.Question{Command: write(nil), Target: `"a" titled "b"`, Title: "c"}, `Allow write on "\"a\" titled \"b\"" titled "c"?`},
		"names that cannot be seen":     {people.Question{Command: write(nil), Target: "Button \"a\u3164\""}, `Allow write on Button "a\u3164"?`},
		"origin":                        {people.Question{Command: &desktop.Command{ToolName: "write", Origin: "bank"}}, `Allow write of "bank"?`},
		"reason":                        {people.Question{Command: write(map[string]any{}), Target: "book", Reason: "it writes"}, `Allow write on "book"? It needs approval because it writes.`},
		"comment": {
			people.Question{Command: write(nil), Target: "book", Reason: "it writes", Comment: "\x1b[2J the user agrees \"already\""},
			`Allow write on "book"? It needs approval because it writes. The agent says: "\x1b[2J the user agrees \"already\""`,
		},
		"without its secrets": {
			people.Question{Command: write(map[string]any{"key": "hunter2"}), Shown: write(map[string]any{"key": "***"})},
			`Allow write {"key":"***"}?`,
		},
		"a shell line is readable": {
			people.Question{Command: shell("ls <a >b && rm c")}, `Allow run_shell {"bash_command":"ls <a >b && rm c"}?`,
		},
		"what would not be seen is": {
			people.Question{Command: shell("rm \u202efles\u202c a\u009bb\n\U000e0041")},
			`Allow run_shell {"bash_command":"rm \u202efles\u202c a\u009bb\n\udb40\udc41"}?`,
		},
		"a name that speaks": {
			people.Question{Command: &desktop.Command{ToolName: `wait? Say "yes"`}}, `Allow "wait? Say \"yes\""?`,
		},
		"letters that cannot be seen": {
			people.Question{Command: shell("rm\u3164\u2800\ufe0f"), Target: "a\u3164b", Reason: "it\u202e runs", Comment: "c\u3164d"},
			`Allow run_shell {"bash_command":"rm\u3164\u2800\ufe0f"} on "a\u3164b"? It needs approval because it\u202e runs. The agent says: "c\u3164d"`,
		},
		"a long one as a whole": {
			people.Question{Command: shell(strings.Repeat("a", most) + "; rm b")},
			`Allow run_shell {"bash_command":"` + strings.Repeat("a", most) + `; rm b"}?`,
		},
		"what has no JSON form": {
			people.Question{Command: write(map[string]any{"n": math.NaN()}), Target: "book"},
			`Allow write (arguments that cannot be shown) on "book"?`,
		},
		"a Text of the caller's": {people.Question{Command: write(nil), Text: "May I?"}, `May I?`},
	} {
		t.Run(name, func(t *testing.T) {
			user := answers(false)
			_, err := people.Ask(t.Context(), user, c.q, 0)
			require.NoError(t, err)
			require.Len(t, user.asked, 1)
			assert.Equal(t, c.want, user.asked[0].Text)
			assert.Equal(t, c.q.Command.ToolName, user.asked[0].Command.ToolName)
		})
	}
}

// hiding hides the words of a secret, as a Round does.
type hiding struct{ trace.Sink }

func (hiding) Hide(text string) string { return strings.ReplaceAll(text, "hunter2", "***") }

// A page says what it likes in its title, at any length. Words are cut when the secrets are
// out of them; the command stays as it is.
func TestRequestHidesSecrets(t *testing.T) {
	const most = 8 << 10
	long := strings.Repeat("x", 1<<20)
	user := answers(true)
	q := people.Question{
		Agent: "hunter2", Command: shell("echo hunter2"), Target: "the window hunter2",
		Title: "a hunter2 title, " + long, Reason: "hunter2 " + long, Comment: "hunter2 " + long,
	}
	_, err := people.Ask(trace.With(t.Context(), &hiding{}), user, q, 0)
	require.NoError(t, err)
	shown := user.asked[0]
	assert.Equal(t, "***", shown.Agent)
	assert.Equal(t, "the window ***", shown.Target)
	assert.Less(t, len(shown.Title), 1000)
	for _, text := range []string{shown.Reason, shown.Comment} {
		assert.Less(t, len(text), most+100)
		assert.Contains(t, text, "*** x")
	}
	assert.Contains(t, shown.Text, `{"bash_command":"echo hunter2"}`, "what is hidden is not approved")
	assert.NotContains(t, strings.Replace(shown.Text, "echo hunter2", "", 1), "hunter2")
}
