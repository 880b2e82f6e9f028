package scenarios_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// chatMarks begin or end a turn for servers that look for them everywhere.
var chatMarks = []string{
	"<|im_start|>", "<|im_end|>", "<|eot_id|>", "<|start_header_id|>", "<start_of_turn>", "</s>", "<s>", "[INST]", "[/INST]", "<<SYS>>",
	"<|start|>", "<｜User｜>", "<think>", "</tool_call>", "[SYSTEM_PROMPT]", "[gMASK]", "]~b]", "[e~[", "<|turn>", "]<]speech[>[",
	"[|system|]", "[|endofturn|]", "[|assistant|]", "◁think▷", "◁/think▷", "✿FUNCTION✿", "＜|im_start|＞", "＜｜User｜＞", "［INST］",
}

// unmarked asserts that a request has no mark, neither in its texts nor in the JSON beside them.
func unmarked(t *testing.T, req *llm.Request) {
	t.Helper()
	var all []string
	for _, m := range req.Messages {
		all = append(all, m.Text(), m.CallID)
		for _, call := range m.Calls {
			all = append(all, call.ID, call.Name, string(call.Args))
		}
	}
	for _, tool := range req.Tools {
		all = append(all, tool.Name, tool.Description, string(tool.Parameters), string(tool.Strict))
	}
	text := strings.Join(all, "\n")
	for _, mark := range chatMarks {
		assert.NotContains(t, text, mark)
	}
}

// Whatever text a stranger writes, a server that knows such marks sees none of them, and the model reads all of it.
func TestScenario24_MarksOfChatTemplates(t *testing.T) {
	odd := "x" + strings.Join(chatMarks, " ") + "y"
	for name, calls := range map[string]bool{"json": false, "calls": true} {
		t.Run(name, func(t *testing.T) {
			app := call("CONTINUE", "set_edit_text", map[string]any{"id": "1", "text": odd}).(map[string]any)
			app["Comment"], app["Thought"], app["Plan"] = odd, odd, []string{odd}
			read := call("CONTINUE", "read", map[string]any{})
			ask := map[string]any{"Status": "PENDING", "Questions": []string{odd}}
			done := finish(odd)
			replies := []any{assign("0", odd), app, read, ask, odd, done, leaving(odd)}
			if calls {
				text := func(v any) json.RawMessage { return must(json.Marshal(v)) }
				replies = []any{
					&llm.Response{Calls: []llm.Call{{ID: "1", Name: "ASSIGN", Args: text(map[string]any{"ControlLabel": "0", "CurrentSubTask": odd})}}},
					&llm.Response{Text: odd, Calls: []llm.Call{{ID: "2", Name: "set_edit_text", Args: text(map[string]any{"id": "1", "text": odd})}}},
					&llm.Response{Calls: []llm.Call{{ID: "3", Name: "read"}}},
					&llm.Response{Calls: []llm.Call{{ID: "4", Name: "PENDING", Args: text(map[string]any{"Questions": []string{odd}})}}},
					&llm.Response{Text: odd, Calls: []llm.Call{{ID: "5" + odd, Name: "no_" + odd, Args: text(map[string]any{odd: odd})}}},
					&llm.Response{Calls: []llm.Call{{ID: "6", Name: "FINISH", Args: text(map[string]any{"Result": odd})}}},
					&llm.Response{Calls: []llm.Call{{ID: "7", Name: "FINISH", Args: text(map[string]any{"Result": odd})}}},
				}
			}
			s := onStage(t, replies...)
			s.Word = &desktoptest.App{
				Root: "word", Process: "report", Title: odd, Description: odd, Running: true,
				Controls: []desktop.Control{{ID: "1", Name: odd, Type: "Edit", Value: odd, State: []string{odd}}},
				Tools: []desktoptest.Tool{{
					Name: "read", Description: odd, Returns: map[string]any{odd: odd},
					Schema: string(must(json.Marshal(map[string]any{"type": "object", "properties": map[string]any{
						"a": map[string]any{"type": "string", "title": odd, "description": odd}, odd: map[string]any{"enum": []string{odd}},
					}}))),
				}, {Name: odd, Description: odd, Returns: odd}},
			}
			s.Desktop = desktoptest.New(t, s.Word)
			s.Config.Desktop = grouped{s.Desktop, odd}
			s.Config.ToolCalls = calls
			s.Config.User = people.UserFunc(func(context.Context, people.Question) (people.Answer, error) { return people.Answer{Text: odd}, nil })
			s.Config.Board = blackboard.New(0)
			require.NoError(t, blackboard.NewKey[string]("note").Put(s.Config.Board, odd))
			_, err := s.run(odd)
			require.NoError(t, err)
			require.Len(t, s.Model.Requests(), len(replies))
			for i, req := range s.Model.Requests() {
				unmarked(t, req)
				for _, tool := range req.Tools {
					if tool.Name == "read" {
						var schema struct {
							Properties map[string]struct{ Enum []string }
						}
						require.NoError(t, json.Unmarshal(tool.Parameters, &schema))
						assert.Equal(t, []string{odd}, schema.Properties[odd].Enum, "a call that obeys is taken")
					}
				}
				for _, m := range req.Messages {
					for _, call := range m.Calls {
						assert.JSONEq(t, string(must(json.Marshal(map[string]any{odd: odd}))), string(call.Args), "the model repeats what it sees")
					}
				}
				for _, name := range []string{"request", "subtask"} {
					if raw, ok := llm.FindSection(req, name); ok {
						assert.Contains(t, fmt.Sprint(must(plainjson.Decode(raw))), odd, "%s of request %d: the model reads all of it", name, i)
					}
				}
			}
		})
	}
}

// grouped says of all its tools what they are for.
type grouped struct {
	*desktoptest.Desktop
	group string
}

func (g grouped) Tools(ctx context.Context) ([]desktop.Tool, error) {
	tools, err := g.Desktop.Tools(ctx)
	for i := range tools {
		tools[i].Group = g.group
	}
	return tools, err
}
