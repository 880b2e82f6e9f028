package rules_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// listed is what list_tables has returned.
func listed(from, next int, items string) string {
	return fmt.Sprintf(`{"Function": "list_tables", "Args": {"from": %d}, "output": {"from": %d, "items": [%s], "next": %d}}`, from, from, items, next)
}

const (
	costs = `{"number": 1, "caption": "Costs", "rows": 9, "columns": [{"name": "x"}], "series": 1, "drawn": 1, "numbers": 9}`
	sales = `{"number": 2, "caption": "Sales", "rows": 4, "columns": [{"name": "x"}], "series": 1, "drawn": 1, "numbers": 4}`
	north = `{"number": 3, "caption": "Sales of the north", "rows": 4, "columns": [{"name": "x"}], "series": 1, "drawn": 1, "numbers": 4}`
	south = `{"number": 4, "caption": "Sales of the south", "rows": 4, "columns": [{"name": "x"}], "series": 1, "drawn": 1, "numbers": 4}`
)

func inWriter(acts ...string) sections { return app(rules.Writer, nil, acts...) }

func TestWriter(t *testing.T) {
	t.Parallel()
	both := listed(1, 0, costs+","+sales)
	tip := inFront("Tip of the Day", button("ok", "OK"))
	check(t, map[string]step{
		"first":           {inWriter(), "CONTINUE", "list_tables 1", ""},
		"the next page":   {inWriter(listed(1, 2, costs)), "CONTINUE", "list_tables 2", ""},
		"chosen":          {inWriter(both), "CONTINUE", "extract_table 2", "2 tables"},
		"handed on":       {inWriter(both, `{"Function": "extract_table", "output": {"rows": [["a"]]}}`), "FINISH", "", `"Sales": 4 rows, 1 series.`},
		"no table fits":   {inWriter(listed(1, 0, costs)), "FAIL", "", "not to be tried again: no table fits"},
		"no tables":       {inWriter(listed(1, 0, "")), "FAIL", "", "not to be tried again: the document has no table"},
		"a tip":           {app(rules.Writer, tip), "CONTINUE", "click_input ok", "The dialog Tip of the Day is in the way."},
		"it loads":        {inWriter(failed("list_tables", "the window shows no document")), "CONTINUE", "list_tables", "once the document is there"},
		"it loads, still": {inWriter(times(3, failed("list_tables", "no document"))...), "CONTINUE", "list_tables", "once the document is there"},
		"it never loads":  {inWriter(times(4, failed("list_tables", "no document"))...), "FAIL", "", "no document"},
		"it has loaded":   {inWriter(failed("list_tables", "no document"), both), "CONTINUE", "extract_table 2", "2 tables"},
		"the next failed": {inWriter(both, failed("extract_table", "no answer")), "CONTINUE", "extract_table", "once the document is there"},
		"a tip is gone":   {inWriter(failed(desktop.ClickInput, "there is no such control")), "CONTINUE", "wait", "The dialog is gone."},
		"and left":        {inWriter(failed(desktop.KeyboardInput, "no"), waited), "CONTINUE", "list_tables 1", ""},
		"gone, and again": {inWriter(times(4, failed(desktop.ClickInput, "there is no such control"))...), "FAIL", "", "there is no such control"},
		"as long as it takes": {
			inWriter(times(5, failed("list_tables", unknown))...), "CONTINUE", "list_tables", "once the document is there",
		},
	})
}

// What failed is repeated with its arguments.
func TestWriterRepeats(t *testing.T) {
	t.Parallel()
	d := ask[reply.App](t, inWriter(listed(1, 2, costs), `{"Function": "list_tables", "Args": {"from": 2}, "status": "failure", "error": "busy"}`))
	assert.Equal(t, "list_tables 2", call(d))
}

// A result that is too long for a prompt is handed on by its name.
func TestWriterHandsOnReferences(t *testing.T) {
	t.Parallel()
	long := `{"Function": "extract_table", "output": {"$ref": "action_result_1", "head": "{", "bytes": 9000}}`
	d := ask[reply.App](t, inWriter(listed(1, 0, sales), long))
	assert.JSONEq(t, `{"$ref": "action_result_1"}`, string(d.Result))
}

// Where several tables fit, a person is asked once, if the agent offers that.
func TestWriterAsksWhich(t *testing.T) {
	t.Parallel()
	ambiguous := func(answers ...string) sections {
		s := inWriter(listed(1, 0, north+","+south))
		var list []map[string]string
		for _, a := range answers {
			list = append(list, map[string]string{"question": "Which?", "answer": a})
		}
		if list != nil {
			s["answers"] = list
		}
		return s
	}
	decide := func(s sections, system string) (d reply.App) {
		req := s.request(t)
		req.Messages = append([]llm.Message{llm.Text(llm.System, system)}, req.Messages...)
		text, err := rules.Decide(req)
		require.NoError(t, err)
		return decoded[reply.App](t, text)
	}
	const offered, not = "Status is one of CONTINUE PENDING FINISH .", "Status is one of CONTINUE FINISH ."
	d := decide(ambiguous(), offered)
	require.Equal(t, fsm.Pending, d.Status)
	require.Len(t, d.Questions, 1)
	assert.Equal(t, `Which table do you mean? the request fits 2 tables: "Sales of the north", "Sales of the south"; say more of the caption of the one that is meant, or its number`, d.Questions[0])

	assert.Equal(t, "extract_table 4", call(decide(ambiguous("that of the south"), offered)))
	for name, d := range map[string]reply.App{
		"nobody to ask":          decide(ambiguous(), not),
		"an answer that is none": decide(ambiguous("sales"), offered),
	} {
		assert.Equal(t, fsm.Fail, d.Status, name)
		assert.Contains(t, d.Comment, "not to be tried again: the request fits 2 tables", name)
	}
	unnamed := ambiguous().with("request", rules.Request("draw a bar chart", out))
	assert.Equal(t, fsm.Pending, decide(unnamed, offered).Status)
	nothing := inWriter(listed(1, 0, costs))
	assert.Equal(t, fsm.Fail, decide(nothing, offered).Status, "nothing to choose from")
	forgotten := inWriter(listed(3, 0, north+","+south))
	assert.Equal(t, fsm.Fail, decide(forgotten, offered).Status, "not all tables are known")
}

// A dialog that does not go away ends in FAIL.
func TestWriterDialogs(t *testing.T) {
	t.Parallel()
	silent := inFront("Loading")
	locked := inFront("Locked", desktop.Control{ID: "ok", Type: "push button", Name: "OK", State: []string{"disabled"}}, button("no", "No"))
	escaped := did(desktop.KeyboardInput, `{"keys":"{ESC}"}`)
	check(t, map[string]step{
		"a button comes later":       {app(rules.Writer, silent, times(2, waited)...), "CONTINUE", "wait", "The dialog Loading has no button yet."},
		"no button comes":            {app(rules.Writer, silent, times(3, waited)...), "CONTINUE", "keyboard_input {ESC}", "in the way"},
		"a button that is disabled":  {app(rules.Writer, locked), "CONTINUE", "click_input no", "in the way"},
		"twenty times":               {app(rules.Writer, locked, times(20, clicked("No"))...), "CONTINUE", "click_input no", "in the way"},
		"it stays":                   {app(rules.Writer, locked, times(21, clicked("No"))...), "FAIL", "", "the dialog Locked does not go away"},
		"it stays, without a button": {app(rules.Writer, silent, times(21, escaped)...), "FAIL", "", "the dialog Loading does not go away"},
	})
}
