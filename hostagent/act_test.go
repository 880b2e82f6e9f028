package hostagent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/savetest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/policies"
)

// What cannot be put on the blackboard is an error, not a loss.
func TestFullBoard(t *testing.T) {
	for name, reply := range map[string]m{
		"plan":     {"Status": "CONTINUE", "Plan": []string{strings.Repeat("x", 2000)}},
		"step":     {"Status": "CONTINUE", "Thought": strings.Repeat("x", 2000)},
		"sub-task": assign("0", strings.Repeat("x", 2000)),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, reply)
			b.Config.Board = blackboard.New(1000)
			res, err := b.run()
			assert.ErrorIs(t, err, blackboard.ErrFull)
			assert.Equal(t, fsm.Error, res.Status)
		})
	}
}

func allowed(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
	return policies.Verdict{Action: policies.Allow}
}

// once answers with a reply, after something happened.
func once(t *testing.T, happens func(), reply m) func(*llm.Request) (string, error) {
	t.Helper()
	raw, err := json.Marshal(reply)
	require.NoError(t, err)
	return func(*llm.Request) (string, error) {
		happens()
		return string(raw), nil
	}
}

// In a step that goes on in another process, what a command is aimed at is looked at
// once more, and nothing is executed where it is not what it was, or cannot be seen.
func TestTargetsOfAResumedStep(t *testing.T) {
	front := call(desktop.SelectApplicationWindow, m{"id": "0"})
	note := call("note", m{"text": "x"})
	launch := call(desktop.LaunchApplication, m{"name": "excel"})
	nothing := func(*bench) {}
	for name, tc := range map[string]struct {
		reply   m
		happens func(*bench) // since the windows were listed
		says    string       // "": it is executed
	}{
		"a window":                {front, nothing, ""},
		"another window in front": {front, func(b *bench) { b.Desktop.Show(b.Excel) }, ""},
		"a window that is gone": {front, func(b *bench) { b.Desktop.Gone(b.Word) },
			"while the run was stopped, its target had changed from word/report (1) to window 1 (not there): look again"},
		"a window that is another program's": {front, func(b *bench) {
			b.Desktop.Lie(desktop.GetDesktopAppInfo, windowsAre(`[{"id":"1","root":"mail","process":"inbox"}]`))
		}, "its target had changed from word/report (1) to mail/inbox (1): look again"},
		"no windows":         {front, func(b *bench) { b.Desktop.Fail(desktop.GetDesktopAppInfo, "busy") }, "its target had changed from word/report (1) to not seen: "},
		"what has the focus": {note, nothing, ""},
		"what has the focus no more": {note, func(b *bench) {
			b.Desktop.Lie(desktop.GetDesktopAppInfo, windowsAre(`[{"id":"9","root":"excel","process":"book","focused":true}]`))
		}, "its target had changed from word/report (1) to excel/book (9): look again"},
		"a window that is assigned":    {assign("0", "x"), nothing, ""},
		"an assigned one that is gone": {assign("0", "x"), func(b *bench) { b.Desktop.Gone(b.Word) }, "its target had changed from word/report"},
		"a program":                    {launch, nothing, ""},
		"a program that runs by now": {launch, func(b *bench) { b.Desktop.Show(b.Excel) },
			"its target had changed from excel to excel (running): look again"},
		"the shell": {m{"Status": "CONTINUE", "Bash": "ls"}, func(b *bench) { b.Desktop.Gone(b.Word) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var b *bench
			looked := 0
			b = newBench(t, once(t, func() { tc.happens(b); looked = len(b.Desktop.Calls(desktop.GetDesktopAppInfo)) }, tc.reply))
			b.Config.Policy = allowed
			b.Desktop.AddTools(noteTool)
			host := b.begun()
			step(savetest.GoingOn(t.Context()), t, host)
			assert.Greater(t, len(b.Desktop.Calls(desktop.GetDesktopAppInfo)), looked)
			if tc.says == "" {
				assert.Len(t, b.Desktop.Actions(), 1)
				assert.NotContains(t, savetest.JSON(t, host), "not executed")
				return
			}
			assert.Equal(t, fsm.Continue, host.Status())
			assert.Empty(t, b.Desktop.Actions())
			assert.Empty(t, host.Subtasks(), "nothing is handed over")
			assert.Contains(t, host.Decision().Reason, tc.says)
		})
	}
}

func windowsAre(list string) desktop.Result {
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: []byte(list)}}}
}
