package sections_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// prompt makes what a model is sent of sections.
func prompt(t testing.TB, list map[string]any) *llm.Request {
	t.Helper()
	var all []llm.Section
	for name, value := range list {
		all = append(all, llm.Section{Name: name, Value: value})
	}
	text, err := llm.Prompt(all...)
	require.NoError(t, err)
	return &llm.Request{Messages: []llm.Message{llm.Text(llm.System, "Status is CONTINUE or FINISH ."), llm.Text(llm.User, text)}}
}

func TestRead(t *testing.T) {
	t.Parallel()
	got, err := sections.Read(prompt(t, map[string]any{
		"request":           "draw it",
		"windows":           raw(`[{"id": "1", "root": "Word", "title": "a", "running": true}]`),
		"application":       raw(`{"id": "1", "root": "Word", "title": "before"}`),
		"terminal":          raw(`{"id": "2", "root": "sh"}`),
		"subtask":           raw(`{"id": "s1", "task": "do it"}`),
		"controls":          raw(`[{"id": "c", "type": "Button", "children": [{"id": "d"}]}]`),
		"dialogs":           raw(`[{"id": "3", "title": "Save?"}]`),
		"not_observed":      raw(`["controls"]`),
		"tools":             raw(`[{"name": "wait"}]`),
		"previous_subtasks": raw(`[{"id": "s0", "application": "Word", "status": "FINISH", "data": {"n": 1}, "reason": "r"}]`),
		"history":           raw(`[{"task": "s1", "actions": [{"Function": "wait"}]}]`),
		"answers":           raw(`[{"question": "q", "answer": "a"}]`),
		"last_error":        "it broke",
		"refused_reply":     "{",
		"unknown":           raw(`[1]`),
	}))
	require.NoError(t, err)
	assert.True(t, got.Offers(fsm.Finish))
	assert.True(t, got.Refused)
	assert.Equal(t, "draw it", got.Request)
	assert.Equal(t, []sections.Entry{{ID: "1", Root: "Word", Title: "a", Running: true}}, got.Windows)
	assert.Equal(t, desktop.Window{ID: "1", Root: "Word", Title: "before"}, got.Application)
	assert.Equal(t, desktop.Window{ID: "2", Root: "sh"}, got.Terminal)
	assert.Equal(t, sections.Task{ID: "s1"}, got.Task)
	assert.Equal(t, []desktop.Control{{ID: "c", Type: "Button", Children: []desktop.Control{{ID: "d"}}}}, got.Controls)
	assert.Equal(t, []desktop.Window{{ID: "3", Title: "Save?"}}, got.Dialogs)
	assert.Equal(t, []string{"controls"}, got.Unseen)
	require.Len(t, got.Tools, 1)
	assert.Equal(t, "wait", got.Tools[0].Name)
	assert.Equal(t, []blackboard.Subtask{{ID: "s0", App: "Word", Status: "FINISH", Result: raw(`{"n":1}`), Reason: "r"}}, got.Previous)
	assert.Equal(t, []acting.Memo{{Task: "s1", Actions: []acting.MemoAction{{Tool: "wait"}}}}, got.History)
	assert.Equal(t, []acting.Entry{{Question: "q", Answer: "a"}}, got.Answers)
	assert.Equal(t, "it broke", got.LastError)
}

// What a prompt does not have is empty; a host without windows is not one who sees none.
func TestReadOfLittle(t *testing.T) {
	t.Parallel()
	got, err := sections.Read(prompt(t, map[string]any{"request": "draw it"}))
	require.NoError(t, err)
	assert.Nil(t, got.Windows)
	assert.False(t, got.Refused)
	assert.Empty(t, got.Application)
	got, err = sections.Read(prompt(t, map[string]any{"windows": raw(`[]`)}))
	require.NoError(t, err)
	assert.NotNil(t, got.Windows)
}

// A window that has changed is shown as it is now.
func TestReadOfAWindow(t *testing.T) {
	t.Parallel()
	before, now := raw(`{"id": "1", "root": "Word", "title": "before"}`), raw(`{"id": "1", "root": "Word", "title": "now"}`)
	for want, list := range map[string]map[string]any{
		"before": {"application": before},
		"now":    {"application": before, "application_now": now},
	} {
		got, err := sections.Read(prompt(t, list))
		require.NoError(t, err)
		assert.Equal(t, want, got.Application.Title)
	}
}

func TestReadOfOtherForms(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]any{"request": raw(`[1]`), "windows": "none", "subtask": "s1", "history": raw(`{}`), "last_error": raw(`{"a": 1}`)} {
		got, err := sections.Read(prompt(t, map[string]any{name: value}))
		require.ErrorContains(t, err, "rules: section "+name+": ")
		assert.Empty(t, got)
	}
}

// A status is offered by its whole name in a system message.
func TestOffers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Status is CONTINUE or PENDING .": true, "CONTINUE": false, "Status is PENDINGS .": false, "": false,
	} {
		req := prompt(t, map[string]any{"request": "Status is PENDING ."})
		req.Messages[0] = llm.Text(llm.System, text)
		got, err := sections.Read(req)
		require.NoError(t, err)
		assert.Equal(t, want, got.Offers(fsm.Pending), text)
	}
}

// Only what was tried in this sub-task is done.
func TestDone(t *testing.T) {
	t.Parallel()
	got, err := sections.Read(prompt(t, map[string]any{
		"subtask": raw(`{"id": "s2"}`),
		"history": raw(`[
			{"task": "s1", "actions": [{"Function": "old"}]},
			{"task": "s2", "actions": [{"Function": "first"}, {"Function": "second", "status": "skipped"}]},
			{"actions": [{"Function": "of nobody"}]},
			{"task": "s2"},
			{"task": "s2", "actions": [{"Function": "second", "status": "failure", "error": "no"}, {"Function": "second"}]}]`),
	}))
	require.NoError(t, err)
	assert.Len(t, got.Steps(), 3)
	assert.Equal(t, []acting.MemoAction{{Tool: "first"}, {Tool: "second", Status: desktop.Failure, Error: "no"}, {Tool: "second"}}, got.Done())
	got.Task.ID = "s3"
	assert.Empty(t, got.Steps())
	assert.Empty(t, got.Done())
}

func TestModel(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	model := sections.Model("rules", func(p *sections.Prompt) (any, error) {
		switch p.Request {
		case "break":
			return nil, broken
		case "odd":
			return func() {}, nil
		}
		return map[string]string{"Status": p.Request}, nil
	})
	ask := func(ctx context.Context, request any) (*llm.Response, error) {
		return model.Complete(ctx, prompt(t, map[string]any{"request": request}))
	}
	resp, err := ask(t.Context(), "FINISH")
	require.NoError(t, err)
	assert.JSONEq(t, `{"Status": "FINISH"}`, resp.Text)
	assert.Equal(t, "rules", resp.Model)
	assert.Equal(t, "stop", resp.FinishReason)

	_, err = ask(t.Context(), "break")
	require.ErrorIs(t, err, broken)
	_, err = ask(t.Context(), "odd")
	var unsupported *json.UnsupportedTypeError
	require.ErrorAs(t, err, &unsupported)
	assert.ErrorContains(t, err, "rules: reply: ")
	_, err = ask(t.Context(), raw(`[1]`))
	require.ErrorContains(t, err, "section request")

	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	_, err = ask(ctx, "FINISH")
	assert.ErrorIs(t, err, gone)
}
