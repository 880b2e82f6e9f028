package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/suite/internal/rules"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// sections is a prompt.
type sections map[string]any

func request(t testing.TB, prompt sections) *llm.Request {
	t.Helper()
	var list []llm.Section
	for name, value := range prompt {
		list = append(list, llm.Section{Name: name, Value: value})
	}
	text, err := llm.Prompt(list...)
	require.NoError(t, err)
	return &llm.Request{Messages: []llm.Message{llm.Text(llm.User, text)}}
}

// rulesOf are those of a task in the folder dir.
func rulesOf(t testing.TB, task string) func(*llm.Request) (string, error) {
	t.Helper()
	decide, err := rules.Decide(task, "dir")
	require.NoError(t, err)
	return decide
}

// ask reads what the rules reply.
func ask[T any](t testing.TB, decide func(*llm.Request) (string, error), prompt sections) (d T) {
	t.Helper()
	text, err := decide(request(t, prompt))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal([]byte(text), &d))
	return d
}

func raw(text string) json.RawMessage { return json.RawMessage(text) }

func control(id, kind, name string, inside ...desktop.Control) desktop.Control {
	return desktop.Control{ID: id, Type: kind, Name: name, Children: inside}
}

// window is what an AppAgent is asked about: what is to be seen, and how acts end.
type window struct {
	root     string
	controls []desktop.Control
	previous string                                   // sub-tasks; "": none
	output   map[string]string                        // of tools
	fails    func(n int, a reply.Action) (why string) // why act n, from 1, fails; nil: none does
}

// played asks the rules until they end the sub-task.
func (w window) played(t testing.TB, decide func(*llm.Request) (string, error)) (acts []string, end reply.App) {
	t.Helper()
	var history []acting.Memo
	for range 200 {
		d := ask[reply.App](t, decide, w.prompt(history))
		if d.Status != fsm.Continue {
			assert.Empty(t, d.Function)
			return acts, d
		}
		act := reply.Action{ControlLabel: d.ControlLabel, ControlText: d.ControlText, Function: d.Function, Args: d.Args}
		acts = append(acts, shown(t, act))
		memo := acting.MemoAction{Tool: d.Function, Output: raw(w.output[d.Function])}
		if w.fails != nil {
			if memo.Error = w.fails(len(acts), act); memo.Error != "" {
				memo.Status = desktop.Failure
			}
		}
		decision, err := json.Marshal(d)
		require.NoError(t, err)
		history = append(history, acting.Memo{Task: "subtask_1", Decision: decision, Actions: []acting.MemoAction{memo}})
	}
	require.Fail(t, "the rules do not come to an end")
	return nil, end
}

func (w window) prompt(history []acting.Memo) sections {
	p := sections{"application": desktop.Window{Root: w.root}, "subtask": raw(`{"id": "subtask_1"}`), "controls": w.controls, "history": history}
	if w.previous != "" {
		p["previous_subtasks"] = raw(w.previous)
	}
	return p
}

// shown is an act as one line.
func shown(t testing.TB, a reply.Action) string {
	t.Helper()
	words := []string{a.Function}
	if a.ControlLabel != "" {
		assert.Equal(t, a.ControlLabel, a.Args["id"])
		words = append(words, a.ControlLabel)
	}
	for _, name := range []string{"text", "keys", "seconds"} {
		if v, ok := a.Args[name]; ok && (name != "seconds" || a.Function == desktop.Wait) {
			words = append(words, fmt.Sprint(v))
		}
	}
	if a.Args["gone"] == true {
		words = append(words, "gone")
	}
	if path, ok := a.Args["path"].([]any); ok {
		words = append(words, strings.ReplaceAll(strings.Trim(fmt.Sprintf("%q", path), "[]"), `" "`, " > "))
	}
	return strings.Join(words, " ")
}
