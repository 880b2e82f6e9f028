package rules_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/llm"
)

// sections is a prompt.
type sections map[string]any

func prompt(t testing.TB, s sections) string {
	t.Helper()
	var list []llm.Section
	for name, value := range s {
		list = append(list, llm.Section{Name: name, Value: value})
	}
	text, err := llm.Prompt(list...)
	require.NoError(t, err)
	return text
}

// ask returns what the model decides, over HTTP.
func ask[T any](t testing.TB, opts *rules.Options, s sections) T {
	t.Helper()
	server := serve(t, opts)
	model, err := openai.New(openai.Config{Model: rules.Name, BaseURL: server.URL(), APIKey: server.Key()})
	require.NoError(t, err)
	resp, err := llm.Complete(t.Context(), model, &llm.Request{Messages: []llm.Message{llm.Text(llm.User, prompt(t, s))}})
	require.NoError(t, err)
	var d T
	require.NoError(t, json.Unmarshal([]byte(resp.Text), &d))
	return d
}

const request = `Order what is missing.
1. The warehouse at http://127.0.0.1:1 has the stock. Sign in as "ada"; for the password type SHOP_PASSWORD, in whose place the browser puts it.
2. Order it from the supplier at http://127.0.0.1:2, with the reference "PO-1".
3. Write a summary to "/out/summary.md": what was ordered.`

func raw(text string) json.RawMessage { return json.RawMessage(text) }

func hostPrompt(previous json.RawMessage) sections {
	s := sections{
		"request": request,
		"windows": raw(`[{"id": "0", "root": "supplier"}, {"id": "1", "root": "warehouse"}, {"id": "2", "root": "files"}]`),
	}
	if previous != nil {
		s["previous_subtasks"] = previous
	}
	return s
}

func TestHost(t *testing.T) {
	const (
		stock = `{"id": "s1", "application": "warehouse", "status": "FINISH", "data": {"missing": [{"sku": "HB-1", "quantity": 3}]}}`
		order = `{"id": "s2", "application": "supplier", "status": "FINISH", "data": {"number": "SO-1", "reference": "PO-1", "lines": [{"sku": "HB-1", "quantity": 5}]}}`
		file  = `{"id": "s3", "application": "files", "status": "FINISH", "data": {"path": "/out/summary.md"}}`
	)
	failed := func(app, reason string) string {
		return `{"id": "x", "application": "` + app + `", "status": "FAIL", "reason": "` + reason + `"}`
	}
	for name, c := range map[string]struct {
		previous       string
		status, window string
		plan           int
	}{
		"first":                  {``, "ASSIGN", "1", 3},
		"second":                 {`[` + stock + `]`, "ASSIGN", "0", 0},
		"third":                  {`[` + stock + `,` + order + `]`, "ASSIGN", "2", 0},
		"done":                   {`[` + stock + `,` + order + `,` + file + `]`, "FINISH", "", 0},
		"a page is gone":         {`[` + failed("warehouse", "the site does not answer") + `]`, "ASSIGN", "1", 3},
		"twice":                  {`[` + failed("warehouse", "a") + `,` + failed("warehouse", "b") + `]`, "FAIL", "", 0},
		"not approved":           {`[` + stock + `,` + failed("supplier", "not approved: click_input") + `]`, "FAIL", "", 0},
		"perhaps sent":           {`[` + stock + `,` + failed("supplier", "was sent: not to be tried again") + `]`, "FAIL", "", 0},
		"a server hangs":         {`[` + failed("warehouse", "navigate: no answer came in time") + `]`, "FAIL", "", 0},
		"the order, once more":   {`[` + stock + `,` + failed("supplier", "nothing was sent") + `]`, "ASSIGN", "0", 2},
		"results that are other": {`[` + stock + `,{"application": "supplier", "status": "FINISH", "data": "done"},` + file + `]`, "FAIL", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			var previous json.RawMessage
			if c.previous != "" {
				previous = raw(c.previous)
			}
			d := ask[reply.Host](t, nil, hostPrompt(previous))
			assert.Equal(t, c.status, string(d.Status), "%+v", d)
			assert.Equal(t, c.window, d.ControlLabel)
			items, _ := d.Plan.([]any)
			assert.Len(t, items, c.plan)
		})
	}
}

func TestHostGivesUp(t *testing.T) {
	for name, change := range map[string]func(sections){
		"another request": func(s sections) { s["request"] = "book a flight" },
		"no window":       func(s sections) { s["windows"] = raw(`[{"id": "0", "root": "excel"}]`) },
		"refused":         func(s sections) { s["refused_reply"], s["last_error"] = "…", "no" },
	} {
		s := hostPrompt(nil)
		change(s)
		assert.Equal(t, "FAIL", string(ask[reply.Host](t, nil, s).Status), name)
	}
}

// app is the prompt of an application's agent.
func app(root string, controls ...desktop.Control) sections {
	return sections{
		"request": request, "application": desktop.Window{ID: "1", Root: root}, "subtask": raw(`{"id": "s", "text": "…"}`),
		"controls":          controls,
		"previous_subtasks": raw(`[{"application": "warehouse", "status": "FINISH", "data": {"missing": [{"sku": "HB-1", "quantity": 3}, {"sku": "HB-2", "quantity": 7}]}}]`),
	}
}

// did adds a remembered step.
func (s sections) did(observation, actions string) sections {
	history, _ := s["history"].([]any)
	note, err := json.Marshal(map[string]string{"Observation": observation})
	if err != nil {
		panic(err)
	}
	s["history"] = append(history, map[string]any{"task": "s", "decision": raw(string(note)), "actions": raw(actions)})
	return s
}

// calls is what a decision does, as "tool id".
func calls(d reply.App) (list []string) {
	if d.Function != "" {
		list = append(list, d.Function+" "+d.ControlLabel)
	}
	for _, a := range d.Actions {
		list = append(list, a.Function+" "+a.ControlLabel)
	}
	return list
}
