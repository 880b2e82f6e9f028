package rules_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/linuxagent/internal/rules"
	"github.com/agentfsm/agentfsm/llm"
)

// sections is a prompt.
type sections map[string]any

// ask returns the model's reply.
func ask(t testing.TB, prompt sections) map[string]any {
	t.Helper()
	var list []llm.Section
	for name, value := range prompt {
		list = append(list, llm.Section{Name: name, Value: value})
	}
	text, err := llm.Prompt(list...)
	require.NoError(t, err)
	resp, err := rules.Model().Complete(t.Context(), &llm.Request{Messages: []llm.Message{llm.Text(llm.User, text)}})
	require.NoError(t, err)
	var reply map[string]any
	require.NoError(t, json.Unmarshal([]byte(resp.Text), &reply))
	return reply
}

func raw(text string) json.RawMessage { return json.RawMessage(text) }

const job = `which of these CSV files has the highest total of "n"? Put the answer into the workbook.`

func TestHost(t *testing.T) {
	t.Parallel()
	both := `[{"id": "7", "root": "workbook"}, {"id": "8", "root": "terminal"}]`
	for _, tt := range []struct {
		name, request, windows, previous, lastError string
		want                                        map[string]any
		planned                                     bool
	}{
		{"the terminal first", job, both, `[]`, "", map[string]any{"Status": "ASSIGN", "ControlLabel": "8", "CurrentSubTask": "find"}, true},
		{
			"then the workbook", job, both, `[{"status": "FINISH", "reason": "a"}]`, "",
			map[string]any{"Status": "ASSIGN", "ControlLabel": "7", "CurrentSubTask": "write"}, false,
		},
		{
			"then the answer", job, both, `[{"status": "FINISH", "reason": "a."}, {"status": "FINISH", "reason": "b."}]`, "",
			map[string]any{"Status": "FINISH", "Comment": "a. b."}, false,
		},
		{
			"a command failed", job, both, `[{"status": "FAIL", "reason": "a command failed: x"}]`, "it failed",
			map[string]any{"Status": "ASSIGN", "ControlLabel": "8", "CurrentSubTask": "find"}, true,
		},
		{
			"and again", job, both, `[{"status": "FAIL", "reason": "a command failed: x"}, {"status": "FAIL", "reason": "a command failed: y"}]`, "",
			map[string]any{"Status": "FAIL", "Comment": "a command failed: y"}, false,
		},
		{
			"better the second time", job, both, `[{"status": "FAIL", "reason": "a command failed: x"}, {"status": "FINISH", "reason": "a"}]`, "",
			map[string]any{"Status": "ASSIGN", "ControlLabel": "7", "CurrentSubTask": "write"}, false,
		},
		{
			"not approved", job, both, `[{"status": "FAIL", "reason": "not approved: run_shell"}]`, "",
			map[string]any{"Status": "FAIL", "Comment": "not approved: run_shell"}, false,
		},
		{
			"the workbook failed", job, both, `[{"status": "FINISH"}, {"status": "FAIL", "reason": "full"}]`, "",
			map[string]any{"Status": "FAIL", "Comment": "full"}, false,
		},
		{"no terminal", job, `[]`, `[]`, "", map[string]any{"Status": "FAIL", "Comment": "there is no terminal on this desktop"}, false},
		{"something broke", job, both, `[]`, "gone", map[string]any{"Status": "FAIL", "Comment": "gone"}, false},
		{"another job", "draw a chart", both, `[]`, "", map[string]any{"Status": "FAIL"}, false},
	} {
		prompt := sections{"request": tt.request, "windows": raw(tt.windows), "previous_subtasks": raw(tt.previous)}
		if tt.lastError != "" {
			prompt["last_error"] = tt.lastError
		}
		reply := ask(t, prompt)
		assert.Subset(t, reply, tt.want, tt.name)
		assert.Equal(t, tt.planned, reply["Plan"] != nil, tt.name)
	}
}

// What was found is handed on by reference, whatever it is.
func TestWorkbook(t *testing.T) {
	t.Parallel()
	prompt := sections{
		"request": job, "application": raw(`{"root": "workbook"}`), "subtask": raw(`{"id": "subtask_3"}`),
		"previous_subtasks": raw(`[{"id": "subtask_1", "application": "terminal", "status": "FAIL"},
			{"id": "subtask_2", "application": "terminal", "status": "FINISH", "data": {"rows": [["File"], ["a.csv"]]}}]`),
	}
	reply := ask(t, prompt)
	assert.Equal(t, []any{
		map[string]any{"Function": "clear_sheet"},
		map[string]any{"Function": "write_rows", "Args": map[string]any{"rows": map[string]any{"$ref": "subtask_result_2.data.rows"}}},
	}, reply["Actions"])
	written := func(state string) sections {
		p := sections{"history": raw(`[{"task": "subtask_3", "actions": [{"Function": "write_rows", "output": ` + state + `},
			{"Function": "save_workbook", "status": "skipped"}]}]`)}
		maps.Copy(p, prompt)
		return p
	}
	assert.Subset(t, ask(t, written(`{"file_exists": true}`)), map[string]any{"Function": "save_workbook", "Args": map[string]any{"overwrite": true}})
	assert.Subset(t, ask(t, written(`{}`)), map[string]any{"Function": "save_workbook", "Args": map[string]any{"overwrite": false}})
	assert.Subset(t, ask(t, written(`{"saved": true, "sheet": "Answer", "file": "a.xlsx"}`)), map[string]any{
		"Status": "FINISH", "Comment": "It is in the sheet Answer of a.xlsx.",
	})
	assert.Equal(t, "FAIL", ask(t, written(`"?"`))["Status"])
	delete(prompt, "previous_subtasks")
	assert.Equal(t, "FAIL", ask(t, prompt)["Status"])
}

// inTerminal is a prompt of the LinuxAgent after some actions.
func inTerminal(actions string) sections {
	return sections{
		"request": job, "terminal": raw(`{"root": "terminal"}`), "subtask": raw(`{"id": "subtask_1"}`),
		"history": raw(`[{"task": "subtask_1", "actions": [` + actions + `]}]`),
	}
}

// What the history has is not run again, and what it does not have is.
func TestTerminal(t *testing.T) {
	t.Parallel()
	const list = `printf '%s//' ./*.[cC][sS][vV] | tail -c +1 | head -c 300`
	assert.Subset(t, ask(t, inTerminal("")), map[string]any{"Status": "CONTINUE", "Bash": list})
	done := func(line, status, output, problem string) string {
		text, err := json.Marshal(map[string]any{
			"Function": "run_shell", "Args": map[string]any{"bash_command": line}, "status": status, "output": raw(output), "error": problem,
		})
		require.NoError(t, err)
		return string(text)
	}
	reply := ask(t, inTerminal(done(list, "", `{"stdout": "./a.csv//./it's.csv//"}`, "")))
	assert.Equal(t, `for f in './a.csv' './it'\''s.csv'; do
  test -f "$f" && head -n 1 -- "$f" | head -c 300 | tr -d '\n'
  printf '\n'
done`, reply["Bash"])
	assert.Subset(t, ask(t, inTerminal(done(list, "skipped", `{}`, ""))), map[string]any{"Bash": list})
	assert.Subset(t, ask(t, inTerminal(done(list, "failure", `{}`, "exit status 2"))), map[string]any{"Status": "FAIL", "Comment": "a command failed: exit status 2"})
	assert.Subset(t, ask(t, inTerminal(done(list, "", `{"stdout": "./*.[cC][sS][vV]//"}`, ""))), map[string]any{"Status": "FAIL"})
	assert.Subset(t, ask(t, inTerminal(done(list, "", `"?"`, ""))), map[string]any{"Status": "FAIL"})
	assert.Subset(t, ask(t, inTerminal(done(list, "", `{"$ref": "action_result_1", "head": "{"}`, ""))), map[string]any{"Status": "FAIL"})
	// What was run for another sub-task does not count.
	other := inTerminal(done(list, "", `{"stdout": "./a.csv//"}`, ""))
	other["subtask"] = raw(`{"id": "subtask_2"}`)
	assert.Subset(t, ask(t, other), map[string]any{"Bash": list})
}

// A reply that was refused would be refused again.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, prompt := range []sections{
		{"request": job, "windows": raw(`[]`)}, inTerminal(""), {"application": raw(`{"root": "workbook"}`)},
	} {
		prompt["refused_reply"], prompt["last_error"] = "{}", "that is no plan"
		assert.Subset(t, ask(t, prompt), map[string]any{"Status": "FAIL", "Comment": "that is no plan"})
	}
}

func TestOtherPrompts(t *testing.T) {
	t.Parallel()
	complete := func(ctx context.Context, text string) error {
		_, err := rules.Model().Complete(ctx, &llm.Request{Messages: []llm.Message{llm.Text(llm.User, text)}})
		return err
	}
	require.ErrorIs(t, complete(t.Context(), "hello"), rules.ErrPrompt)
	odd, err := llm.Prompt(llm.Section{Name: "windows", Value: "none"})
	require.NoError(t, err)
	require.ErrorContains(t, complete(t.Context(), odd), "section windows")
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	assert.ErrorIs(t, complete(ctx, "hello"), gone)
}
