package durable_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// router is a desktop that passes everything on, with the context that it was given.
type router struct {
	to    desktop.Desktop
	model llm.Model
}

func (r router) Tools(ctx context.Context) ([]desktop.Tool, error) { return r.to.Tools(ctx) }

func (r router) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if cmd.ToolName == "add_row" {
		if _, err := llm.Complete(ctx, r.model, &llm.Request{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: "is it well?"}}}}}); err != nil {
			return desktop.Result{}, err
		}
	}
	return desktop.Execute(ctx, r.to, cmd)
}

// What a plug-in does with its context is part of what it does: recorded once, given
// back once.
func TestWhatIsDoneWithinACall(t *testing.T) {
	fixed := func(text string) llm.Model {
		return llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return &llm.Response{Text: text}, nil })
	}
	calls := 0
	agent := func(w *world) *appagent.Agent {
		model := llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			calls++
			if _, err := llm.Complete(ctx, fixed("as I thought"), req); err != nil {
				return nil, err
			}
			switch len(w.rows) {
			case 0:
				return &llm.Response{Text: `{"Status":"PENDING","Questions":["Which?"]}`}, nil
			case 1:
				return &llm.Response{Text: `{"Status":"FINISH"}`}, nil
			}
			return nil, errBang
		})
		user := people.UserFunc(func(ctx context.Context, q people.Question) (people.Answer, error) {
			if _, err := llm.Complete(ctx, fixed("yes"), &llm.Request{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: q.Text}}}}}); err != nil {
				return people.Answer{}, err
			}
			if len(w.rows) == 0 {
				_, err := desktop.Execute(ctx, w.desk, desktop.Command{ToolName: "add_row", Parameters: map[string]any{"n": "1"}})
				return people.Answer{Text: "this"}, err
			}
			return people.Answer{Text: "this"}, nil
		})
		a, err := appagent.New(appagent.Config{
			Model: model, User: user, Desktop: router{w.desk, fixed("it is")}, NoImages: true,
			Window: desktop.Window{ID: "1", Root: "excel", Process: "book"},
		})
		require.NoError(t, err)
		return a
	}
	calm := newWorld(t)
	s, err := durable.Open(t.Context(), agent(calm), calm.store, "run", nil)
	require.NoError(t, err)
	want, err := s.Run(t.Context(), "add a row")
	require.NoError(t, err)
	kinds, _ := calm.records()
	count := map[string]int{}
	for _, kind := range kinds {
		count[kind]++
	}
	assert.Equal(t, calls, count["call"])
	assert.Zero(t, count["intent"], "the user did it")
	assert.Equal(t, 1, count["ask"])

	for at := 1; at <= calm.store.count; at++ {
		w := newWorld(t)
		w.store.start(at, true)
		s, err := durable.Open(t.Context(), agent(w), w.store, "run", nil)
		require.NoError(t, err)
		_, err = s.Run(t.Context(), "add a row")
		require.ErrorIs(t, err, round.ErrLost)
		w.store.start(0, false)
		s, err = durable.Open(t.Context(), agent(w), w.store, "run", &durable.Options{Existing: true})
		require.NoError(t, err)
		res, err := s.Round().Run(t.Context())
		require.NoError(t, err)
		require.Empty(t, diverged(t, w.store))
		require.Equal(t, want.Transitions, res.Transitions)
		require.Equal(t, []string{"1"}, w.rows)
		_, err = durable.Replay(t.Context(), agent(newWorld(t)), w.store, "run", nil)
		require.NoError(t, err)
	}
}
