package builtin_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/llm"
)

func section(t *testing.T, name string, value any) string {
	t.Helper()
	p := prompt(t)
	p.Now.Add(name, value, true)
	messages, err := new(builtin.Kept).Messages(p)
	require.NoError(t, err)
	found, ok := llm.FindSection(&llm.Request{Messages: messages}, name)
	require.True(t, ok)
	return string(found)
}

func many[T any](n int, entry func(i int) T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = entry(i)
	}
	return list
}

// Whatever strangers put into a section, a prompt has a bounded part of it, in valid
// JSON, and says that something is missing.
func TestSectionsAreBounded(t *testing.T) {
	long := strings.Repeat("long ", 400_000)
	for name, c := range map[string]struct {
		section string
		value   any
		has     []string // of what is kept
		note    string
	}{
		"name of a control":  {"controls", []desktop.Control{{ID: "a", Name: long}, {ID: "b", Name: "OK"}}, []string{`"a"`, `"OK"`}, "cut: 2000000 bytes"},
		"value of a control": {"controls", []desktop.Control{{ID: "a", Value: long}, {ID: "b", Name: "OK"}}, []string{`"a"`, `"OK"`}, "cut: 2000000 bytes"},
		"controls":           {"controls", many(20_000, func(i int) desktop.Control { return desktop.Control{ID: strconv.Itoa(i), Name: "cell"} }), []string{`"0"`, `"500"`}, "of 20000 controls"},
		"windows":            {"windows", many(100_000, func(i int) desktop.Window { return desktop.Window{ID: strconv.Itoa(i), Title: "x"} }), []string{`"0"`, `"500"`}, "of 100000 entries"},
		"description":        {"tools", []map[string]any{{"name": "save", "description": long}, {"name": "open"}}, []string{"save", "open"}, "cut: 2000000 bytes"},
		"schema":             {"tools", []map[string]any{{"name": "save", "input_schema": map[string]any{"required": []string{"to"}, "properties": wide(20_000)}}, {"name": "open"}}, []string{"save", "open", "required"}, "members were left out"},
		"deep schema":        {"tools", []map[string]any{{"name": "save", "input_schema": deep(60, long[:300_000])}}, []string{"save"}, "left out"},
		"plan":               {"plan", many(100_000, func(i int) string { return "note " + strconv.Itoa(i) }), []string{"note 0", "note 99"}, "of 100000 entries"},
		"answers, the last":  {"answers", many(10_000, func(i int) map[string]any { return map[string]any{"question": i, "answer": "yes"} }), []string{"9999"}, "of 10000 entries"},
		"one answer":         {"answers", []map[string]any{{"question": "which?", "answer": long}}, []string{"which?"}, "cut: 2000000 bytes"},
		"a sub-task":         {"subtask", map[string]any{"id": "s1", "subtask": long, "message": long}, []string{"s1"}, "cut: 2000000 bytes"},
		"previous sub-tasks": {"previous_subtasks", many(50, func(i int) map[string]any {
			return map[string]any{"id": "s" + strconv.Itoa(i), "subtask": long[:20_000]}
		}), []string{"s49"}, "entries"},
		"escapes":              {"controls", []desktop.Control{{ID: "a", Name: strings.Repeat("\x01", 1<<20)}}, []string{`"a"`}, "cut: 1048576 bytes"},
		"a name of a member":   {"tools", []map[string]any{{"name": "save", long: 1}}, []string{"save"}, "members were left out"},
		"a number":             {"tools", []any{json.Number(strings.Repeat("1", 1<<20)), "open"}, []string{"open"}, "left out: 1048576 bytes"},
		"what is not observed": {"not_observed", []string{"no controls: " + long}, []string{"no controls"}, "cut: "},
	} {
		t.Run(name, func(t *testing.T) {
			text := section(t, c.section, c.value)
			assert.Less(t, len(text), 600_000, "indented")
			assert.True(t, json.Valid([]byte(text)))
			for _, part := range c.has {
				assert.Contains(t, text, part)
			}
			assert.Contains(t, text, c.note)
		})
	}
}

func TestCheckQuestions(t *testing.T) {
	require.NoError(t, builtin.CheckQuestions(nil))
	require.NoError(t, builtin.CheckQuestions(many(20, strconv.Itoa)))
	require.ErrorContains(t, builtin.CheckQuestions(many(21, strconv.Itoa)), "there are 21 Questions; ask at most 20 in a reply")
	require.ErrorContains(t, builtin.CheckQuestions([]string{"a", strings.Repeat("b", 5000)}), "question 2 has 5000 bytes")
}

func wide(n int) map[string]any {
	m := map[string]any{}
	for i := range n {
		m["p"+strconv.Itoa(i)] = map[string]any{"type": "string", "description": "what it is"}
	}
	return m
}

func deep(n int, text string) any {
	v := any(map[string]any{"description": text})
	for range n {
		v = map[string]any{"properties": map[string]any{"p": v}}
	}
	return v
}
