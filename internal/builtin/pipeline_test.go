package builtin_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/builtin"
)

var errBroken = errors.New("broken")

// ran is a turn that notes what ran.
type ran struct{ phases []string }

func (r *ran) note(what string) { r.phases = append(r.phases, what) }

func phase(name builtin.Phase, err error) builtin.Strategy[*ran] {
	return builtin.Strategy[*ran]{Phase: name, Run: func(_ context.Context, r *ran) error {
		r.note(string(name))
		return err
	}}
}

func always(s builtin.Strategy[*ran]) builtin.Strategy[*ran] {
	s.Always = true
	return s
}

func TestPipelineProcess(t *testing.T) {
	other := errors.New("other")
	for name, c := range map[string]struct {
		strategies []builtin.Strategy[*ran]
		want       []string
		phase      builtin.Phase
		err        error
	}{
		"all": {
			strategies: []builtin.Strategy[*ran]{phase("a", nil), phase("b", nil), phase("b", nil)},
			want:       []string{"a", "b", "b"},
		},
		"none": {},
		"a phase that does nothing": {
			strategies: []builtin.Strategy[*ran]{{Phase: "a"}, phase("b", nil)},
			want:       []string{"b"},
		},
		"stops at the first error": {
			strategies: []builtin.Strategy[*ran]{phase("a", nil), phase("b", errBroken), phase("c", nil)},
			want:       []string{"a", "b"}, phase: "b", err: errBroken,
		},
		"always": {
			strategies: []builtin.Strategy[*ran]{phase("a", errBroken), phase("b", nil), always(phase("c", nil))},
			want:       []string{"a", "c"}, phase: "a", err: errBroken,
		},
		"the first error counts": {
			strategies: []builtin.Strategy[*ran]{phase("a", errBroken), always(phase("b", other))},
			want:       []string{"a", "b"}, phase: "a", err: errBroken,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := &ran{}
			err := builtin.NewPipeline(c.strategies...).Process(t.Context(), r)
			assert.Equal(t, c.want, r.phases)
			if c.err == nil {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, c.err)
			var failed *builtin.PhaseError
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, c.phase, failed.Phase)
			assert.Equal(t, string(c.phase)+": "+c.err.Error(), err.Error())
		})
	}
}

// A cancelled step begins no further phase, but
// what was done is remembered.
func TestPipelineCancelled(t *testing.T) {
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancels := builtin.Strategy[*ran]{Phase: "b", Run: func(ctx context.Context, r *ran) error {
		r.note("b")
		cancel(stopped)
		return ctx.Err()
	}}
	r := &ran{}
	err := builtin.NewPipeline(phase("a", nil), cancels, phase("c", nil), always(phase("d", nil))).Process(ctx, r)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, []string{"a", "b", "d"}, r.phases)

	r = &ran{}
	err = builtin.NewPipeline(phase("a", nil), always(phase("d", nil))).Process(ctx, r)
	require.ErrorIs(t, err, stopped, "before the first phase")
	assert.Equal(t, []string{"d"}, r.phases)
}

func TestPipelineRun(t *testing.T) {
	p := builtin.NewPipeline(phase("a", nil), phase("b", nil), phase("a", errBroken), phase("a", nil))
	r := &ran{}
	require.NoError(t, p.Run(t.Context(), "b", r))
	assert.Equal(t, []string{"b"}, r.phases)

	r = &ran{}
	require.ErrorIs(t, p.Run(t.Context(), "a", r), errBroken)
	assert.Equal(t, []string{"a", "a"}, r.phases, "the phases of that name, up to the first that fails")

	err := p.Run(t.Context(), "c", r)
	var failed *builtin.PhaseError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, builtin.Phase("c"), failed.Phase)
	assert.EqualError(t, err, "c: the pipeline has no such phase")
}
