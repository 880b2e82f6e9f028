package durable

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/calls"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

var (
	// ErrNoRun says that there is no record of a run to resume.
	ErrNoRun = errors.New("durable: there is no such run")
	// ErrDiverged is behind every [DivergedError].
	ErrDiverged = errors.New("durable: a resumed step did something else than what was recorded")
)

// DivergedError says how a step that was handled again after [Resume] differed from
// its recording. It ends nothing: see [Session.Diverged].
type DivergedError struct {
	Seq     int64    // of the first record that was not given back
	Wanted  string   // what the step did now: call, ask, or a tool's name; "": it was done
	Has     string   // what the record has
	Dropped []string // tools of commands that were executed and are not given back
}

func (e *DivergedError) Error() string {
	now := "was done"
	if e.Wanted != "" {
		now = fmt.Sprintf("did %q", e.Wanted)
	}
	return fmt.Sprintf("%v: it %s where record %d has %q", ErrDiverged, now, e.Seq, e.Has)
}

// Unwrap returns [ErrDiverged].
func (e *DivergedError) Unwrap() error { return ErrDiverged }

// How long an Append may take, and how long once the run is cancelled: what was done is
// to be recorded all the same.
const (
	appendTimeout = time.Minute
	appendGrace   = 10 * time.Second
)

var (
	errAppend  = fmt.Errorf("the store did not answer in time: %w", context.DeadlineExceeded)
	errNoStore = errors.New("there is no store")
	errMeta    = errors.New("its Meta is no JSON")
)

// recording is the records of a run, and what is known of them.
type recording struct {
	meta  json.RawMessage
	store store.Store
	run   string

	// mu is held while the store appends: records are in the order in which things
	// were done.
	mu      sync.Mutex
	host    fsm.Worker        // whose run it is
	board   *blackboard.Board // of its session
	running context.Context   //nolint:containedctx // of the Run that began last
	charge  round.Charge      // of its round
	begun   bool              // there is a record of the first round
	claim   bool              // it was resumed, and nothing is appended yet
	seq     int64             // of the last record
	err     error             // set: nothing is appended any more
	pending []noted           // what goes with the next record that must be there

	hold      store.Hold      // nil: nobody here drives the run
	compare   bool            // others may have driven it since the last Append
	announced bool            // it was recorded that the run was taken
	forgotten runtime.Cleanup // gives the run back when nobody has the journal any more

	stop    *records.Step // how the round stopped, as it is recorded; nil: it went on
	stopSeq int64         // of the last record then

	blobs    map[string]int64 // hashes that are in the journal already
	readOnly map[string]bool  // by tool, as all lists of tools have it
	whole    [sha256.Size]byte
	makers   int             // how many the journal has
	secrets  map[string]bool // that the journal has

	tape      tape
	nth       int             // of the question that was asked last
	spent     []*records.Call // that count, and whose replies nobody has
	asked     []*asking       // questions of this step that wait
	uncertain []desktop.Command
	void      []string // keys of commands whose approval was used in the run that this one was forked from
	untold    []string // tools of executed commands that the agent does not know of
	told      bool     // it was told in this step
	why       string   // the step under way goes its way, as far as it said so
	diverged  *DivergedError

	replay *replay // set: nothing is recorded or done, only compared
}

// fail ends the recording. j.mu is held.
func (j *recording) fail(err error) error {
	if j.err == nil {
		j.err = &lostError{run: j.run, err: err}
	}
	return j.err
}

// later keeps a note for the next append. j.mu is held.
func (j *recording) later(n records.Record) error {
	if j.err != nil || j.replay != nil {
		return j.err
	}
	n.V, n.At = records.Version, time.Now().UTC()
	raw, err := json.Marshal(&n)
	if err != nil {
		return j.fail(err)
	}
	j.pending = append(j.pending, noted{Record: n, raw: raw})
	return nil
}

// limited calls what a store does, as long as it may take.
func (j *recording) limited(ctx context.Context, f func(context.Context) error) error {
	limited, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	limit := time.AfterFunc(appendTimeout, func() { cancel(errAppend) })
	defer limit.Stop()
	defer context.AfterFunc(ctx, func() { limit.Reset(appendGrace) })()
	err := guard(func() error { return f(limited) })
	if err != nil && limited.Err() != nil {
		err = errors.Join(err, context.Cause(limited), context.Cause(ctx))
	}
	return err
}

// write appends a note, and what waits for one, and returns when they are durable.
// After an error nothing is known of what the store has, so that is the end of this
// journal in this process. A record that is too large is not: see fit. j.mu is held.
func (j *recording) write(ctx context.Context, n records.Record) error {
	if j.replay != nil {
		return nil
	}
	if err := j.later(n); err != nil {
		return err
	}
	if nilcheck.IsNil(j.store) {
		return j.fail(errNoStore)
	}
	for {
		raws := make([][]byte, len(j.pending))
		for i := range j.pending {
			raws[i] = j.pending[i].raw
		}
		err := j.limited(ctx, func(ctx context.Context) error { return j.store.Append(ctx, j.run, j.seq, raws...) })
		if err == nil {
			break
		}
		if size, ok := errors.AsType[*store.SizeError](err); ok && j.leaveOut(size.Index) {
			continue
		} else if ok && j.canBeTooLarge() {
			j.pending = j.pending[:len(j.pending)-1]
			return fmt.Errorf("durable: %s: %w", n.Kind, err)
		}
		if j.seq == 0 && errors.Is(err, store.ErrConflict) {
			err = fmt.Errorf("the run is there already, and Open goes on with it: %w", err)
		}
		return j.fail(err)
	}
	j.seq += int64(len(j.pending))
	j.pending, j.compare = nil, false
	return nil
}

// secret keeps what must be shown nowhere, once, for the process that resumes the run.
func (j *recording) secret(n round.Secret) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.noteSecret(n) {
		_ = j.later(records.Record{Kind: records.KindSecret, Secret: &n}) // an error is kept
	}
}

// noteSecret reports whether anything of it is new. j.mu is held.
func (j *recording) noteSecret(n round.Secret) bool {
	raw, err := json.Marshal([]any{calls.Key(n.Original), n.Values})
	if err != nil || j.secrets[string(raw)] || len(n.Values) == 0 && calls.Key(n.Masked) == calls.Key(n.Original) {
		return false
	}
	if j.secrets == nil {
		j.secrets = map[string]bool{}
	}
	j.secrets[string(raw)] = true
	return true
}

// keeper and changer are the optional methods of a [fsm.Worker] for going on elsewhere.
type (
	keeper interface {
		Snapshot() ([]byte, error)
		Restore(snapshot []byte) error
	}
	changer interface {
		Changes() ([]byte, error)
		Apply(changes []byte) error
	}
)

// lostError says why a run cannot be recorded any more. A round inside of one of its steps, whose
// commands it records, finds round.ErrLost in it and stops.
type lostError struct {
	run string
	err error
}

func (e *lostError) Error() string   { return fmt.Sprintf("%q: %v", e.run, e.err) }
func (e *lostError) Unwrap() []error { return []error{round.ErrLost, e.err} }

// guard makes an error of a panic.
func guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &round.PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}

// comesBack reports whether what returned this error is done once more, when its state is
// handled again: it waits for an answer from elsewhere, or for another run, which could not be recorded.
func comesBack(err error) bool {
	var panicked *round.PanicError
	return (errors.Is(err, fsm.ErrSuspend) || errors.Is(err, round.ErrLost)) && !errors.As(err, &panicked)
}

func position(agent string, status fsm.Status) string { return agent + ":" + string(status) }

// textOf is err.Error(), also of an error whose Error panics.
func textOf(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("%T", err)
		}
	}()
	return err.Error()
}
