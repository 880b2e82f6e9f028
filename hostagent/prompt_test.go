package hostagent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/golden"
)

// The prompt after all that can be in one: a question, a failed sub-task, an
// action, a plan. testdata has it; -update writes it anew.
func TestPrompt(t *testing.T) {
	b := newBench(t,
		m{"Status": "PENDING", "Questions": []string{"Which year?"}},
		m{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "extract the table of 2023", "Message": "page 3", "Plan": []string{"draw the chart"}},
		m{"Status": "FAIL", "Comment": "there is no such table"},
		m{"Status": "CONTINUE", "Thought": "wait for it", "Function": "wait", "Args": m{"seconds": 0}, "Plan": []string{"extract", "draw"}},
		m{"Status": "FINISH", "Open": m{"subtask_1": "dropped: there is none", "plan_2": "dropped", "plan_3": "dropped"}},
	)
	b.Config.User = answering("2023", false)
	b.Config.NewID = func() string { return "question-1" }
	b.Desktop.Without(desktop.ClickInput, desktop.SetEditText, desktop.KeyboardInput, desktop.WheelMouseInput,
		desktop.Texts, desktop.RunShell, desktop.CloseApplication, desktop.GetAppWindow, desktop.ListTools)
	b.finish()
	golden.Equal(t, "prompt.txt", golden.Transcript(b.Model.Last()))
}

// Tools without a window say what they are for, once for each place that they are from.
func TestPromptOfJoinedTools(t *testing.T) {
	b := newBench(t, assign("0", "x"), say(fsm.Finish), say(fsm.Finish))
	long := strings.Repeat("x", 2000)
	b.Desktop.AddTools(desktoptest.Tool{Name: "own"})
	mails := tooled{{Name: "read_mail", Group: "the mails of the team"}, {Name: "send_mail", Group: "the mails of the team"}}
	b.Config.Desktop = desktop.Join(b.Desktop, mails, tooled{{Name: "dial"}}, tooled{{Name: "far", Origin: "a server", Group: long}})
	b.finish()
	type group struct{ Origin, Description string }
	groups := section[[]group](b, 0, "tool_groups")
	require.Len(t, groups, 2)
	assert.Equal(t, group{"desktop 2", "the mails of the team"}, groups[0])
	assert.Equal(t, "desktop 4: a server", groups[1].Origin)
	assert.Less(t, len(groups[1].Description), 1100)
	assert.Contains(t, groups[1].Description, "xxx")
	assert.Equal(t, 1, strings.Count(b.Model.Requests()[0].Messages[0].Text()+b.Model.Requests()[0].Messages[1].Text(), "the mails of the team"))
}

// tooled is a Desktop of tools that nobody calls.
type tooled []desktop.Tool

func (d tooled) Tools(context.Context) ([]desktop.Tool, error) { return d, nil }

func (d tooled) Execute(context.Context, desktop.Command) (desktop.Result, error) {
	return desktop.FailureResult("not now"), nil
}

// Who wants plans of objects says so, and the model is told how to write one.
func TestPromptOfGraphPlans(t *testing.T) {
	for _, graph := range []bool{false, true} {
		b := newBench(t, m{"Status": "FINISH", "Result": "done"})
		b.Config.GraphPlans = graph
		b.finish()
		assert.Equal(t, graph, strings.Contains(b.Model.Last().Messages[0].Parts[0].Text, `"depends_on": ["extract"]`))
	}
}

func TestCustomPrompt(t *testing.T) {
	b := newBench(t, assign("0", "x"), say(fsm.Finish), say(fsm.Finish))
	b.Config.Name, b.Config.Prompt, b.Config.Config.Prompt = "Hilda", "I am {{.Name}}.", "I am {{.Name}} for {{.Docs}}."
	b.Config.Apps = []hostagent.Program{{Name: "Word", Docs: "letters"}}
	host, s := b.session()
	_, err := s.Run(t.Context(), "do it")
	require.NoError(t, err)
	assert.Equal(t, "Hilda", host.Name())
	assert.Equal(t, "I am Hilda.", b.Model.Requests()[0].Messages[0].Parts[0].Text)
	assert.Equal(t, "I am AppAgent/Hilda/word/report for letters.", b.Model.Requests()[1].Messages[0].Parts[0].Text)
}

func TestLimitsOfReplies(t *testing.T) {
	temperature := 0.25
	b := newBench(t, assign("0", "x"), say(fsm.Finish), say(fsm.Finish))
	b.Config.MaxTokens, b.Config.Temperature, b.Config.NoImages = 321, &temperature, true
	b.finish()
	assert.Equal(t, 321, b.Model.Last().MaxTokens)
	assert.Equal(t, &temperature, b.Model.Last().Temperature)
	assert.Empty(t, b.Desktop.Calls(desktop.CaptureDesktopScreenshot))
	assert.Empty(t, b.Desktop.Calls(desktop.CaptureWindowScreenshot))
}
