package durable_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// heavy is a desktop whose results are large.
type heavy struct {
	looks, acts int
	picture     bool
}

var large = strings.Repeat("x", 50_000)

func (*heavy) Tools(context.Context) ([]desktop.Tool, error) { return nil, nil }

func (h *heavy) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	r := desktop.Result{Status: desktop.Success, CallID: cmd.CallID}
	if cmd.Looks {
		h.looks++
	} else {
		h.acts++
	}
	if h.picture {
		r.Content = []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: []byte(large)}}}
	} else {
		r.Content = []desktop.Content{{Text: large}}
	}
	return r, nil
}

// What a store refuses because of its size does not make the run one that is lost each time: a look
// is done without its record, all else is a fault of the step. Each stands for a kind of record.
func TestARecordIsTooLarge(t *testing.T) {
	look := desktop.Command{ToolName: "get_ui_tree", Looks: true}
	pay := desktop.Command{ToolName: "pay"}
	asks := func(text string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := llm.Complete(ctx, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
				return &llm.Response{Text: text}, nil
			}), &llm.Request{})
			return err
		}
	}
	for name, c := range map[string]struct {
		picture bool
		do      func(ctx context.Context, h *heavy) error
		outcome round.Outcome
		acts    int
	}{
		"a look": {outcome: round.Finished, do: func(ctx context.Context, h *heavy) error {
			if _, err := desktop.Execute(ctx, h, look); err != nil {
				return err
			}
			return asks("x")(ctx)
		}},
		"a picture": {picture: true, outcome: round.Finished, do: func(ctx context.Context, h *heavy) error {
			if _, err := desktop.Execute(ctx, h, look); err != nil {
				return err
			}
			return asks("x")(ctx)
		}},
		"two looks at the end": {outcome: round.Finished, do: func(ctx context.Context, h *heavy) error {
			_, err := desktop.Execute(ctx, h, look)
			if err == nil {
				_, err = desktop.Execute(ctx, h, look)
			}
			return err
		}},
		"a reply": {outcome: round.Faulted, do: func(ctx context.Context, _ *heavy) error { return asks(large)(ctx) }},
		"a command": {outcome: round.Faulted, do: func(ctx context.Context, h *heavy) error {
			cmd := pay
			cmd.Parameters = map[string]any{"text": large}
			_, err := desktop.Execute(ctx, h, cmd)
			return err
		}},
		"what came of a command": {outcome: round.Faulted, acts: 1, do: func(ctx context.Context, h *heavy) error {
			_, err := desktop.Execute(ctx, h, pay)
			return err
		}},
		"a picture of what came of it": {picture: true, outcome: round.Faulted, acts: 1, do: func(ctx context.Context, h *heavy) error {
			_, err := desktop.Execute(ctx, h, pay)
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			st, err := store.Files(t.TempDir(), &store.FilesOptions{MaxRecord: 20_000})
			require.NoError(t, err)
			h := &heavy{picture: c.picture}
			host := newClerk(func(ctx context.Context, _ *clerk) (fsm.Status, error) { return fsm.Finish, c.do(ctx, h) })
			s, err := durable.Open(t.Context(), host, st, "run", nil)
			require.NoError(t, err)
			res, err := s.Continue(t.Context(), "go")
			assert.Equal(t, c.outcome, res.Outcome)
			assert.Equal(t, c.acts, h.acts)
			if c.outcome != round.Finished {
				require.ErrorIs(t, err, store.ErrTooLarge)
				require.ErrorIs(t, err, round.ErrFault)
			}
			state, err := durable.Look(t.Context(), st, "run")
			require.NoError(t, err)
			assert.Equal(t, c.outcome, state.Outcome)
		})
	}
}

// Whoever resumes a step with such a look makes it again, and gets what came behind it back.
func TestATooLargeLookIsMadeAgain(t *testing.T) {
	dir := t.TempDir()
	files, err := store.Files(dir, &store.FilesOptions{MaxRecord: 20_000})
	require.NoError(t, err)
	y := newTally(t)
	y.store = &mortal{Store: files}
	h := &heavy{picture: true}
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		r, err := desktop.Execute(ctx, h, desktop.Command{ToolName: "get_ui_tree", Looks: true})
		if err != nil {
			return "", err
		}
		assert.Len(t, r.Content[0].Image.Data, len(large))
		if err := y.ask(ctx); err != nil {
			return "", err
		}
		_, err = y.act(ctx, "pay")
		return fsm.Finish, err
	}
	y.store.start(5, true) // round; call, refused because of the look; call; intent; result
	_, err = y.begin(do, nil).Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrLost)
	_, err = y.resume(do, nil).Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 2, h.looks)
	assert.Equal(t, 1, y.calls)
	assert.Equal(t, 1, y.done["pay"])
	_, err = y.replay(do)
	var differs *durable.ReplayError
	require.ErrorAs(t, err, &differs, "what it saw is not there")
}
