package trace_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/trace"
)

type sink struct {
	trace.Sink
	phases []string
}

func (s *sink) Phase(name string, _ time.Duration) { s.phases = append(s.phases, name) }

func TestTheInnermostSinkIsFound(t *testing.T) {
	outer, inner := &sink{}, &sink{}
	ctx := trace.With(context.Background(), outer)
	trace.From(ctx).Phase("one", 0)
	trace.From(trace.With(ctx, inner)).Phase("two", 0)
	assert.Equal(t, []string{"one"}, outer.phases)
	assert.Equal(t, []string{"two"}, inner.phases)
}

// Without a Round everything may be reported, and goes nowhere.
func TestWithoutASink(t *testing.T) {
	s := trace.From(context.Background())
	assert.False(t, s.Timed(), "nobody reads a clock")
	s.Phase("x", time.Second)
	s.Decision(1)
	s.Repaired(nil)
	s.Verdict(trace.Verdict{})
	s.Secrets(desktop.Command{}, desktop.Command{}, nil)
}

// What a Run keeps is one thing for each key, and of that Run alone.
func TestKeptOfARun(t *testing.T) {
	made := 0
	kept := func(ctx context.Context, key any) any {
		return trace.Kept(ctx, key, func() any { made++; return made })
	}
	first, second := trace.WithRun(context.Background()), trace.WithRun(context.Background())
	assert.Equal(t, 1, kept(first, "a"))
	assert.Equal(t, 1, kept(first, "a"))
	assert.Equal(t, 2, kept(first, "b"))
	assert.Equal(t, 3, kept(second, "a"))
	assert.Equal(t, 4, kept(trace.WithRun(first), "a"), "of the inner one")
	assert.Equal(t, 5, kept(context.Background(), "a"))
	assert.Equal(t, 6, kept(context.Background(), "a"), "outside of a Run nothing is kept")
	assert.Nil(t, trace.Run(context.Background()))
	assert.NotSame(t, trace.Run(first), trace.Run(second))
}
