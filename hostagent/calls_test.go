package hostagent_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/llm"
)

// calls are a reply of calls, each a name and its arguments.
func calls(list ...string) (reply []llm.Call) {
	for i, c := range list {
		name, args, _ := strings.Cut(c, " ")
		reply = append(reply, llm.Call{ID: fmt.Sprintf("id-%d-%s", i+1, name), Name: name, Args: json.RawMessage(args)})
	}
	return reply
}

// The prompt of a host whose model replies with calls. testdata has it; -update writes it anew.
func TestPromptOfCalls(t *testing.T) {
	b := newBench(t,
		&llm.Response{Text: "The numbers are in Word.", Calls: calls(`ASSIGN {"CurrentSubTask": "extract the table", "ControlLabel": "0", "Plan": ["draw the chart"]}`)},
		calls(`FINISH {"Result": [4, 7]}`),
		calls(`wait {"seconds": 0}`, `wait {"seconds": 1}`),
		calls(`FINISH {"Result": "done", "Open": {"plan_1": "dropped"}}`))
	b.Config.ToolCalls = true
	b.Config.User = answering("yes", true)
	b.Desktop.Without(desktop.LaunchApplication, desktop.ClickInput, desktop.SetEditText, desktop.KeyboardInput, desktop.WheelMouseInput,
		desktop.Texts, desktop.CloseApplication, desktop.GetAppWindow, desktop.ListTools)
	b.finish()
	golden.Equal(t, "calls.txt", golden.Transcript(b.Model.Last()))
}

// A host's shell is a tool of its own, once; its agents have the form of the host.
func TestCallsOfAHost(t *testing.T) {
	b := newBench(t,
		calls(`Bash {"command": "ls"}`),
		calls(`ASSIGN {"CurrentSubTask": "look", "ControlLabel": "0"}`),
		calls(`FINISH {"Comment": "seen"}`), calls(`FINISH {"Result": "done"}`))
	b.Config.ToolCalls = true
	b.Config.User = answering("", true)
	res := b.finish()
	assert.Equal(t, "done", res.Answer)
	require.Len(t, b.Desktop.Calls(desktop.RunShell), 1)
	names := func(i int) (list []string) {
		for _, tool := range b.Model.Requests()[i].Tools {
			list = append(list, tool.Name)
		}
		return list
	}
	assert.Contains(t, names(0), "Bash")
	assert.NotContains(t, names(0), desktop.RunShell)
	assert.Contains(t, names(2), desktop.RunShell, "an agent of an application has the tool")
	assert.NotContains(t, names(2), "ASSIGN")
}

// Without tools of its own a host has the statuses that can work.
func TestCallsWithoutTools(t *testing.T) {
	b := newBench(t, calls(`FINISH {"Result": "done"}`))
	b.Config.ToolCalls = true
	desk, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "word"}, Desktop: b.Desktop})
	require.NoError(t, err)
	b.Config.Desktop = desk
	b.finish()
	for _, tool := range b.Model.Last().Tools {
		assert.Contains(t, []string{"ASSIGN", "FINISH", "FAIL"}, tool.Name)
	}
	assert.Contains(t, b.Model.Last().Messages[0].Text(), "Call one.")
}
