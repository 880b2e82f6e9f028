package builtin_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	prompts "github.com/agentfsm/agentfsm/internal/section"
)

// all are the sections of a prompt.
func all(t *testing.T, kept *builtin.Kept, p *builtin.Prompt) map[string]string {
	t.Helper()
	messages, err := kept.Messages(p)
	require.NoError(t, err)
	found := map[string]string{}
	for _, m := range messages {
		maps.Insert(found, prompts.All(m.Text()))
	}
	return found
}

// Of what a prompt shows in part a model uses the whole.
func TestWhole(t *testing.T) {
	document := strings.Repeat("the whole document ", 5_000)
	board := blackboard.New(0)
	require.NoError(t, board.PutRaw("secret", json.RawMessage(`"of the board"`)))
	var kept builtin.Kept
	p := prompt(t)
	p.Task.Add("subtask", map[string]string{"id": "s1", "text": document}, true)
	p.Now.Add("controls", []desktop.Control{
		{ID: "7", Value: document},
		{ID: "8.a", Name: document},
		{ID: "twice", Value: document}, {ID: "twice", Value: "another " + document},
		{ID: "odd\n", Value: document},
		{ID: "short", Value: "short"},
	}, true)
	p.Now.Add("answers", many(400, func(i int) map[string]any {
		return map[string]any{"question": map[string]string{"$ref": "secret"}, "answer": fmt.Sprint(i, strings.Repeat(" yes", 100))}
	}), true)
	shown := all(t, &kept, p)
	require.Equal(t, shown, all(t, &kept, p), "with the controls that are kept")
	resolve := func(ref string) (any, error) {
		args, err := kept.Resolve(board, map[string]any{"to": []any{map[string]any{"$ref": ref}}, "also": map[string]any{"$ref": "secret"}})
		if err != nil {
			return nil, err
		}
		assert.Equal(t, "of the board", args["also"])
		return args["to"].([]any)[0], nil
	}
	for path, in := range map[string]string{"prompt.subtask.text": "subtask", "prompt.controls.7.value": "controls", "prompt.controls.8.a.name": "controls"} {
		assert.Contains(t, shown[in], fmt.Sprintf("… [cut: %d bytes in all, $ref: %s]", len(document), path))
		whole, err := resolve(path)
		require.NoError(t, err)
		assert.Equal(t, document, whole)
		raw, err := kept.ResolveJSON(board, json.RawMessage(`{"text": {"$ref": "`+path+`"}}`))
		require.NoError(t, err)
		var result struct{ Text string }
		require.NoError(t, json.Unmarshal(raw, &result))
		assert.Equal(t, document, result.Text)
	}
	assert.Contains(t, shown["answers"], " entries were left out, $ref: prompt.answers")
	list, err := resolve("prompt.answers")
	require.NoError(t, err)
	require.Len(t, list, 400)
	assert.Equal(t, map[string]any{"$ref": "secret"}, list.([]any)[7].(map[string]any)["question"], "what looks like a reference in it is none")

	assert.Equal(t, 1, strings.Count(shown["controls"], "$ref: prompt.controls.twice"), "a name means one thing")
	whole, err := resolve("prompt.controls.twice.value")
	require.NoError(t, err)
	assert.Equal(t, document, whole)
	for _, ref := range []string{"prompt.controls.odd\n.value", "prompt.controls.short.value", "prompt.controls.9.value", "prompt.tools"} {
		_, err := resolve(ref)
		require.ErrorIs(t, err, blackboard.ErrNotFound, ref)
	}
	_, err = kept.ResolveJSON(board, json.RawMessage(`[{"$ref": "prompt.no"}]`))
	require.ErrorIs(t, err, blackboard.ErrNotFound)

	many := make([]any, 200)
	for i := range many {
		many[i] = map[string]any{"$ref": "prompt.answers"}
	}
	_, err = kept.Resolve(board, map[string]any{"to": many})
	require.ErrorContains(t, err, "all references together stand for more than")

	p.Task, p.Now = nil, nil
	p.Now.Add("now", 1, true)
	all(t, &kept, p)
	_, err = resolve("prompt.subtask.text")
	require.ErrorIs(t, err, blackboard.ErrNotFound, "it is for the prompt that shows it")
}

// Whatever is in a prompt, each section and all together are within their bounds.
func TestPromptIsBounded(t *testing.T) {
	long := strings.Repeat("long ", 400_000)
	list := many(3_000, func(i int) map[string]any {
		return map[string]any{"id": i, "text": long[:900], "of": []string{"a", "b"}}
	})
	for name, value := range map[string]any{"text": long, "list": list, "object": wide(2_000), "list of texts": many(50_000, func(int) string { return "x" })} {
		t.Run(name, func(t *testing.T) {
			p := prompt(t)
			for own := range promptsize.Sections {
				if own != "history" && own != "tools" && own != "tool_groups" {
					p.Now.Add(own, value, true)
				}
			}
			p.Now.Add("of a stranger", value, true)
			for range 12 {
				p.Data.Memory.Add(acting.Memo{Note: long, Actions: many(100, func(int) acting.MemoAction {
					return acting.MemoAction{Tool: "read", Output: json.RawMessage(`"` + long[:2_000] + `"`)}
				})})
			}
			total := 0
			for own, body := range all(t, new(builtin.Kept), p) {
				raw, err := json.Marshal(json.RawMessage(body))
				require.NoError(t, err)
				assert.LessOrEqual(t, len(raw), promptsize.Of(own), own)
				if name == "text" && own != "tools" {
					assert.Greater(t, len(raw), promptsize.Of(own)/3, own)
				}
				total += len(raw)
			}
			assert.LessOrEqual(t, total, promptsize.Prompt)
		})
	}
}

// Of steps that are too long together the older ones are left out, half of the bound at once.
func TestHistoryIsBounded(t *testing.T) {
	var kept builtin.Kept
	p := prompt(t)
	p.Steps = promptsize.Memory
	text := strings.Repeat("x", acting.MaxOutput-100)
	last, began := 0, ""
	lost := 0
	for i := range promptsize.Memory {
		p.Data.Memory.Add(acting.Memo{Task: fmt.Sprint(i), Note: text})
		history := all(t, &kept, p)["history"]
		require.Equal(t, all(t, new(builtin.Kept), p)["history"], history, "kept or new")
		require.LessOrEqual(t, len(history), promptsize.History+len("[\n\n]"))
		n := strings.Count(history, "\n{")
		if n > last && last > 0 {
			require.True(t, strings.HasPrefix(history, began), "step %d: it goes on", i)
		} else if last > 0 {
			require.Less(t, n, last*6/10, "step %d: it loses many at once", i)
			lost++
		}
		last, began = n, strings.TrimSuffix(history, "\n]")
	}
	assert.Greater(t, lost, 1)
}
