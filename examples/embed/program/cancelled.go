package program

import (
	"context"
	"errors"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// errClosed is why the office stops. Whoever cancels a context says so, and the error of the round has it.
var errClosed = errors.New("the office is closed")

// closingTime cancels a round in the middle of a model call. Run returns as soon as the call does, the position stays
// as it was before the step, and the same Round goes on with a context that is not cancelled.
func (o *office) closingTime(ctx context.Context) (round.Result, error) {
	today, closeDoor := context.WithCancelCause(ctx)
	defer closeDoor(nil)
	calls := 0
	// The third call is still under way when the door closes.
	slow := llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		if calls++; calls == 3 {
			closeDoor(errClosed)
			<-ctx.Done() // what a model does that honours its context
			return nil, ctx.Err()
		}
		return o.model.Complete(ctx, req)
	})
	r, err := o.round("look up order 1003", setup{model: slow})
	if err != nil {
		return round.Result{}, err
	}
	res, err := r.Run(today)
	if !errors.Is(err, round.ErrCancelled) || !errors.Is(err, errClosed) {
		return res, errors.Join(errNotReached, err)
	}
	o.say("    stopped at %s:%s: %s", res.Agent, res.Status, res.Reason)
	o.say("    next morning")
	return r.Run(ctx)
}
