package fakemodel_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
)

func raw(text string) json.RawMessage { return json.RawMessage(text) }

// prompt returns a request with these sections.
func prompt(t testing.TB, sections map[string]any) *llm.Request {
	t.Helper()
	var all []llm.Section
	for name, value := range sections {
		all = append(all, llm.Section{Name: name, Value: value})
	}
	text, err := llm.Prompt(all...)
	require.NoError(t, err)
	return &llm.Request{Messages: []llm.Message{llm.Text(llm.System, "Status is CONTINUE or FINISH ."), llm.Text(llm.User, text)}}
}

func ask(t *testing.T, rule fakemodel.Rule, sections map[string]any) map[string]any {
	t.Helper()
	model := fakemodel.New(fakemodel.Rules{fakemodel.Host: rule, "Word": rule, "sh": rule})
	response, err := model.Complete(t.Context(), prompt(t, sections))
	require.NoError(t, err)
	var reply map[string]any
	require.NoError(t, json.Unmarshal([]byte(response.Text), &reply))
	return reply
}

func TestRead(t *testing.T) {
	t.Parallel()
	p, err := fakemodel.Read(prompt(t, map[string]any{
		"request":           "draw it",
		"application":       raw(`{"id": "1", "root": "Word", "title": "before"}`),
		"application_now":   raw(`{"id": "1", "root": "Word", "title": "now"}`),
		"subtask":           raw(`{"id": "s1"}`),
		"controls":          raw(`[{"id": "c", "children": [{"id": "d"}]}]`),
		"previous_subtasks": raw(`[{"application": "Excel", "status": "FINISH", "data": 1}, {"application": "Excel", "status": "FAIL", "data": 2}]`),
		"history": raw(`[{"task": "s0", "actions": [{"Function": "old"}]},
			{"task": "s1", "actions": [{"Function": "wait"}, {"Function": "save", "status": "skipped"}]}]`),
		"refused_reply": "{",
		"unknown":       raw(`[1]`),
	}))
	require.NoError(t, err)
	assert.Equal(t, "now", p.Application.Title)
	assert.Equal(t, "d", p.Controls[0].Children[0].ID)
	assert.True(t, p.Refused)
	assert.True(t, p.Offers(fsm.Finish))
	assert.False(t, p.Offers(fsm.Pending))
	assert.Equal(t, []acting.MemoAction{{Tool: "wait"}}, p.Done())
	last, ok := p.Last()
	assert.True(t, ok)
	assert.Equal(t, "wait", last.Tool)
	assert.JSONEq(t, "1", string(p.Result("Excel")))
	assert.Nil(t, p.Result("Word"))

	_, err = fakemodel.Read(prompt(t, map[string]any{"windows": "none"}))
	assert.ErrorContains(t, err, "section windows")
}

// The rule is chosen by the agent that asks. A host that sees no window is a host.
func TestWhoAsks(t *testing.T) {
	t.Parallel()
	rules := fakemodel.Rules{}
	for _, who := range []string{fakemodel.Host, "Word", "sh"} {
		rules[who] = func(*fakemodel.Prompt) fakemodel.Reply { return fakemodel.Reply{Status: fsm.Finish, Comment: who} }
	}
	for who, sections := range map[string]map[string]any{
		fakemodel.Host: {"windows": raw(`[]`)},
		"Word":         {"application": raw(`{"root": "Word"}`)},
		"sh":           {"terminal": raw(`{"root": "sh"}`)},
	} {
		response, err := fakemodel.New(rules).Complete(t.Context(), prompt(t, sections))
		require.NoError(t, err)
		assert.JSONEq(t, `{"Status": "FINISH", "Comment": "`+who+`"}`, response.Text)
	}
	_, err := fakemodel.New(rules).Complete(t.Context(), prompt(t, map[string]any{"application": raw(`{"root": "Paint"}`)}))
	require.ErrorIs(t, err, fakemodel.ErrPrompt)
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	_, err = fakemodel.New(rules).Complete(ctx, prompt(t, nil))
	assert.ErrorIs(t, err, gone)
}

func TestReplies(t *testing.T) {
	t.Parallel()
	assign := func(p *fakemodel.Prompt) fakemodel.Reply { return p.Assign("Word", "Read it.") }
	got := ask(t, assign, map[string]any{"windows": raw(`[{"id": "7", "root": "Word"}]`)})
	assert.Equal(t, map[string]any{"Status": string(hostagent.Assign), "ControlLabel": "7", "CurrentSubTask": "Read it."}, got)
	got = ask(t, assign, map[string]any{"windows": raw(`[]`)})
	assert.Equal(t, map[string]any{"Status": "FAIL", "Comment": "there is no Word on this desktop"}, got)

	click := func(*fakemodel.Prompt) fakemodel.Reply {
		return fakemodel.Act("A button.", fakemodel.Action{Function: desktop.ClickInput, ControlLabel: "3"})
	}
	got = ask(t, click, map[string]any{"application": raw(`{"root": "Word"}`)})
	assert.Equal(t, map[string]any{"Status": "CONTINUE", "Observation": "A button.", "Function": desktop.ClickInput, "ControlLabel": "3"}, got)
}

// A refused reply is the end, but for a FINISH that only has to say what became of something.
func TestRefused(t *testing.T) {
	t.Parallel()
	says := func(status fsm.Status) fakemodel.Rule {
		return func(*fakemodel.Prompt) fakemodel.Reply { return fakemodel.Reply{Status: status, Comment: "as before"} }
	}
	refused := func(why string) map[string]any {
		return map[string]any{"windows": raw(`[]`), "refused_reply": "{}", "last_error": why}
	}
	got := ask(t, says(fsm.Continue), refused("rows: must be an array; see act_1"))
	assert.Equal(t, map[string]any{"Status": "FAIL", "Comment": "rows: must be an array; see act_1"}, got)
	got = ask(t, says(fsm.Finish), refused("unknown field"))
	assert.Equal(t, "FAIL", got["Status"])
	got = ask(t, says(fsm.Fail), refused("unknown field"))
	assert.Equal(t, "as before", got["Comment"])
	got = ask(t, says(fsm.Finish), refused("still open: act_2 (launch), subtask_1"))
	assert.Equal(t, "FINISH", got["Status"])
	assert.Equal(t, map[string]any{"act_2": "done: what came of it is there", "subtask_1": "done: what came of it is there"}, got["Open"])
}

func TestRef(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ shown, member, want string }{
		{`{"rows": [1]}`, "", `{"rows": [1]}`},
		{`{"rows": [1]}`, "rows", `[1]`},
		{`{"rows": [1]}`, "title", `null`},
		{`"text"`, "rows", `null`},
		{`{"$ref": "a", "head": "{", "bytes": 9}`, "", `{"$ref": "a"}`},
		{`{"$ref": "a", "head": "{", "bytes": 9}`, "rows", `{"$ref": "a.rows"}`},
		{`{"rows": {"$ref": "b", "head": "["}}`, "rows", `{"$ref": "b"}`},
	} {
		got, err := json.Marshal(fakemodel.Ref(raw(tt.shown), tt.member))
		require.NoError(t, err)
		assert.JSONEq(t, tt.want, string(got), tt)
	}
	assert.True(t, fakemodel.Doubtful("save: nobody knows whether it happened"))
	assert.False(t, fakemodel.Doubtful("disk full"))
}
