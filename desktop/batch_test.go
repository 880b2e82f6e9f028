package desktop_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

func statuses(results []desktop.Result) []desktop.Status {
	var out []desktop.Status
	for _, res := range results {
		out = append(out, res.Status)
	}
	return out
}

func TestBatch(t *testing.T) {
	cut := errors.New("cut")
	commands := []desktop.Command{{ToolName: "a"}, {ToolName: "b", CallID: "mine"}, {ToolName: "c"}}
	// at returns a desktop that gives one answer to b and success to others.
	at := func(res desktop.Result, err error) *fake {
		d := offers("a", "b", "c")
		d.execute = func(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
			if cmd.ToolName == "b" {
				return res, err
			}
			return desktop.TextResult(cmd.ToolName), nil
		}
		return d
	}
	for name, tt := range map[string]struct {
		d     *fake
		want  []desktop.Status
		calls []string
		err   string
	}{
		"all":            {at(desktop.TextResult("b"), nil), []desktop.Status{"success", "success", "success"}, []string{"a", "b", "c"}, ""},
		"a tool says no": {at(desktop.FailureResult("no"), nil), []desktop.Status{"success", "failure", "skipped"}, []string{"a", "b"}, ""},
		"one is skipped": {at(desktop.Result{Status: desktop.Skipped}, nil), []desktop.Status{"success", "skipped", "skipped"}, []string{"a", "b"}, ""},
		"broken":         {at(desktop.Result{}, cut), []desktop.Status{"success", "failure", "skipped"}, []string{"a", "b"}, "desktop: command 1 of a batch: desktop: b: cut"},
		"no answer":      {at(desktop.Result{}, nil), []desktop.Status{"success", "failure", "skipped"}, []string{"a", "b"}, `desktop: command 1 of a batch: desktop: b: bad result: unknown status ""`},
	} {
		t.Run(name, func(t *testing.T) {
			box, err := desktop.Open(t.Context(), tt.d)
			require.NoError(t, err)
			for _, box := range []*desktop.Toolbox{box, nil} {
				tt.d.got = nil
				results, err := desktop.Batch(t.Context(), tt.d, box, commands)
				assert.Equal(t, tt.want, statuses(results))
				assert.Equal(t, tt.calls, tt.d.names())
				for i, cmd := range tt.d.got {
					assert.Equal(t, cmd.CallID, results[i].CallID)
				}
				assert.Equal(t, "mine", results[1].CallID)
				assert.NotEmpty(t, results[2].CallID)
				assert.Empty(t, commands[0].CallID, "the caller's commands stay as they are")
				if tt.err == "" {
					assert.NoError(t, err)
					continue
				}
				assert.EqualError(t, err, tt.err)
				var batch *desktop.BatchError
				require.ErrorAs(t, err, &batch)
				assert.Equal(t, 1, batch.Index)
				assert.Equal(t, batch.Err.Error(), results[1].Error)
			}
		})
	}
}

func TestBatchChecksEverythingFirst(t *testing.T) {
	d := offers("a", "b")
	results, err := desktop.Batch(t.Context(), d, nil, []desktop.Command{{ToolName: "a"}, {ToolName: "b"}, {ToolName: "x"}})
	assert.ErrorIs(t, err, desktop.ErrUnknownTool)
	assert.EqualError(t, err, `desktop: command 2 of a batch: desktop: unknown tool "x"; the tools are: a, b`)
	assert.Equal(t, []desktop.Status{"skipped", "skipped", "skipped"}, statuses(results))
	assert.NotEmpty(t, results[2].Error)
	assert.Empty(t, d.got, "nothing was sent")
}

func TestBatchOfNothing(t *testing.T) {
	results, err := desktop.Batch(t.Context(), nil, nil, nil)
	assert.NoError(t, err)
	assert.Empty(t, results)
}

func TestBatchCannotOpen(t *testing.T) {
	broken := &fake{tools: func(context.Context) ([]desktop.Tool, error) { return nil, io.ErrUnexpectedEOF }}
	results, err := desktop.Batch(t.Context(), broken, nil, []desktop.Command{{ToolName: "a"}})
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Equal(t, []desktop.Status{"skipped"}, statuses(results))
}

func TestBatchEndsWithItsContext(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	d := offers("a", "b")
	d.execute = func(context.Context, desktop.Command) (desktop.Result, error) {
		cancel(stop)
		return desktop.TextResult("in time"), nil
	}
	results, err := desktop.Batch(ctx, d, nil, []desktop.Command{{ToolName: "a"}, {ToolName: "b"}})
	assert.ErrorIs(t, err, stop)
	assert.EqualError(t, err, "desktop: command 1 of a batch: stop")
	assert.Equal(t, []desktop.Status{"success", "skipped"}, statuses(results))
	assert.Equal(t, []string{"a"}, d.names())
}
