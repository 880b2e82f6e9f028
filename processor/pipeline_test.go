package processor_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/processor"
)

var errBroken = errors.New("broken")

// ran is a turn that notes what ran.
type ran struct{ phases []string }

func (r *ran) note(what string) { r.phases = append(r.phases, what) }

func phase(name processor.Phase, err error) processor.Strategy[*ran] {
	return processor.Strategy[*ran]{Phase: name, Run: func(_ context.Context, r *ran) error {
		r.note(string(name))
		return err
	}}
}

func always(s processor.Strategy[*ran]) processor.Strategy[*ran] {
	s.Always = true
	return s
}

func recovered(s processor.Strategy[*ran], result error) processor.Strategy[*ran] {
	s.Recover = func(_ context.Context, r *ran, err error) error {
		r.note("recover " + err.Error())
		return result
	}
	return s
}

func TestPipelineProcess(t *testing.T) {
	other := errors.New("other")
	for name, c := range map[string]struct {
		strategies []processor.Strategy[*ran]
		want       []string
		phase      processor.Phase
		err        error
	}{
		"all": {
			strategies: []processor.Strategy[*ran]{phase("a", nil), phase("b", nil), phase("b", nil)},
			want:       []string{"a", "b", "b"},
		},
		"none": {},
		"a phase that does nothing": {
			strategies: []processor.Strategy[*ran]{{Phase: "a"}, phase("b", nil)},
			want:       []string{"b"},
		},
		"stops at the first error": {
			strategies: []processor.Strategy[*ran]{phase("a", nil), phase("b", errBroken), phase("c", nil)},
			want:       []string{"a", "b"}, phase: "b", err: errBroken,
		},
		"goes on after a recovery": {
			strategies: []processor.Strategy[*ran]{recovered(phase("a", errBroken), nil), phase("b", nil)},
			want:       []string{"a", "recover broken", "b"},
		},
		"stops at what a recovery returns": {
			strategies: []processor.Strategy[*ran]{recovered(phase("a", errBroken), other), phase("b", nil)},
			want:       []string{"a", "recover broken"}, phase: "a", err: other,
		},
		"recovers from errors only": {
			strategies: []processor.Strategy[*ran]{recovered(phase("a", nil), other)},
			want:       []string{"a"},
		},
		"always": {
			strategies: []processor.Strategy[*ran]{phase("a", errBroken), phase("b", nil), always(phase("c", nil))},
			want:       []string{"a", "c"}, phase: "a", err: errBroken,
		},
		"the first error counts": {
			strategies: []processor.Strategy[*ran]{phase("a", errBroken), always(phase("b", other))},
			want:       []string{"a", "b"}, phase: "a", err: errBroken,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := &ran{}
			err := processor.NewPipeline(c.strategies...).Process(t.Context(), r)
			assert.Equal(t, c.want, r.phases)
			if c.err == nil {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, c.err)
			var failed *processor.PhaseError
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, c.phase, failed.Phase)
			assert.Equal(t, "processor: "+string(c.phase)+": "+c.err.Error(), err.Error())
		})
	}
}

// A cancelled step begins no further phase, and nothing recovers from it, but
// what was done is remembered.
func TestPipelineCancelled(t *testing.T) {
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancels := processor.Strategy[*ran]{Phase: "b", Run: func(ctx context.Context, r *ran) error {
		r.note("b")
		cancel(stopped)
		return ctx.Err()
	}}
	r := &ran{}
	err := processor.NewPipeline(phase("a", nil), recovered(cancels, nil), phase("c", nil), always(phase("d", nil))).Process(ctx, r)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, []string{"a", "b", "d"}, r.phases)

	r = &ran{}
	err = processor.NewPipeline(phase("a", nil), always(phase("d", nil))).Process(ctx, r)
	require.ErrorIs(t, err, stopped, "before the first phase")
	assert.Equal(t, []string{"d"}, r.phases)
}

func TestPipelineRun(t *testing.T) {
	p := processor.NewPipeline(phase("a", nil), phase("b", nil), phase("a", errBroken), phase("a", nil))
	r := &ran{}
	require.NoError(t, p.Run(t.Context(), "b", r))
	assert.Equal(t, []string{"b"}, r.phases)

	r = &ran{}
	require.ErrorIs(t, p.Run(t.Context(), "a", r), errBroken)
	assert.Equal(t, []string{"a", "a"}, r.phases, "the phases of that name, up to the first that fails")

	err := p.Run(t.Context(), "c", r)
	var failed *processor.PhaseError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, processor.Phase("c"), failed.Phase)
	assert.EqualError(t, err, "processor: c: the pipeline has no such phase")
}

func TestPipelineMiddleware(t *testing.T) {
	wrap := func(name string) processor.Middleware[*ran] {
		return func(next processor.Func[*ran]) processor.Func[*ran] {
			return func(ctx context.Context, phase processor.Phase, r *ran) error {
				r.note(name + " " + string(phase))
				defer r.note(name + " done")
				return next(ctx, phase, r)
			}
		}
	}
	plain := processor.NewPipeline(phase("a", nil))
	both := plain.Use(wrap("one")).Use(wrap("two"))
	r := &ran{}
	require.NoError(t, both.Process(t.Context(), r))
	assert.Equal(t, []string{"one a", "two a", "a", "two done", "one done"}, r.phases)

	r = &ran{}
	require.NoError(t, plain.Process(t.Context(), r))
	assert.Equal(t, []string{"a"}, r.phases, "Use makes a copy")

	swallow := func(processor.Func[*ran]) processor.Func[*ran] {
		return func(context.Context, processor.Phase, *ran) error { return nil }
	}
	require.NoError(t, processor.NewPipeline(phase("a", errBroken)).Use(swallow).Process(t.Context(), &ran{}))
}

func TestPipelineKeepsItsOwnList(t *testing.T) {
	list := []processor.Strategy[*ran]{phase("a", nil)}
	p := processor.NewPipeline(list...)
	list[0] = phase("b", nil)
	r := &ran{}
	require.NoError(t, p.Process(t.Context(), r))
	assert.Equal(t, []string{"a"}, r.phases)
}

// sink keeps what a step reports, as a Round does.
type sink struct {
	untimed   bool
	phases    []string
	decisions []any
	repairs   []llm.Repair
	refused   []string
	verdicts  []trace.Verdict
	masked    []desktop.Command
	secrets   []string
}

func (s *sink) Timed() bool                        { return !s.untimed }
func (s *sink) Phase(name string, _ time.Duration) { s.phases = append(s.phases, name) }
func (s *sink) Decision(v any)                     { s.decisions = append(s.decisions, v) }
func (s *sink) Repaired(repairs []llm.Repair)      { s.repairs = append(s.repairs, repairs...) }
func (s *sink) Refused(problem error)              { s.refused = append(s.refused, problem.Error()) }
func (s *sink) Verdict(v trace.Verdict)            { s.verdicts = append(s.verdicts, v) }
func (s *sink) Secrets(masked, _ desktop.Command, values []string) {
	s.masked, s.secrets = append(s.masked, masked), append(s.secrets, values...)
}

func TestPipelineReportsPhases(t *testing.T) {
	p := processor.NewPipeline(phase("a", nil), phase("b", errBroken))
	var timed sink
	require.Error(t, p.Process(trace.With(t.Context(), &timed), &ran{}))
	assert.Equal(t, []string{"a", "b"}, timed.phases, "also one that failed")

	untimed := sink{untimed: true}
	require.Error(t, p.Process(trace.With(t.Context(), &untimed), &ran{}))
	assert.Empty(t, untimed.phases)
}
