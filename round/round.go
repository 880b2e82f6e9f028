package round

import (
	"context"
	"iter"
	"strings"
	"sync/atomic"
	"time"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// Round drives agents through one request. One goroutine drives it at a time;
// Result may be called by the same goroutine only. Make one with [New].
type Round struct {
	request  string
	board    *blackboard.Board
	first    int // how many sub-tasks the board had before this round
	last     int // and after it; negative while it can go on
	number   int // in its session, from 1; 0: it is in none
	run      string
	options  atomic.Pointer[options]
	scrubber scrubber
	meter    meter
	pos      position

	busy     atomic.Bool
	done     <-chan struct{} // of the context of the current Run
	deadline *BudgetError    // the cause that MaxDuration gives that context
	since    time.Time       // when the current Run began, where MaxDuration counts
	spent    time.Duration   // in the Runs before
	blind    bool            // the observer panicked and is not called again
	fault    error           // set: the round is over as ERROR
	exits    bool            // a step is under way, or has ended its goroutine
	result   Result

	recorder Recorder         // nil: nothing is recorded
	opened   bool             // a Run has begun, here or elsewhere
	watching bool             // it was not told yet that the Run is over
	recorded checkpoint.Place // who was at work when it was told last, and of a lost round where its record ends
	lost     error            // set: the Recorder takes nothing more, and the round is over as LOST
}

// defaults are the options of rounds that were given none. They are never changed: Adjust makes a copy.
var defaults = newOptions(Options{})

// New returns a round that gives request to start. It checks that start can be driven: it is not nil, its table has a
// start, its States are there. Nil options are the defaults.
func New(start fsm.Worker, request string, opts *Options) (*Round, error) {
	if strings.TrimSpace(request) == "" && !nilcheck.IsNil(start) {
		return nil, ErrNoRequest
	}
	return newRound(start, request, opts)
}

func newRound(start fsm.Worker, request string, opts *Options) (*Round, error) {
	o := defaults
	if opts != nil {
		o = newOptions(*opts)
	}
	pos, err := newPosition(start, o.Recorder != nil)
	if err != nil {
		return nil, err
	}
	r := &Round{request: request, pos: pos, board: o.Board, run: o.Run, recorder: o.Recorder, last: -1}
	r.options.Store(o)
	if b, ok := start.(blackboard.Holder); ok && b.Board() != nil {
		if r.board != nil && r.board != b.Board() {
			return nil, &agentError{start.Name(), ErrAgent, "its blackboard is not Options.Board"}
		}
		r.board = b.Board()
	}
	if r.board == nil {
		r.board = blackboard.New(0)
	}
	r.first = r.board.Inside().Progress(0).Total
	r.scrubber = scrubber{secrets: &secrets{}, options: &r.options}
	r.meter.scrubber, r.meter.options, r.meter.where = &r.scrubber, &r.options, r.pos.where
	r.meter.id.run = o.Run
	return r, nil
}

// join makes r the nth round of a session, which shares its secrets and its bounds.
func (r *Round) join(n int, known *secrets, used *checkpoint.Used) {
	r.number, r.scrubber.secrets, r.meter.session = n, known, used
	r.meter.id.round = n
}

// Adjust changes the options, such as a bound that was reached. It may be called at any time, also by another goroutine
// and by an agent: a step that is under way sees new bounds at its next model call. A new MaxDuration holds from the
// next Run on, for all the time spent since the round began; so does an Observe where nobody observed before. Board,
// Recorder and Run cannot be changed. Of two calls at the same time one calls change again, on what the other left.
func (r *Round) Adjust(change func(*Options)) {
	for {
		old := r.options.Load()
		o := old.Options
		change(&o)
		if r.options.CompareAndSwap(old, newOptions(o)) {
			return
		}
	}
}

// Board returns the blackboard of the round.
func (r *Round) Board() *blackboard.Board { return r.board }

// Run drives the round until it ends or stops. Its error is nil when the round reached FINISH and else an [*Error], or
// [ErrBusy], also where another process drives a round that is recorded; the Result is filled in for every outcome.
// After a bound, a suspension, a cancelled context or a Steps loop that was left, Run goes on at the same position.
// After the end it returns what it returned before.
func (r *Round) Run(ctx context.Context) (Result, error) {
	if !r.busy.CompareAndSwap(false, true) {
		return Result{}, ErrBusy
	}
	defer r.busy.Store(false)
	err := r.drive(ctx, nil)
	return r.Result(), err
}

// Steps drives the round and yields each step after it was taken. The last pair has the error that Run would return,
// with a zero Step; a round that ends in FINISH yields none. Leaving the loop stops the round where it is.
func (r *Round) Steps(ctx context.Context) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		if !r.busy.CompareAndSwap(false, true) {
			yield(Step{}, ErrBusy)
			return
		}
		defer r.busy.Store(false)
		left := false
		err := r.drive(ctx, func(s Step) bool {
			left = !yield(s, nil)
			return !left
		})
		if err != nil && !left {
			yield(Step{}, err)
		}
	}
}
