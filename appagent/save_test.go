package appagent_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/savetest"
	"github.com/agentfsm/agentfsm/llm"
)

// elsewhere returns an agent as it is in another process: its data has been
// through JSON, and so has its blackboard.
func (b *bench) elsewhere(agent *appagent.Agent) *appagent.Agent {
	b.t.Helper()
	saved := savetest.JSON(b.t, agent)
	board, err := json.Marshal(agent.Board())
	require.NoError(b.t, err)
	b.Config.Board = blackboard.New(0)
	require.NoError(b.t, json.Unmarshal(board, b.Config.Board))
	restored := b.agent()
	savetest.Load(b.t, restored, saved)
	require.Equal(b.t, saved, savetest.JSON(b.t, restored), "what loaded it saves the same")
	assert.Equal(b.t, agent.Status(), restored.Status())
	assert.Equal(b.t, agent.Decision(), restored.Decision())
	return restored
}

func (b *bench) begun() *appagent.Agent {
	b.t.Helper()
	agent := b.agent()
	agent.SetStatus(fsm.Continue)
	require.NoError(b.t, agent.Begin(b.t.Context(), fsm.Task{ID: "subtask_1", Text: "do it"}))
	return agent
}

// The restored agent goes on with the same conversation: what it would be asked
// next is the same, word for word.
func TestRestoredPromptIsTheSame(t *testing.T) {
	replies := []any{
		m{"Status": "CONTINUE", "Function": "set_edit_text", "ControlLabel": "3", "Args": m{"text": "Costs"}, "Plan": []string{"save"}},
		m{"Status": "CONTINUE", "Function": "fly"},
	}
	b := newBench(t, append(replies, m{"Status": "CONTINUE", "Thought": "hm"}, say(fsm.Finish), say(fsm.Finish))...)
	agent := b.given()
	stepOf(t, agent)
	stepOf(t, agent)
	restored := b.elsewhere(agent)
	stepOf(t, agent)
	stepOf(t, restored)
	requests := b.Model.Requests()
	n := len(requests)
	assert.Equal(t, golden.Transcript(requests[n-2]), golden.Transcript(requests[n-1]))
	assert.Equal(t, "draw a chart", section[string](b, n-1, "request"))
	assert.Len(t, section[[]blackboard.Subtask](b, n-1, "previous_subtasks"), 1)
}

func TestLoadFails(t *testing.T) {
	item := fsm.Log{Items: []json.RawMessage{json.RawMessage("7")}}
	for name, saved := range map[string]fsm.Saved{
		"no JSON": {State: json.RawMessage("nothing")},
		"type":    {State: json.RawMessage(`{"task": 7}`)},
		"memory":  {State: json.RawMessage("{}"), Logs: map[string]fsm.Log{"memory": item}},
		"gap":     {State: json.RawMessage("{}"), Logs: map[string]fsm.Log{"answers": {Dropped: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, say(fsm.Finish))
			agent := b.agent()
			_, err := b.drive(agent, "do it")
			require.NoError(t, err)
			before := savetest.JSON(t, agent)
			require.ErrorContains(t, agent.Load(saved), "appagent: load: ")
			assert.Equal(t, before, savetest.JSON(t, agent))
		})
	}
}

// The stable form, so that a change to it is seen.
func TestSavedForm(t *testing.T) {
	b := newBench(t,
		m{"Status": "CONTINUE", "Function": "wait", "Args": m{"seconds": 0}, "Plan": []string{"a"}},
		m{"Status": "CONFIRM", "Function": "click_input", "ControlLabel": "1", "Comment": "shall I?"})
	b.Config.NewID = func() string { return "question-1" }
	agent := b.begun()
	stepOf(t, agent)
	stepOf(t, agent)
	golden.Equal(t, "saved.json", savetest.JSON(t, agent)+"\n")
}

// idle is an agent with one tool that does nothing, whose model calls it for ever.
func idle(t *testing.T) *appagent.Agent {
	t.Helper()
	desk, err := desktop.New(desktop.Func("noop", "does nothing", func(context.Context, struct{ N int }) (string, error) { return "ok", nil }, nil))
	require.NoError(t, err)
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: `{"Status": "CONTINUE", "Thought": "on", "Function": "noop", "Args": {"N": 1}}`}, nil
	})
	agent, err := appagent.New(appagent.Config{Model: model, Desktop: desk, NoImages: true})
	require.NoError(t, err)
	return agent
}

// What is saved costs the same after many steps as after few: each memo is encoded once.
func TestSaveIsFlat(t *testing.T) {
	agent := idle(t)
	agent.SetStatus(fsm.Continue)
	require.NoError(t, agent.Begin(t.Context(), fsm.Task{Text: "go on"}))
	state := agent.States().Bind(fsm.Continue)
	cost := func(steps int) float64 {
		for range steps {
			require.NoError(t, state.Handle(t.Context(), agent))
			agent.SetStatus(fsm.Continue)
		}
		_, err := agent.Save() // of the new memos
		require.NoError(t, err)
		return testing.AllocsPerRun(10, func() { _, _ = agent.Save() })
	}
	few := cost(10)
	assert.LessOrEqual(t, cost(promptsize.Memory+10), few+2, "not one for each memo")
}
