package rules_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/chatserver"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/suite/internal/rules"
)

func TestUnknownTask(t *testing.T) {
	decide, err := rules.Decide("tea", "dir")
	require.EqualError(t, err, "rules: there is no play for the task tea: name a -model")
	assert.Nil(t, decide)
}

// A prompt that the task has no part for is refused, and one that cannot be read is an error.
func TestOtherPrompts(t *testing.T) {
	decide := rulesOf(t, "folder")
	var refusal *chatserver.RefusalError
	_, err := decide(request(t, window{root: "mousepad"}.prompt(nil)))
	require.ErrorAs(t, err, &refusal)
	_, err = decide(request(t, sections{}))
	require.ErrorAs(t, err, &refusal)
	_, err = decide(request(t, sections{"windows": "none"}))
	require.ErrorContains(t, err, "section windows")
	assert.NotErrorAs(t, err, &refusal)
}

func TestHost(t *testing.T) {
	const (
		both    = `[{"id": "7", "root": "mousepad", "title": "result.txt", "running": true}, {"id": "8", "root": "galculator", "title": "galculator", "running": true}]`
		idle    = `[{"id": "8", "root": "galculator", "running": false}]`
		done    = `{"status": "FINISH", "data": "800"}`
		failed  = `{"status": "FAIL", "reason": "it shows nothing"}`
		another = `{"status": "FAIL", "reason": "it is gone"}`
	)
	type m = map[string]any
	for name, c := range map[string]struct {
		task, windows, previous string
		want                    m
	}{
		"the first part":         {"calculator", both, ``, m{"Status": "ASSIGN", "ControlLabel": "8", "ControlText": "galculator", "CurrentSubTask": "Compute 12.5 * 64."}},
		"the second part":        {"calculator", both, done, m{"Status": "ASSIGN", "ControlLabel": "7", "ControlText": "result.txt", "CurrentSubTask": "Write the result into the file and save it."}},
		"once more":              {"calculator", both, failed, m{"Status": "ASSIGN", "ControlLabel": "8"}},
		"the second once more":   {"calculator", both, failed + `,` + done + `,` + another, m{"Status": "ASSIGN", "ControlLabel": "7"}},
		"not a third time":       {"calculator", both, failed + `,` + another, m{"Status": "FAIL", "Comment": "it is gone"}},
		"all parts":              {"calculator", both, done + `,` + done, m{"Status": "FINISH", "Comment": "It is done."}},
		"all parts, no window":   {"calculator", `[]`, done + `,` + done, m{"Status": "FINISH"}},
		"one part":               {"folder", `[]`, done, m{"Status": "FINISH"}},
		"not there yet":          {"calculator", `[]`, ``, m{"Status": "CONTINUE", "Function": "wait", "Args": m{"seconds": 1.0}}},
		"not running yet":        {"calculator", idle, ``, m{"Status": "CONTINUE", "Function": "wait"}},
		"nobody sends mail":      {"mail", both, ``, m{"Status": "FAIL", "Comment": "there is no mail program on this desktop"}},
		"a chart begins":         {"chart", `[{"id": "1", "root": "libreoffice-writer", "running": true}]`, ``, m{"Status": "ASSIGN", "ControlLabel": "1"}},
		"a chart of no table":    {"chart", `[]`, failed + `,` + failed, m{"Status": "FAIL", "Comment": "it shows nothing"}},
		"a table and no program": {"chart", `[]`, done, m{"Status": "FAIL", "Comment": "there is no libreoffice-calc on this desktop"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := ask[map[string]any](t, rulesOf(t, c.task), sections{"windows": raw(c.windows), "previous_subtasks": raw(`[` + c.previous + `]`)})
			assert.Subset(t, d, c.want)
			assert.NotContains(t, d, "Open")
		})
	}
}

// A window that never comes is waited for some times.
func TestHostWaits(t *testing.T) {
	var history []acting.Memo
	decide := rulesOf(t, "folder")
	for {
		d := ask[reply.Host](t, decide, sections{"windows": raw(`[]`), "history": history})
		if d.Status == "FAIL" {
			assert.Equal(t, "there is no thunar on this desktop", d.Comment)
			break
		}
		require.Equal(t, desktop.Wait, d.Function)
		history = append(history, acting.Memo{Actions: []acting.MemoAction{{Tool: d.Function}}})
		require.LessOrEqual(t, len(history), 10)
	}
	assert.Len(t, history, 10)
}

// A FINISH that was refused answers for what is open.
func TestRefused(t *testing.T) {
	const why = "FINISH leaves open: act_3, subtask_12 and plan_1, not contact_5"
	want := map[string]string{}
	for _, id := range []string{"act_3", "subtask_12", "plan_1"} {
		want[id] = "done: a later look has shown it"
	}
	refused := func(p sections) sections {
		p["refused_reply"], p["last_error"] = "{}", why
		return p
	}
	host := ask[reply.Host](t, rulesOf(t, "mail"), refused(sections{"windows": raw(`[]`), "previous_subtasks": raw(`[{"status": "FINISH"}]`)}))
	assert.Equal(t, "FINISH", string(host.Status))
	assert.Equal(t, want, host.Open)

	w := window{root: "galculator", controls: []desktop.Control{display}}
	done := acting.Memo{Task: "subtask_1", Decision: raw(`{"Observation": "Step 1."}`), Actions: []acting.MemoAction{{Tool: "keyboard_input"}}}
	app := ask[reply.App](t, rulesOf(t, "calculator"), refused(w.prompt([]acting.Memo{done})))
	assert.Equal(t, "FINISH", string(app.Status))
	assert.Equal(t, want, app.Open)
}

// An act that fails is tried again, and four times in a row end the sub-task.
func TestFailures(t *testing.T) {
	w := window{root: "thunar", controls: files}
	w.fails = func(int, reply.Action) string { return "there is no menu" }
	acts, end := w.played(t, rulesOf(t, "folder"))
	assert.Equal(t, strings.Split(strings.Repeat(`,select_menu "File > Create Folder"`, 4)[1:], ","), acts)
	assert.Equal(t, "FAIL", string(end.Status))
	assert.Equal(t, "select_menu: there is no menu", end.Comment)

	w.fails = func(n int, _ reply.Action) string {
		if n%4 != 0 {
			return "not now"
		}
		return ""
	}
	acts, end = w.played(t, rulesOf(t, "folder"))
	assert.Len(t, acts, 12, "three failures before each of the three steps")
	assert.Equal(t, "FINISH", string(end.Status))
}

// What is no act of this sub-task, or none that was done, is no step of the play.
func TestHistory(t *testing.T) {
	w := window{root: "thunar", controls: files}
	step := func(task, decision string, actions ...acting.MemoAction) acting.Memo {
		return acting.Memo{Task: task, Decision: raw(decision), Actions: actions}
	}
	menu := acting.MemoAction{Tool: "select_menu"}
	skipped := acting.MemoAction{Tool: "select_menu", Status: desktop.Skipped}
	for name, c := range map[string]struct {
		memo acting.Memo
		want string
	}{
		"done":             {step("subtask_1", `{"Observation": "Step 1."}`, menu), "set_edit_text"},
		"another sub-task": {step("subtask_0", `{"Observation": "Step 1."}`, menu), "select_menu"},
		"skipped":          {step("subtask_1", `{"Observation": "Step 1."}`, skipped), "select_menu"},
		"without an act":   {step("subtask_1", `{"Observation": "Step 1."}`), "select_menu"},
		"no step":          {step("subtask_1", `{"Observation": "A step."}`, menu), "select_menu"},
		"no decision":      {step("subtask_1", `"Step 1."`, menu), "select_menu"},
	} {
		d := ask[reply.App](t, rulesOf(t, "folder"), w.prompt([]acting.Memo{c.memo}))
		assert.Equal(t, c.want, d.Function, name)
	}
}
