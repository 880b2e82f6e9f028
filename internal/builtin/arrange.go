package builtin

import (
	"context"

	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
)

// SelectApplication is what models call select_application_window, too.
const SelectApplication = "select_application"

// Arranged makes an Arrange of a deciding.Inquiry of one that returns what it
// changed, and puts that into the record of the step, where somebody reads it.
func Arranged[T any](ctx context.Context, arrange func(*T) ([]llm.Repair, error)) func(*T) error {
	return func(decision *T) error {
		made, err := arrange(decision)
		if sink := trace.From(ctx); len(made) > 0 && sink.Timed() {
			sink.Repaired(made)
		}
		return err
	}
}
