package program

import (
	"context"
	"errors"

	"github.com/agentfsm/agentfsm/round"
)

// The budget of the job, and what is added when it runs short.
const (
	firstTokens = 300
	moreTokens  = 400
)

// shortOfMoney has a round whose bounds are too small, and raises them in both ways: in time, between two steps, and
// when one was reached. Reaching a bound is no failure: the round stands where it stood, and goes on with a higher one.
func (o *office) shortOfMoney(ctx context.Context) (round.Result, error) {
	r, err := o.round("look up order 1001", setup{bounds: tight})
	if err != nil {
		return round.Result{}, err
	}
	tokens := firstTokens
	for range 20 {
		err = o.watch(ctx, r, &tokens)
		var reached *round.BudgetError
		if !errors.As(err, &reached) {
			break
		}
		o.say("    stopped: %s of %s reached", reached.Bound, reached.Limit)
		switch reached.Bound {
		case "MaxSteps":
			r.Adjust(func(opts *round.Options) { opts.MaxSteps += 5 })
		case "MaxTokens": // a real model writes more than the rules
			tokens += 10 * moreTokens
			r.Adjust(func(opts *round.Options) { opts.MaxTokens = tokens })
		}
	}
	return r.Result(), err // nil after FINISH
}

func tight(opts *round.Options) { opts.MaxSteps, opts.MaxTokens = 2, firstTokens }

// watch pulls steps and adds to the tokens when two thirds of them are gone, so that no step is held up. Adjust may be
// called at any time, also by another goroutine.
func (o *office) watch(ctx context.Context, r *round.Round, tokens *int) error {
	for _, err := range r.Steps(ctx) {
		if err != nil {
			return err
		}
		if used := r.Result().Usage.Total(); used > *tokens*2/3 {
			*tokens += moreTokens
			o.say("    %d tokens used: there are %d from now on", used, *tokens)
			r.Adjust(func(opts *round.Options) { opts.MaxTokens = *tokens })
		}
	}
	return nil
}
