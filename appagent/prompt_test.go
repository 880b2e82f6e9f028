package appagent_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/golden"
)

// giver is an agent that gives tasks, as a host does.
type giver struct {
	fsm.Agent
	request  string
	subtasks []blackboard.Subtask
}

func (g *giver) Request() string                { return g.request }
func (g *giver) Subtasks() []blackboard.Subtask { return g.subtasks }

// given returns an agent with a task of a host, behind two sub-tasks, the second
// of which was for the same request.
func (b *bench) given() *appagent.Agent {
	b.t.Helper()
	b.Config.Board = blackboard.New(0)
	for i, status := range []string{"FINISH", "FAIL", ""} {
		s, err := b.Config.Board.Open(blackboard.Subtask{App: "excel", Text: fmt.Sprintf("task %d", i+1)})
		require.NoError(b.t, err)
		if status != "" {
			require.NoError(b.t, b.Config.Board.Close(s.ID, status, json.RawMessage(`[1,2]`), "so it went"))
		}
	}
	from := &giver{request: "draw a chart", subtasks: b.Config.Board.Subtasks()[1:]}
	agent := b.agent()
	agent.SetStatus(fsm.Continue)
	task := fsm.Task{ID: "subtask_3", Text: "extract the table", Message: "page 3", From: from}
	require.NoError(b.t, agent.Begin(b.t.Context(), task))
	return agent
}

// The prompt after all that can be in one. testdata has it; -update writes it
// anew.
func TestPrompt(t *testing.T) {
	b := newBench(t,
		m{"Status": "PENDING", "Questions": []string{"Which year?"}},
		m{"Status": "FINISH", "Thought": "change it", "ControlLabel": "3", "Function": "set_edit_text", "Args": m{"text": "Costs"}, "Plan": []string{"save it"}},
		say(fsm.Finish))
	b.Config.User = answering("2023", false)
	b.Config.NewID = func() string { return "question-1" }
	b.Config.Docs, b.Config.Examples = "Word has pages.", `{"Status": "FINISH"}`
	b.Desktop.Without(desktop.KeyboardInput, desktop.WheelMouseInput, desktop.Texts, desktop.RunShell, desktop.ClickInput,
		desktop.CloseApplication, desktop.LaunchApplication, desktop.SelectApplicationWindow, desktop.ListTools, desktop.Wait)
	b.Desktop.Fail(desktop.SetEditText, "read only")
	agent := b.given()
	for range 4 {
		stepOf(t, agent)
	}
	golden.Equal(t, "prompt.txt", golden.Transcript(b.Model.Last()))
}

// Alone, the task is the request, and there is nothing before it. Of a giver that does not say
// its request only the task is known.
func TestPromptAlone(t *testing.T) {
	b := newBench(t, say(fsm.Finish), say(fsm.Finish))
	b.Config.Prompt = "{{.Name}} in {{.Window.Process}}: {{.Docs}} {{.Examples}}"
	b.Config.Docs, b.Config.Examples = "a", "b"
	b.finish()
	assert.Equal(t, "do it", section[string](b, 0, "request"))
	assert.False(t, b.has(0, "previous_subtasks"))
	assert.False(t, b.has(0, "history"))
	assert.Equal(t, "AppAgent/word/report in report: a b", b.Model.Last().Messages[0].Parts[0].Text)

	agent := b.agent()
	agent.SetStatus(fsm.Continue)
	require.NoError(t, agent.Begin(t.Context(), fsm.Task{Text: "look", From: b.agent()}))
	stepOf(t, agent)
	assert.False(t, b.has(1, "request"))
}

func TestLimitsOfReplies(t *testing.T) {
	temperature := 0.25
	b := newBench(t, "no", "no")
	b.Config.MaxTokens, b.Config.Temperature, b.Config.MaxReasks = 321, &temperature, 1
	_, err := b.run()
	require.ErrorIs(t, err, deciding.ErrReply)
	require.ErrorContains(t, err, "no usable reply in 2 attempts")
	assert.Equal(t, 321, b.Model.Last().MaxTokens)
	assert.Equal(t, &temperature, b.Model.Last().Temperature)
}
