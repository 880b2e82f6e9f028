package rules_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/rules"
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

const job = "extract the sales table and create a bar chart"

func TestRequests(t *testing.T) {
	t.Parallel()
	windows := raw(`[{"id": "0", "root": "Word", "running": true}]`)
	for request, understood := range map[string]bool{
		job:                                 true,
		"Bar chart!":                        true,
		"please draw the sales as bars":     true,
		"BARCHART of costs":                 true,
		"plot the rainfall":                 true,
		"a bar graph of Umsätze":            true,
		"Balkendiagramm: Kosten":            true,
		"bar chart of 売上高":                  true,
		"the first paragraph of the report": false,
		"extract the sales table":           false,
		"what does the bar earn?":           false,
		"a pie chart of the sales":          false,
		"a piechart of the sales":           false,
		"line graph of sales":               false,
		"pie chart and bar chart":           false,
		"don't draw a bar chart":            false,
		"draw no chart, I don’t need one":   false,
		"a bar chart without the sales":     false,
		"email me a bar chart":              false,
		"a bar chart in PowerPoint":         false,
		"...":                               false,
		"":                                  false,
	} {
		reply := ask(t, sections{"request": request, "windows": windows, "previous_subtasks": raw(`[]`)})
		if understood {
			assert.Equal(t, "ASSIGN", reply["Status"], request)
			continue
		}
		assert.Equal(t, "FAIL", reply["Status"], request)
		assert.Contains(t, reply["Comment"], "I do not understand", request)
	}
}

func TestHost(t *testing.T) {
	t.Parallel()
	both := `[{"id": "7", "root": "Excel"}, {"id": "8", "root": "Word"}]`
	tests := []struct {
		name      string
		windows   string
		previous  string
		lastError string
		want      map[string]any
	}{
		{"word first", both, `[]`, "", map[string]any{"Status": "ASSIGN", "ControlLabel": "8"}},
		{"then excel", both, `[{"status": "FINISH", "reason": "a"}]`, "", map[string]any{"Status": "ASSIGN", "ControlLabel": "7"}},
		{"then the answer", both, `[{"status": "FINISH", "reason": "a."}, {"status": "FINISH", "reason": "b."}]`, "", map[string]any{"Status": "FINISH", "Comment": "a. b."}},
		{"a part failed", both, `[{"status": "FAIL", "reason": "broken"}]`, "subtask_1 ended", map[string]any{"Status": "FAIL", "Comment": "broken"}},
		{"the second failed", both, `[{"status": "FINISH"}, {"status": "FAIL", "reason": "full"}]`, "", map[string]any{"Status": "FAIL", "Comment": "full"}},
		{"it does not come up", both, `[{"status": "FINISH"}]`, "no window", map[string]any{"Status": "FAIL", "Comment": "no window"}},
		{"no word", `[{"id": "7", "root": "Excel"}]`, `[]`, "", map[string]any{"Status": "FAIL", "Comment": "there is no Word on this desktop"}},
		{"nothing there", `[]`, `[]`, "", map[string]any{"Status": "FAIL", "Comment": "there is no Word on this desktop"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			prompt := sections{"request": job, "windows": raw(tt.windows), "previous_subtasks": raw(tt.previous)}
			if tt.lastError != "" {
				prompt["last_error"] = tt.lastError
			}
			assert.Subset(t, ask(t, prompt), tt.want)
		})
	}
}

// inWord is a prompt of the agent in Word after some actions.
func inWord(actions ...string) sections {
	history := "["
	for i, a := range actions {
		if i > 0 {
			history += ","
		}
		history += `{"task": "subtask_2", "actions": [` + a + `]}`
	}
	return sections{
		"request": job, "application": raw(`{"root": "Word"}`), "subtask": raw(`{"id": "subtask_2"}`),
		"history": raw(history + "]"),
	}
}

func listed(from, next int, items string) string {
	return fmt.Sprintf(`{"Function": "list_tables", "output": {"from": %d, "items": [%s], "next": %d}}`, from, items, next)
}

const (
	costs = `{"number": 1, "caption": "Costs", "rows": 9, "columns": [{"name": "x"}], "series": 1, "drawn": 1, "numbers": 9}`
	sales = `{"number": 2, "caption": "Sales", "rows": 4, "totals": ["Sum"], "columns": [{"name": "x"}], "series": 1, "drawn": 1, "numbers": 2, "skipped": ["1.2 M"]}`
)

func TestWord(t *testing.T) {
	t.Parallel()
	assert.Subset(t, ask(t, inWord()), map[string]any{"Status": "CONTINUE", "Function": "list_tables", "Args": map[string]any{"from": 1.0}})
	assert.Subset(t, ask(t, inWord(listed(1, 2, costs))), map[string]any{"Function": "list_tables", "Args": map[string]any{"from": 2.0}})
	both := []string{listed(1, 2, costs), listed(2, 0, sales)}
	assert.Subset(t, ask(t, inWord(both...)), map[string]any{"Function": "extract_table", "Args": map[string]any{"number": 2.0}})

	short := ask(t, inWord(append(both, `{"Function": "extract_table", "output": {"rows": [["a"]]}}`)...))
	assert.Subset(t, short, map[string]any{
		"Status": "FINISH", "Result": map[string]any{"rows": []any{[]any{"a"}}},
		"Comment": `"Sales": 3 rows, 1 series. Not in the chart: the row "Sum", because totals dwarf the rest; the text "1.2 M" among the numbers.`,
	})
	long := ask(t, inWord(append(both, `{"Function": "extract_table", "output": {"$ref": "action_result_1", "head": "{", "bytes": 9000}}`)...))
	assert.Subset(t, long, map[string]any{"Status": "FINISH", "Result": map[string]any{"$ref": "action_result_1"}})
}

func TestWordGivesUp(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		prompt sections
		reason string
	}{
		"a failure":         {inWord(`{"Function": "list_tables", "status": "failure", "error": "broken file"}`), "broken file"},
		"no table":          {inWord(listed(1, 0, "")), "no table"},
		"no numbers":        {inWord(listed(1, 0, `{"number": 1, "unfit": "no numeric column"}`)), "no numeric column"},
		"forgotten pages":   {inWord(listed(3, 0, costs)), "forgotten those from 1 on"},
		"not what it knows": {inWord(`{"Function": "list_tables", "output": "hello"}`), "list_tables returned"},
	} {
		reply := ask(t, tt.prompt)
		assert.Equal(t, "FAIL", reply["Status"], name)
		assert.Contains(t, reply["Comment"], tt.reason, name)
	}
	// What was done for another sub-task does not count.
	other := inWord(listed(1, 0, ""))
	other["subtask"] = raw(`{"id": "subtask_3"}`)
	assert.Equal(t, "list_tables", ask(t, other)["Function"])
}

// inExcel is a prompt of the agent in Excel, with what came from Word.
func inExcel(data string, actions ...string) sections {
	p := inWord(actions...)
	p["application"] = raw(`{"root": "Excel"}`)
	p["previous_subtasks"] = raw(`[{"application": "Word", "status": "FINISH", "data": ` + data + `}]`)
	return p
}

func book(state string) string {
	return `{"Function": "write_rows", "output": ` + state + `}`
}

func TestExcel(t *testing.T) {
	t.Parallel()
	const short = `{"title": "Sales", "rows": [["a", 1.50]], "formats": ["", "0.00"]}`
	const long = `{"$ref": "subtask_result_1.data", "head": "{", "bytes": 9000}`

	reply := ask(t, inExcel(short))
	assert.Equal(t, "CONTINUE", reply["Status"])
	assert.Equal(t, []any{
		map[string]any{"Function": "write_rows", "Args": map[string]any{"rows": []any{[]any{"a", 1.5}}}},
		map[string]any{"Function": "format_columns", "Args": map[string]any{"formats": []any{"", "0.00"}}},
	}, reply["Actions"])
	reply = ask(t, inExcel(long))
	assert.Equal(t, []any{
		map[string]any{"Function": "write_rows", "Args": map[string]any{"rows": map[string]any{"$ref": "subtask_result_1.data.rows"}}},
		map[string]any{"Function": "format_columns", "Args": map[string]any{"formats": map[string]any{"$ref": "subtask_result_1.data.formats"}}},
	}, reply["Actions"])

	assert.Subset(t, ask(t, inExcel(long, book(`{"used_range": "A1:C9"}`))), map[string]any{
		"Status": "CONTINUE", "Function": "add_bar_chart",
		"Args": map[string]any{
			"range":   map[string]any{"$ref": "subtask_result_1.data.range"},
			"columns": map[string]any{"$ref": "subtask_result_1.data.columns"},
			"title":   map[string]any{"$ref": "subtask_result_1.data.title"},
		},
	})
	for _, exists := range []bool{false, true} {
		state := fmt.Sprintf(`{"charts": 1, "file_exists": %v}`, exists)
		// What was put off for approval is not done.
		skipped := `{"Function": "save_workbook", "status": "skipped"}`
		assert.Subset(t, ask(t, inExcel(short, book(state), skipped)), map[string]any{
			"Function": "save_workbook", "Args": map[string]any{"overwrite": exists},
		})
	}
	assert.Subset(t, ask(t, inExcel(short, book(`{"charts": 1, "saved": true, "file": "x.xlsx"}`))), map[string]any{
		"Status": "FINISH", "Comment": "A bar chart of it is in x.xlsx.",
	})
}

func TestExcelGivesUp(t *testing.T) {
	t.Parallel()
	failed := `{"Function": "save_workbook", "status": "failure", "error": "disk full"}`
	assert.Subset(t, ask(t, inExcel(`{}`, failed)), map[string]any{"Status": "FAIL", "Comment": "disk full"})
	nothing := inExcel(`{}`)
	delete(nothing, "previous_subtasks")
	assert.Equal(t, "FAIL", ask(t, nothing)["Status"])
	assert.Equal(t, "FAIL", ask(t, inExcel(`{}`, book(`"hello"`)))["Status"])
}

// A reply that was refused would be refused again.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, prompt := range []sections{
		{"request": job, "windows": raw(`[]`)}, inWord(), inExcel(`{}`),
	} {
		prompt["refused_reply"] = "{}"
		prompt["last_error"] = "rows: must be an array"
		assert.Subset(t, ask(t, prompt), map[string]any{"Status": "FAIL", "Comment": "rows: must be an array"})
	}
}

// A launch of which nobody knows whether it happened did, once the program did its sub-task.
func TestLaunchInDoubt(t *testing.T) {
	t.Parallel()
	got := ask(t, sections{
		"request": job, "windows": raw(`[]`), "previous_subtasks": []map[string]string{{"status": "FINISH"}, {"status": "FINISH"}},
		"refused_reply": "{}", "last_error": "FINISH, but this is open: act_2 (launch: nobody knows whether it happened)",
	})
	assert.Equal(t, "FINISH", got["Status"])
	assert.Equal(t, map[string]any{"act_2": "done: the program did its sub-task"}, got["Open"])
}

func TestOtherPrompts(t *testing.T) {
	t.Parallel()
	complete := func(ctx context.Context, text string) error {
		_, err := rules.Model().Complete(ctx, &llm.Request{Messages: []llm.Message{llm.Text(llm.User, text)}})
		return err
	}
	assert.ErrorIs(t, complete(t.Context(), "hello"), rules.ErrPrompt)
	paint, err := llm.Prompt(llm.Section{Name: "application", Value: raw(`{"root": "Paint"}`)})
	require.NoError(t, err)
	assert.ErrorIs(t, complete(t.Context(), paint), rules.ErrPrompt)
	odd, err := llm.Prompt(llm.Section{Name: "windows", Value: "none"})
	require.NoError(t, err)
	assert.ErrorContains(t, complete(t.Context(), odd), "section windows")
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	assert.ErrorIs(t, complete(ctx, "hello"), gone)
}

// Who does not know what came of an action looks, and goes on from what is there.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	const unknown = `, "status": "failure", "error": "nobody knows whether it happened: the run was interrupted"}`
	const data = `{"title": "Sales", "rows": [["a", 1]], "formats": ["", "0"]}`
	shown := func(state string) string {
		return `{"Function": "show_workbook", "output": ` + state + `}`
	}
	for _, tool := range []string{"write_rows", "format_columns", "add_bar_chart", "save_workbook"} {
		lost := `{"Function": "` + tool + `"` + unknown
		assert.Equal(t, "show_workbook", ask(t, inExcel(data, lost))["Function"])
		for state, next := range map[string]string{
			`{}`:                      "write_rows",
			`{"used_range": "A1:B1"}`: "format_columns",
			`{"used_range": "A1:B1", "formatted": true}`:                             "add_bar_chart",
			`{"used_range": "A1:B1", "formatted": true, "charts": 1}`:                "save_workbook",
			`{"used_range": "A1:B1", "formatted": true, "charts": 1, "saved": true}`: "",
		} {
			reply := ask(t, inExcel(data, lost, shown(state)))
			if list, ok := reply["Actions"].([]any); ok {
				assert.Equal(t, next, list[0].(map[string]any)["Function"], state)
				continue
			}
			assert.Equal(t, next, cmp.Or(reply["Function"], any("")), state)
		}
	}
	// The host sees in its windows whether Excel has started.
	reply := ask(t, sections{
		"request": job, "windows": raw(`[{"id": "7", "root": "Excel", "running": true}]`),
		"previous_subtasks": raw(`[{"status": "FINISH"}]`), "last_error": "launch_application failed: nobody knows whether it happened",
	})
	assert.Subset(t, reply, map[string]any{"Status": "ASSIGN", "ControlLabel": "7"})
}
