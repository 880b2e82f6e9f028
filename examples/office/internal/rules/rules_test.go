package rules_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/chatserver"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
	"github.com/agentfsm/agentfsm/llm"
)

// sections is a prompt.
type sections map[string]any

func raw(text string) json.RawMessage { return json.RawMessage(text) }

// request makes what a model is sent of a prompt.
func (s sections) request(t testing.TB) *llm.Request {
	t.Helper()
	var list []llm.Section
	for name, value := range s {
		list = append(list, llm.Section{Name: name, Value: value})
	}
	text, err := llm.Prompt(list...)
	require.NoError(t, err)
	return &llm.Request{Messages: []llm.Message{llm.Text(llm.User, text)}}
}

// ask returns what the rules decide.
func ask[T any](t testing.TB, s sections) (d T) {
	t.Helper()
	text, err := rules.Decide(s.request(t))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal([]byte(text), &d))
	return d
}

const (
	wanted = "draw a bar chart of the sales table"
	out    = "/out/sales.xlsx"
)

// app is the prompt of the agent in a window, after some acts.
func app(root string, controls []desktop.Control, acts ...string) sections {
	return sections{
		"request": rules.Request(wanted, out), "application": desktop.Window{ID: "w", Root: root, Title: "Untitled 1"},
		"subtask": raw(`{"id": "s"}`), "controls": controls,
		"history": raw(`[{"task": "s", "actions": [` + strings.Join(acts, ",") + `]}]`),
	}
}

// with returns the prompt with one section more, or another.
func (s sections) with(name string, value any) sections {
	s[name] = value
	return s
}

// refused returns the prompt after a reply that could not be used.
func (s sections) refused(why string) sections {
	return s.with("refused_reply", "{}").with("last_error", why)
}

func control(id, kind, name, value string, inside ...desktop.Control) desktop.Control {
	return desktop.Control{ID: id, Type: kind, Name: name, Value: value, Children: inside}
}

func button(id, name string) desktop.Control { return control(id, "push button", name, "") }

// inFront is a window with a dialog in front of it.
func inFront(name string, inside ...desktop.Control) []desktop.Control {
	return []desktop.Control{control("d", "Dialog", name, "", inside...), control("sheet", "table", "Sheet1", "")}
}

// did is an act that succeeded.
func did(tool, args string) string {
	return fmt.Sprintf(`{"Function": %q, "Args": %s}`, tool, args)
}

// clicked is a click on a control of that name.
func clicked(name string) string {
	return did(desktop.ClickInput, fmt.Sprintf(`{"id":"b","name":%q}`, name))
}

// failed is an act that failed.
func failed(tool, reason string) string {
	return fmt.Sprintf(`{"Function": %q, "Args": {"id": "b"}, "status": "failure", "error": %q}`, tool, reason)
}

const (
	waited  = `{"Function": "wait", "Args": {"seconds": 0.5}}`
	unknown = "nobody knows whether it happened: the run was interrupted"
)

func times(n int, act string) (list []string) {
	for range n {
		list = append(list, act)
	}
	return list
}

// call is what a decision does, as "tool control", with the keys, the path or the text of it.
func call(d reply.App) string {
	words := []string{d.Function, d.ControlLabel}
	for _, name := range []string{"keys", "path", "text", "from", "number"} {
		if v, ok := d.Args[name]; ok {
			words = append(words, fmt.Sprint(v))
		}
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// step is a prompt of an application's agent and what follows from it.
type step struct {
	prompt sections
	status string
	call   string // "": none
	says   string // in the comment of FAIL and FINISH, the observation of the others
}

func (s step) check(t *testing.T) {
	t.Helper()
	d := ask[reply.App](t, s.prompt)
	assert.Equal(t, s.status, string(d.Status), d.Comment)
	assert.Equal(t, s.call, call(d))
	if d.Status == "FAIL" || d.Status == "FINISH" {
		assert.Contains(t, d.Comment, s.says)
		return
	}
	assert.Contains(t, d.Observation, s.says)
}

func check(t *testing.T, steps map[string]step) {
	t.Helper()
	for name, s := range steps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.check(t)
		})
	}
}

// A prompt of nobody whom the rules play is refused, and the server says so.
func TestOtherPrompts(t *testing.T) {
	t.Parallel()
	for name, prompt := range map[string]sections{
		"nobody":          {"request": wanted},
		"a window's root": app("", nil),
		"another form":    {"windows": "none"},
	} {
		_, err := rules.Decide(prompt.request(t))
		require.ErrorIs(t, err, rules.ErrPrompt, name)
		refusal := &chatserver.RefusalError{}
		require.ErrorAs(t, err, &refusal, name)
	}
	_, err := rules.Decide(sections{"windows": "none"}.request(t))
	assert.ErrorContains(t, err, "section windows")
}

// A FINISH that was refused answers for what it left open; any other reply would be refused again.
func TestRefused(t *testing.T) {
	t.Parallel()
	const open = "FINISH, but this is open: act_2 (click_input), act_11 (wait)"
	saved := func() sections {
		return inCalc(sheet, clicked("Save")).with("application", desktop.Window{Root: rules.Calc, Title: "sales.xlsx — LibreOffice Calc"})
	}
	d := ask[reply.App](t, saved().refused(open))
	assert.Equal(t, "FINISH", string(d.Status))
	assert.Equal(t, map[string]string{"act_2": "done: the window shows what came of it", "act_11": "done: the window shows what came of it"}, d.Open)
	check(t, map[string]step{
		"nothing is open":  {saved().refused("the result is no object"), "FAIL", "", "the result is no object"},
		"an act":           {inCalc(sheet).refused("rows: must be an array"), "FAIL", "", "rows: must be an array"},
		"a FAIL":           {app(rules.Calc, sheet).refused("no"), "FAIL", "", "there is no table to draw"},
		"an act in Writer": {app(rules.Writer, nil).refused("from: must be a number"), "FAIL", "", "from: must be a number"},
		"a question":       {app("soffice", []desktop.Control{button("b", "OK")}).refused("no such control"), "FAIL", "", "no such control"},
	})
}

func decoded[T any](t testing.TB, text string) (v T) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &v))
	return v
}
