package temporal

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

// follows is what an activity returns: what follows its drive. It has a duration and no time, since the clock of the
// server may be another one.
type follows struct {
	Ended bool          `json:"ended,omitempty"`
	Again bool          `json:"again,omitempty"` // at once
	In    time.Duration `json:"in,omitempty"`    // 0: when it is woken
}

func after(next runs.Next) follows {
	switch pause := time.Until(next.At); {
	case next.Ended:
		return follows{Ended: true}
	case next.At.IsZero():
		return follows{}
	case pause <= 0:
		return follows{Again: true}
	default: // the server cuts what is less than a millisecond
		return follows{In: pause.Truncate(time.Millisecond) + time.Millisecond}
	}
}

// drives are those of one Work.
type drives struct {
	ctx   context.Context //nolint:containedctx // of Work, which ends with it
	drive func(context.Context, string) (runs.Next, error)
	beat  time.Duration

	mu     sync.Mutex
	closed bool
	under  sync.WaitGroup
}

var errOver = errors.New("temporal: this process drives no more")

// one is the activity. An error of it has the server try again, with any process.
func (d *drives) one(ctx context.Context, run string) (follows, error) {
	if err := d.begin(); err != nil {
		return follows{}, err
	}
	defer d.under.Done()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(d.ctx, func() { cancel(context.Cause(d.ctx)) })() //nolint:contextcheck // the end of Work is one more reason
	var heart sync.WaitGroup
	defer heart.Wait()
	beating, stop := context.WithCancel(context.WithoutCancel(ctx)) // also while a drive that was cancelled comes to its end
	defer stop()
	heart.Go(func() {
		ticks := time.NewTicker(d.beat)
		defer ticks.Stop()
		for {
			select {
			case <-beating.Done():
				return
			case <-ticks.C:
				activity.RecordHeartbeat(beating)
			}
		}
	})
	next, err := d.drive(ctx, run)
	return after(next), err
}

func (d *drives) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || d.ctx.Err() != nil {
		return errOver
	}
	d.under.Add(1)
	return nil
}

// close waits until the last drive is over. The worker has waited before, but not for longer than its WorkerStopTimeout.
func (d *drives) close() {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.under.Wait()
}

var errNoAnswers = errors.New("temporal: Options.Answer is nil: answer with runs.Service")

// answer is the activity of [Update]. Whoever asked for it gets its error, and tries again.
func (e *Engine) answer(ctx context.Context, run, question string, answer people.Answer) (given bool, err error) {
	err = errNoAnswers
	if e.opts.Answer != nil {
		given, err = e.opts.Answer(ctx, run, question, answer)
	}
	if err != nil {
		err = temporal.NewNonRetryableApplicationError(err.Error(), answerActivity, err)
	}
	return given, err
}
