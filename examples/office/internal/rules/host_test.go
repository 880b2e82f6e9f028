package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
)

// ended is a sub-task that did.
func ended(app, status, reason string) string {
	return fmt.Sprintf(`{"application": %q, "status": %q, "reason": %q}`, app, status, reason)
}

const (
	writer = `{"id": "0", "root": "libreoffice-writer", "title": "Writer"}`
	calc   = `{"id": "1", "root": "libreoffice-calc", "title": "Calc"}`
	asks   = `{"id": "9", "root": "soffice", "running": true}`
)

var (
	extracted = ended(rules.Writer, "FINISH", "It has 3 rows.")
	drawn     = ended(rules.Calc, "FINISH", "It is saved.")
)

func list(items ...string) string { return "[" + strings.Join(items, ",") + "]" }

// onScreen is the prompt of the host, with the windows and the sub-tasks that ended.
func onScreen(windows, previous string) sections {
	return sections{"request": rules.Request(wanted, out), "windows": raw(windows), "previous_subtasks": raw(previous)}
}

// late is the prompt of a host whose program shows no window, after some waits.
func late(windows string, waits int) sections {
	return onScreen(windows, "[]").with("last_error", rules.Writer+" was launched and shows no window after 30s: look before you launch it again").
		with("history", raw(list(times(waits, `{"actions": [`+waited+`]}`)...)))
}

func TestHost(t *testing.T) {
	t.Parallel()
	both := list(writer, calc)
	broken := func(n int) []string { return times(n, ended(rules.Writer, "FAIL", "the window is closed")) }
	for name, c := range map[string]struct {
		prompt               sections
		status, window, says string // what the comment or the sub-task says
		plan                 int
	}{
		"first":                {onScreen(both, `[]`), "ASSIGN", "0", "Extract the table", 1},
		"then":                 {onScreen(both, list(extracted)), "ASSIGN", "1", "Write the extracted table", 0},
		"both are done":        {onScreen(both, list(extracted, drawn)), "FINISH", "", "It has 3 rows. It is saved.", 0},
		"no window any more":   {onScreen(`[]`, list(extracted, drawn)), "FINISH", "", "It has 3 rows. It is saved.", 0},
		"once more":            {onScreen(both, list(broken(2)...)), "ASSIGN", "0", "Extract the table", 1},
		"three times":          {onScreen(both, list(broken(3)...)), "FAIL", "", "the window is closed", 0},
		"counted anew":         {onScreen(both, list(append(broken(2), extracted, ended(rules.Calc, "FAIL", "no sheet"))...)), "ASSIGN", "1", "Write", 0},
		"not to be tried":      {onScreen(both, list(ended(rules.Writer, "FAIL", "not to be tried again: no table fits"))), "FAIL", "", "no table fits", 0},
		"a person says no":     {onScreen(both, list(extracted, ended(rules.Calc, "FAIL", "not approved: click_input"))), "FAIL", "", "not approved: click_input", 0},
		"no Writer":            {onScreen(list(calc), `[]`), "FAIL", "", "there is no libreoffice-writer on this desktop", 0},
		"no Calc":              {onScreen(list(writer), list(extracted)), "FAIL", "", "there is no libreoffice-calc on this desktop", 0},
		"twice, then another":  {onScreen(both, list(extracted, ended(rules.Calc, "FAIL", "no sheet"), ended(rules.Calc, "FAIL", "no chart"))), "ASSIGN", "1", "Write", 0},
		"a question":           {onScreen(list(writer, calc, asks), `[]`), "ASSIGN", "9", "Answer the question", 0},
		"no question any more": {onScreen(list(writer, strings.Replace(asks, "true", "false", 1)), `[]`), "ASSIGN", "0", "Extract", 1},
		"it is answered":       {onScreen(both, list(ended("soffice", "FINISH", "answered: OK"), extracted)), "ASSIGN", "1", "Write", 0},
		"what was answered":    {onScreen(both, list(ended("soffice", "FINISH", "answered: OK"), extracted, drawn)), "FINISH", "", "It has 3 rows. It is saved.", 0},
		"a question, first":    {onScreen(list(asks, writer), `[]`), "ASSIGN", "9", "Answer the question", 0},
		"nobody answers yet":   {onScreen(list(writer, asks), list(times(2, ended("soffice", "FAIL", "It stays so."))...)), "ASSIGN", "9", "Answer", 0},
		"nobody can answer":    {onScreen(list(writer, asks), list(times(3, ended("soffice", "FAIL", "It stays so."))...)), "FAIL", "", "It stays so.", 0},
		"slow, first":          {late(both, 0), "CONTINUE", "", "", 0},
		"slow, last":           {late(both, 4), "CONTINUE", "", "", 0},
		"too slow":             {late(both, 5), "FAIL", "", "shows no window after 30s", 0},
		"slow, but there":      {late(list(strings.Replace(writer, `"title"`, `"running": true, "title"`, 1)), 5), "ASSIGN", "0", "Extract", 1},
		"slow, and not listed": {late(`[]`, 0), "CONTINUE", "", "", 0},
		"slow, and it asks":    {late(list(writer, asks), 5), "ASSIGN", "9", "Answer", 0},
		"another chart":        {onScreen(both, `[]`).with("request", rules.Request("draw a pie chart of the sales", out)), "FAIL", "", "it asks for a pie chart", 0},
		"no chart":             {onScreen(both, `[]`).with("request", rules.Request("print it", out)), "FAIL", "", "it asks for no chart", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := ask[reply.Host](t, c.prompt)
			assert.Equal(t, c.status, string(d.Status), "%+v", d)
			assert.Equal(t, c.window, d.ControlLabel)
			assert.Contains(t, d.Comment+d.CurrentSubTask, c.says)
			assert.NotContains(t, d.Comment, "not to be tried again", "that is a mark for the host alone")
			if c.status == "FINISH" {
				assert.Equal(t, c.says, d.Comment)
			}
			plan, _ := d.Plan.([]any)
			assert.Len(t, plan, c.plan)
			if c.status == "CONTINUE" {
				assert.Equal(t, "wait", d.Function)
				assert.Equal(t, map[string]any{"seconds": 4.0}, d.Args)
			}
		})
	}
}

// Of several windows of a program the newest that runs is meant.
func TestHostChoosesAWindow(t *testing.T) {
	t.Parallel()
	window := func(id string, running bool) string {
		return fmt.Sprintf(`{"id": %q, "root": "libreoffice-writer", "title": "title %s", "running": %v}`, id, id, running)
	}
	for name, c := range map[string]struct{ windows, want string }{
		"the newest":             {list(window("a", true), window("b", true)), "b"},
		"the one before the app": {list(window("a", true), window("b", false)), "a"},
		"the one behind the app": {list(window("a", false), window("b", true)), "b"},
		"the app":                {list(window("a", false), calc), "a"},
	} {
		d := ask[reply.Host](t, onScreen(c.windows, "[]"))
		assert.Equal(t, c.want, d.ControlLabel, name)
		assert.Equal(t, "title "+c.want, d.ControlText, name)
	}
}

// Why a part failed is what the next one is told.
func TestHostSaysWhatFailed(t *testing.T) {
	t.Parallel()
	d := ask[reply.Host](t, onScreen(list(writer, calc), list(ended(rules.Writer, "FAIL", "the window is closed"))))
	assert.Equal(t, "the window is closed", d.Observation)
	d = ask[reply.Host](t, onScreen(list(writer, calc), list(ended(rules.Writer, "FAIL", "the window is closed"), extracted)))
	assert.Empty(t, d.Observation)
	assert.Contains(t, d.Message, "result of the sub-task in Writer")
}

// A FINISH that was refused answers for launches, sub-tasks and plans that are open, or ends in FAIL.
func TestHostRefused(t *testing.T) {
	t.Parallel()
	done := onScreen(list(writer, calc), list(extracted, drawn))
	assert.Empty(t, ask[reply.Host](t, done).Open)
	d := ask[reply.Host](t, done.refused("open: act_1 (launch), subtask_3 and plan_2, but contact_4 is none"))
	assert.Equal(t, "FINISH", string(d.Status))
	later := "done: a later sub-task did it"
	assert.Equal(t, map[string]string{"act_1": later, "subtask_3": later, "plan_2": later}, d.Open)
	d = ask[reply.Host](t, done.refused("sales.xlsx: B2 should be the number 4"))
	assert.Equal(t, "FAIL", string(d.Status))
	assert.Equal(t, "sales.xlsx: B2 should be the number 4", d.Comment)
}
