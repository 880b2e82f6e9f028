package appagent_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// calls are a reply of calls, each a name and its arguments.
func calls(list ...string) (reply []llm.Call) {
	for i, c := range list {
		name, args, _ := strings.Cut(c, " ")
		reply = append(reply, llm.Call{ID: fmt.Sprintf("id-%d-%s", i+1, name), Name: name, Args: json.RawMessage(args)})
	}
	return reply
}

// The prompt of a model that replies with calls, with a refused reply in it. testdata has it; -update writes it
// anew.
func TestPromptOfCalls(t *testing.T) {
	b := newBench(t,
		&llm.Response{Text: "The title is wrong.", Calls: calls(`set_edit_text {"id": "3", "text": "Costs"}`)},
		calls(`set_edit_text {"id": "9"}`, `FINISH {"Result": "changed"}`),
		calls(`FINISH {"Result": "changed"}`))
	b.Config.ToolCalls = true
	b.Config.Docs, b.Config.Examples = "Word has pages.", "Call FINISH."
	b.Desktop.Without(desktop.KeyboardInput, desktop.WheelMouseInput, desktop.Texts, desktop.RunShell, desktop.ClickInput,
		desktop.CloseApplication, desktop.LaunchApplication, desktop.SelectApplicationWindow, desktop.ListTools, desktop.Wait)
	b.finish()
	golden.Equal(t, "calls.txt", golden.Transcript(b.Model.Last()))
}

// The decision, what is done and what is remembered are those of a reply of JSON.
func TestCallsAreADecision(t *testing.T) {
	var was []round.Step
	for _, form := range []bool{false, true} {
		replies := []any{
			m{"Thought": "both", "Status": "CONTINUE", "SaveScreenshot": "red", "Plan": []string{"end"}, "Actions": []m{
				{"Function": "click_input", "Args": m{"id": "1"}}, {"Function": "wait", "Args": m{"seconds": 0}},
			}}, m{"Status": "FINISH", "Result": []int{1}, "Open": m{"plan_1": "done"}},
		}
		if form {
			replies = []any{
				&llm.Response{Usage: llm.Usage{InputTokens: 10, OutputTokens: 5}, Text: "both", Calls: calls(
					`click_input {"id": "1"}`, `SaveScreenshot {"reason": "red"}`, `wait {"seconds": 0}`, `CONTINUE {"Plan": ["end"]}`)},
				calls(`FINISH {"Result": [1], "Open": {"plan_1": "done"}}`),
			}
		}
		b := newBench(t, replies...)
		b.Config.ToolCalls = form
		agent := b.agent()
		res, err := b.drive(agent, "do it")
		require.NoError(t, err)
		assert.Equal(t, "[1]", res.Answer)
		assert.Len(t, b.Desktop.Calls("wait"), 1)
		notes, _ := agent.Board().Raw(boarddata.Trajectories)
		assert.Contains(t, string(notes), `"reason":"red"`)
		for i := range b.Steps {
			s := &b.Steps[i]
			s.Usage = llm.Usage{}
			if form {
				assert.JSONEq(t, string(was[i].Decision), string(s.Decision))
				assert.Len(t, s.Commands, len(was[i].Commands))
				assert.Equal(t, was[i].String(), s.String())
			}
		}
		was = b.Steps
	}
}

// With calls, what is named like a status is none of the agent's tools; in the other form it is a tool like any other.
func TestCallsReserveNames(t *testing.T) {
	for _, form := range []bool{false, true} {
		var logs strings.Builder
		reply := any(say(fsm.Finish))
		if form {
			reply = calls(`FINISH {"Comment": "done"}`)
		}
		b := newBench(t, reply)
		b.Config.ToolCalls, b.Config.Logger = form, slog.New(slog.NewTextHandler(&logs, nil))
		b.Desktop.AddTools(desktoptest.Tool{Name: "Finish"}, desktoptest.Tool{Name: "savescreenshot"}, desktoptest.Tool{Name: "Bash"})
		b.finish()
		assert.Equal(t, form, strings.Contains(logs.String(), `gen_ai.tool.name=Finish`))
		assert.Equal(t, form, strings.Contains(logs.String(), `gen_ai.tool.name=savescreenshot`))
		assert.NotContains(t, logs.String(), "Bash", "only a host has it")
		assert.Empty(t, b.Desktop.Calls("Finish"), "it is the status")
		if form {
			var names []string
			for _, tool := range b.Model.Last().Tools {
				names = append(names, tool.Name)
			}
			assert.Contains(t, names, "Bash")
			assert.NotContains(t, names, "Finish")
		}
	}
}

// A model that sees no pictures has none to keep.
func TestCallsWithoutImages(t *testing.T) {
	b := newBench(t, calls(`FINISH {"Comment": "done"}`))
	b.Config.ToolCalls, b.Config.NoImages = true, true
	b.finish()
	for _, tool := range b.Model.Last().Tools {
		assert.NotEqual(t, "SaveScreenshot", tool.Name)
		assert.NotEqual(t, "SCREENSHOT", tool.Name)
	}
}

// A template of one's own is told which form the replies have.
func TestPromptKnowsItsForm(t *testing.T) {
	b := newBench(t, calls(`FINISH {"Comment": "done"}`))
	b.Config.ToolCalls, b.Config.Prompt = true, "{{if .ToolCalls}}call{{else}}write{{end}}"
	b.finish()
	assert.Equal(t, "call", b.Model.Last().Messages[0].Text())
}

// A call whose arguments stand one object deeper, or in other letters, is understood; one with an argument that the tool
// does not have, or with too many bytes, is fed back. A person is asked about none of these.
func TestArgumentsOfCalls(t *testing.T) {
	find := desktoptest.Tool{Name: "find", Schema: `{"type":"object","properties":{"text":{"type":"string"},"limit":{"type":"integer"}}}`}
	for name, c := range map[string]struct{ call, told string }{
		"in the call itself": {`find {"name": "find", "arguments": {"text": "a"}}`, ""},
		"in the schema":      {`find {"type": "object", "properties": {"text": "a"}}`, ""},
		"in other letters":   {`find {"Text": "a"}`, ""},
		"of another name":    {`find {"txt": "a"}`, `find has no argument "txt", and nothing was called: its arguments are limit, text`},
		"broken":             {`find "{\"text\": \"a\""`, "the arguments of find are no JSON object: the text ends inside an object: write all of it"},
		"very many":          {`find {"text": "` + strings.Repeat("a", 8<<20) + `"}`, "find has 8388620 bytes of arguments, and at most 1048576 are read of all calls: give it less"},
	} {
		t.Run(name, func(t *testing.T) {
			replies := []any{calls(c.call)}
			if c.told != "" {
				replies = append(replies, calls(`find {"text": "a"}`))
			}
			b := newBench(t, append(replies, calls(`FINISH {"Result": "found"}`))...)
			b.Config.ToolCalls = true
			b.Desktop.AddTools(find)
			b.finish()
			var did []string
			for _, entry := range b.Desktop.Actions() {
				did = append(did, fmt.Sprint(entry.Command.ToolName, entry.Command.Parameters))
			}
			assert.Equal(t, []string{"findmap[text:a]"}, did)
			if c.told != "" {
				last := b.Model.Requests()[1].Messages
				assert.Contains(t, last[len(last)-1].Text(), strings.ReplaceAll(c.told, `"`, `\"`))
			}
		})
	}
}
