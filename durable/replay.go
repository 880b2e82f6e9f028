package durable

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// ReplayError says where a run goes another way than its journal has it. Its text says what was
// recorded, what happens now, and why, without secrets.
type ReplayError struct {
	Round int   // from 1
	Step  int   // from 1
	Seq   int64 // of the record that has it otherwise; 0: there is none

	run     string
	what    string // call, ask, tools, look, intent (of a command that acts), effect, timer, position, outcome, answer or sub-tasks
	was, is string // in the journal, and now
	// Why the agent went its way, as far as it says so: the fault of the step, what a policy
	// said, why a reply could not be used, or its decision's reason. Without secrets.
	reason string
	fault  error // of the step, if it is one
}

func (e *ReplayError) Error() string {
	text := fmt.Sprintf("durable: replay %q: round %d, step %d: %s: it was %s, and is %s", e.run, e.Round, e.Step, e.what, e.was, e.is)
	if e.reason != "" {
		text += ": " + e.reason
	}
	return text
}

// Unwrap returns the fault of the step, if it is one.
func (e *ReplayError) Unwrap() error { return e.fault }

// Replay does a run once more, with the replies, results and answers of its journal, and compares each step with its
// record: commands and questions in their order, where the agents stood afterwards, and how it ended. It shows whether
// another table, prompt or other code takes the same way. It does not compare prompts.
//
// host is a new agent, as for [Open]. Replay calls neither its model nor its user, and of its desktop only Scope: give it
// a desktop with the windows of the run, or one without Scope. opts are those of the session; bounds do not count.
// Replay appends nothing and does no effect. It takes from the records what an interrupted attempt left, and what
// changed between two rounds.
//
// The result is that of the last round. A nil error says that all of it is the same, up to the end of the journal: the
// round need not have ended. Other errors are a [*ReplayError] for the first difference; [ErrNoRun];
// round.ErrNotResumable; store.ErrVersion and store.ErrDamaged; those of the store; and the context's cause.
func Replay(ctx context.Context, host fsm.Worker, in store.Store, run string, opts *round.Options) (round.Result, error) {
	own := round.Options{}
	if opts != nil {
		own = *opts
	}
	own.MaxCalls = -1
	own.MaxSteps, own.MaxTransitions, own.MaxRepeats, own.MaxTokens, own.MaxCost, own.MaxDuration = -1, -1, -1, -1, -1, -1
	if own.Observe == nil {
		own.Observe = func(round.Step) {} // so that steps say why replies were refused
	}
	own.MaxSessionSteps, own.MaxSessionTokens, own.MaxSessionCost = -1, -1, -1
	if nilcheck.IsNil(in) {
		return round.Result{}, fmt.Errorf("durable: %w", errNoStore)
	}
	p := &replayer{
		recording: recording{store: in, run: run}, ctx: ctx, opts: &own,
		cancel: func(error) {}, // until there is a round
	}
	own.Recorder, own.Run = p, run
	s, err := round.NewSession(host, &own)
	if err != nil {
		return round.Result{}, fmt.Errorf("durable: replay %q: %w", run, err)
	}
	own.Board = s.Board()
	p.host, p.board = host, s.Board()
	p.reader = newReader(&p.recording)
	p.reader.replays = true
	next, stop := iter.Pull2(in.Read(ctx, run, 1))
	defer stop()
	p.next = next
	var res round.Result
	err = guard(func() (err error) {
		res, err = p.rounds(ctx)
		return err
	})
	return res, err
}

// replayer does a run once more, and compares. It is the round.Recorder of the sessions of a replay.
type replayer struct {
	recording
	ctx    context.Context //nolint:containedctx // of one Replay, which it does not outlive
	opts   *round.Options
	reader *reader
	next   func() (store.Entry, error, bool)
	cancel context.CancelCauseFunc // of the round at work

	begin  *records.Record // of the next round, once it was read
	from   fsm.Saved       // what the first agent knew when the round at work began, or at its last stop
	again  bool            // the record has a stop: the round is restored from there
	loaded bool            // what follows a stop was read
	fault  error           // of the step that was taken last
	nth    int             // the round at work, from 1
	step   int             // the step under way, from 1
	kind   string          // of the record that the step leads to: step or end; "": there is none
	to     *records.Step
	seq    int64 // of that record
	err    error // the first difference, or why it cannot go on
}

// errRecordEnds is what stops a round whose record goes no further.
var errRecordEnds = errors.New("the record ends here")

func (p *replayer) rounds(ctx context.Context) (res round.Result, err error) {
	if err := p.first(); err != nil {
		return round.Result{}, p.wrap(err)
	}
	for p.begin != nil {
		if err := p.reader.add(ctx, p.begin); err != nil {
			return res, p.wrap(err)
		}
		p.begin, p.nth, p.step = nil, p.nth+1, 0
		c := p.reader.checkpoint()
		c.Event, p.from = checkpoint.Began, p.reader.known.saved()
		for p.again = true; p.again; {
			p.again = false
			if err := p.loadAgent(p.from); err != nil {
				return res, p.wrap(err)
			}
			s, err := round.Restore(ctx, p.host, c, p.opts)
			if err != nil {
				return res, p.wrap(err)
			}
			if res, err = p.drive(ctx, s.Round()); err != nil {
				return res, err
			}
			if p.again {
				c = p.reader.checkpoint()
				c.Result = nil
			}
		}
	}
	return res, nil
}

func (p *replayer) wrap(err error) error { return fmt.Errorf("durable: replay %q: %w", p.run, err) }

// drive does one round, up to where it stopped, and reads on to the next one.
func (p *replayer) drive(ctx context.Context, r *round.Round) (round.Result, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p.cancel = cancel
	res, err := r.Run(inner)
	switch {
	case p.err != nil:
		res.Outcome, res.Reason, res.Err, res.Waits = round.Unfinished, "", nil, nil
		return res, p.err
	case ctx.Err() != nil:
		return res, p.wrap(context.Cause(ctx))
	case p.again:
		return res, nil
	case !res.Outcome.Ended() && !errors.Is(context.Cause(inner), errRecordEnds):
		return res, p.wrap(err) // it stopped by itself, where the record goes on
	}
	if !res.Outcome.Ended() {
		res.Outcome, res.Reason, res.Err, res.Waits = round.Unfinished, "", nil, nil
		if p.reader.stopped {
			res.Outcome, res.Reason = p.reader.last.Outcome(), p.reader.last.Result.Reason
		}
	}
	for p.begin == nil {
		n, err := p.read()
		if err != nil {
			return res, p.wrap(err)
		}
		if n == nil {
			break
		}
		if n.Kind == records.KindRound {
			p.begin = n
		} else if err := p.reader.add(ctx, n); err != nil { // what its session closed, and bytes for the next round
			return res, p.wrap(err)
		}
	}
	return res, nil
}

// first reads the beginning of the first round.
func (p *replayer) first() error {
	n, err := p.read()
	for err == nil && n != nil && n.OfStage() {
		if err = p.reader.add(p.ctx, n); err == nil {
			n, err = p.read()
		}
	}
	switch {
	case err != nil:
		return err
	case n == nil:
		return ErrNoRun
	case n.Kind != records.KindRound || n.Round == nil:
		return p.reader.damaged("no round has begun")
	}
	p.begin = n
	return nil
}

// read returns the next record; nil: there is none.
func (p *replayer) read() (*records.Record, error) {
	entry, err, ok := p.next()
	if !ok {
		return nil, nil //nolint:nilnil // the end
	}
	if err != nil {
		return nil, err
	}
	return p.reader.scan.Read(entry)
}
