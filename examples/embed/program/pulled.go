package program

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/agentfsm/agentfsm/round"
)

// pulled drives two rounds in one goroutine, a step of each in turn. Where a plain loop over r.Steps(ctx) will do, take
// that; iter.Pull2 is for several at a time.
func (o *office) pulled(ctx context.Context) (round.Result, error) {
	var last *round.Round
	var running []func() (round.Step, error, bool)
	for _, number := range []int{1001, 1002} {
		// The observer says which of them it is; the step cannot know.
		show := func(s round.Step) { o.say("    %d  %v", number, s) }
		r, err := o.round(fmt.Sprintf("look up order %d", number), setup{show: show})
		if err != nil {
			return round.Result{}, err
		}
		next, stop := iter.Pull2(r.Steps(ctx))
		defer stop() // ends the iterator; a round in the middle could go on later
		last, running = r, append(running, next)
	}
	var problems []error
	for len(running) > 0 {
		next := running[0]
		running = running[1:]
		// The last pair of a round that did not finish has its error.
		_, err, more := next()
		if problems = append(problems, err); more {
			running = append(running, next)
		}
	}
	return last.Result(), errors.Join(problems...)
}
