package program

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/agentfsm/agentfsm/round"
)

// pulled drives two rounds in one goroutine: a step of the one, a step of the
// other. Round.Steps is the loop as an iterator, so whoever has a scheduler of
// his own pulls steps when it suits him, between other work, at his own pace.
//
// Where a plain loop over r.Steps(ctx) will do, take that; iter.Pull2 is for
// several at a time.
func (o *office) pulled(ctx context.Context) (round.Result, error) {
	var running []*pulledRound
	defer func() {
		for _, p := range running {
			p.stop() // ends the iterator; a round in the middle could go on later
		}
	}()
	for _, number := range []int{1001, 1002} {
		// The observer says which of them it is; the step cannot know.
		show := func(s round.Step) { o.say("    %d  %v", number, s) }
		r, err := o.round(fmt.Sprintf("look up order %d", number), setup{show: show})
		if err != nil {
			return round.Result{}, err
		}
		p := &pulledRound{round: r}
		p.next, p.stop = iter.Pull2(r.Steps(ctx))
		running = append(running, p)
	}

	var problems []error
	for left := len(running); left > 0; {
		for _, p := range running {
			if p.over {
				continue
			}
			// The last pair of a round that did not finish has its error.
			_, err, more := p.next()
			if err != nil {
				problems = append(problems, err)
			}
			if !more {
				p.over = true
				left--
			}
		}
	}
	return running[len(running)-1].round.Result(), errors.Join(problems...)
}

// pulledRound is a round whose steps are pulled.
type pulledRound struct {
	round *round.Round
	next  func() (round.Step, error, bool)
	stop  func()
	over  bool
}
