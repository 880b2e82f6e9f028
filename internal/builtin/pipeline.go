package builtin

import (
	"context"
	"errors"
	"fmt"
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
	// Always runs the phase although an earlier one stopped the pipeline: for
	// remembering what was done before it failed.
	Always bool
}

// Pipeline runs phases in order on a turn. It is immutable and safe for
// concurrent use; what the phases write stays in the turn also when a later
// one fails.
type Pipeline[T any] struct{ strategies []Strategy[T] }

// NewPipeline returns a pipeline of the strategies in the order given. Several
// may share a phase.
func NewPipeline[T any](strategies ...Strategy[T]) *Pipeline[T] {
	return &Pipeline[T]{strategies: append([]Strategy[T](nil), strategies...)}
}

// PhaseError says in which phase a step failed.
type PhaseError struct {
	Phase Phase
	Err   error
}

func (e *PhaseError) Error() string { return fmt.Sprintf("%s: %v", e.Phase, e.Err) }

// Unwrap returns the phase's error.
func (e *PhaseError) Unwrap() error { return e.Err }

// Process runs all phases. The first error stops it, and
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

// Run runs one phase alone. A phase that the pipeline
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
	if s.Run == nil {
		return nil
	}
	if err := s.Run(ctx, turn); err != nil {
		return &PhaseError{Phase: s.Phase, Err: err}
	}
	return nil
}
