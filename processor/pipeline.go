package processor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/internal/trace"
)

// Phase names a part of a step.
type Phase string

// The phases of a step, in their order.
const (
	DataCollection  Phase = "DATA_COLLECTION"  // look
	LLMInteraction  Phase = "LLM_INTERACTION"  // ask the model
	ActionExecution Phase = "ACTION_EXECUTION" // act
	MemoryUpdate    Phase = "MEMORY_UPDATE"    // remember
)

// Strategy is what one phase does to a turn of type T, mostly a pointer to a
// struct that lives as long as the step.
type Strategy[T any] struct {
	Phase Phase
	Run   func(ctx context.Context, turn T) error // nil: nothing
	// Recover decides what an error of Run means. It returns nil to go on with
	// the next phase, having noted in the turn what is missing, or an error to
	// stop. Nil stops at once. It is not asked when ctx is done: that is not
	// recovered from.
	Recover func(ctx context.Context, turn T, err error) error
	// Always runs the phase although an earlier one stopped the pipeline: for
	// remembering what was done before it failed.
	Always bool
}

// Func runs one phase on a turn.
type Func[T any] func(ctx context.Context, phase Phase, turn T) error

// Middleware wraps every phase of a pipeline.
type Middleware[T any] func(next Func[T]) Func[T]

// Pipeline runs phases in order on a turn. It is immutable and safe for
// concurrent use; what the phases write stays in the turn also when a later
// one fails.
type Pipeline[T any] struct {
	strategies []Strategy[T]
	middleware []Middleware[T]
}

// NewPipeline returns a pipeline of the strategies in the order given. Several
// may share a phase.
func NewPipeline[T any](strategies ...Strategy[T]) *Pipeline[T] {
	return &Pipeline[T]{strategies: append([]Strategy[T](nil), strategies...)}
}

// Use returns a copy with more middleware. The first sees a phase first.
func (p *Pipeline[T]) Use(middleware ...Middleware[T]) *Pipeline[T] {
	c := *p
	c.middleware = append(append([]Middleware[T](nil), p.middleware...), middleware...)
	return &c
}

// PhaseError says in which phase a step failed.
type PhaseError struct {
	Phase Phase
	Err   error
}

func (e *PhaseError) Error() string { return fmt.Sprintf("processor: %s: %v", e.Phase, e.Err) }

// Unwrap returns the phase's error.
func (e *PhaseError) Unwrap() error { return e.Err }

// Process runs all phases. The first error that is not recovered stops it, and
// so does the end of ctx, but for the phases marked Always; it is returned as a
// [*PhaseError].
func (p *Pipeline[T]) Process(ctx context.Context, turn T) error {
	var first error
	for i := range p.strategies {
		s := &p.strategies[i]
		if first == nil && ctx.Err() != nil {
			first = &PhaseError{Phase: s.Phase, Err: context.Cause(ctx)}
		}
		if first != nil && !s.Always {
			continue
		}
		if err := p.run(ctx, s, turn); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Run runs one phase alone, with its middleware. A phase that the pipeline
// does not have is a [*PhaseError].
func (p *Pipeline[T]) Run(ctx context.Context, phase Phase, turn T) error {
	found := false
	for i := range p.strategies {
		if s := &p.strategies[i]; s.Phase == phase {
			found = true
			if err := p.run(ctx, s, turn); err != nil {
				return err
			}
		}
	}
	if !found {
		return &PhaseError{Phase: phase, Err: errNoPhase}
	}
	return nil
}

var errNoPhase = errors.New("the pipeline has no such phase")

func (p *Pipeline[T]) run(ctx context.Context, s *Strategy[T], turn T) error {
	sink := trace.From(ctx)
	if sink.Timed() {
		start := time.Now()
		defer func() { sink.Phase(string(s.Phase), time.Since(start)) }()
	}
	f := func(ctx context.Context, _ Phase, turn T) error {
		if s.Run == nil {
			return nil
		}
		return s.Run(ctx, turn)
	}
	for _, wrap := range slices.Backward(p.middleware) {
		f = wrap(f)
	}
	err := f(ctx, s.Phase, turn)
	if err != nil && s.Recover != nil && ctx.Err() == nil {
		err = s.Recover(ctx, turn, err)
	}
	if err != nil {
		return &PhaseError{Phase: s.Phase, Err: err}
	}
	return nil
}
