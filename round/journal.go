package round

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round/journal"
)

var (
	// ErrJournal says that a run could not be recorded. Nothing more is done in it
	// then; [Resume] goes on from what was recorded.
	ErrJournal = errors.New("round: the run could not be recorded")
	// ErrNoRun says that there is no record of a run to resume.
	ErrNoRun = errors.New("round: there is no such run")
	// ErrNotResumable says that an agent cannot take part in a run that has a
	// journal, or not in this one.
	ErrNotResumable = errors.New("round: it cannot be resumed with this agent")
	// ErrDiverged is behind every [DivergedError].
	ErrDiverged = errors.New("round: a resumed step did something else than what was recorded")
)

// JournalError says why a run could not be recorded. errors.Is finds [ErrJournal]
// and what is behind Err, such as journal.ErrConflict where another process has
// resumed the run.
type JournalError struct {
	Run string
	Err error
}

func (e *JournalError) Error() string { return fmt.Sprintf("%v: %q: %v", ErrJournal, e.Run, e.Err) }

// Unwrap returns [ErrJournal] and the cause.
func (e *JournalError) Unwrap() []error { return []error{ErrJournal, e.Err} }

// DivergedError says how a step that was handled again after [Resume] differed from
// its recording. It ends nothing: see [Round.Diverged].
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
	errAppend   = fmt.Errorf("the store did not answer in time: %w", context.DeadlineExceeded)
	errOtherUse = errors.New("another session or round uses this journal")
	errNoStore  = errors.New("there is no store")
	errMeta     = errors.New("its Meta is no JSON")
)

// Journal records a run, so that [Resume] can go on with it in another process. Make
// one with [NewJournal], and put it into the Options of one [Session], or of one
// Round.
type Journal struct {
	// Meta is kept with the beginning of the run, any JSON that a program needs to make
	// its agents again, such as which document they work on. It is read before the first
	// Run, and runs.Look returns it.
	Meta json.RawMessage

	store journal.Store
	run   string

	// mu is held while the store appends: records are in the order in which things
	// were done.
	mu      sync.Mutex
	owner   fsm.Worker // whose run it is
	current *Round     // whose records come now
	claim   bool       // it was resumed, and nothing is appended yet
	seq     int64      // of the last record
	err     error      // set: nothing is appended any more
	pending []noted    // what goes with the next record that must be there

	hold      journal.Hold    // nil: nobody here drives the run
	driver    *Round          // that drives it now
	compare   bool            // others may have driven it since the last Append
	announced bool            // it was recorded that the run was taken
	forgotten runtime.Cleanup // gives the run back when nobody has the journal any more

	stop    *records.Step // how the round stopped, as it is recorded; nil: it went on
	stopSeq int64         // of the last record then

	blobs    map[string]int64 // hashes that are in the journal already
	readOnly map[string]bool  // by tool, as all lists of tools have it
	whole    [sha256.Size]byte
	makers   map[string]string // of agents, since the last step
	at       records.Place     // who was at work when the last position was recorded

	tape      tape
	nth       int             // of the question that was asked last
	spent     []*records.Call // that count, and whose replies nobody has
	asked     []*asking       // questions of this step that wait
	uncertain []desktop.Command
	void      []string // keys of commands whose approval was used in the run that this one was forked from
	untold    []string // tools of executed commands that the agent does not know of
	told      bool     // it was told in this step
	diverged  *DivergedError

	replay *replay // set: nothing is recorded or done, only compared
}

// NewJournal returns a journal that keeps the run of that id in store, which must not
// have one yet. The id is checked as journal.CheckRun does; what is wrong with it is
// the error of the first Run, or of Resume.
func NewJournal(store journal.Store, run string) *Journal { return &Journal{store: store, run: run} }

// Run returns the id of the run.
func (j *Journal) Run() string { return j.run }

// failed returns why nothing can be recorded any more; nil: it can.
func (j *Journal) failed() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// stands returns who was at work, and where, when that was recorded last.
func (j *Journal) stands() records.Place {
	if j == nil {
		return records.Place{}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.at
}

// fail ends the recording. j.mu is held.
func (j *Journal) fail(err error) error {
	if j.err == nil {
		j.err = &JournalError{Run: j.run, Err: err}
	}
	return j.err
}

// refuses ends the recording.
func (j *Journal) refuses(err error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.fail(err)
}

// later keeps a note for the next append. j.mu is held.
func (j *Journal) later(n records.Record) error {
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
func (j *Journal) limited(ctx context.Context, f func(context.Context) error) error {
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
func (j *Journal) write(ctx context.Context, n records.Record) error {
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
		if size, ok := errors.AsType[*journal.SizeError](err); ok && j.leaveOut(size.Index) {
			continue
		} else if ok && j.canBeTooLarge() {
			j.pending = j.pending[:len(j.pending)-1]
			return fmt.Errorf("round: %s: %w", n.Kind, err)
		}
		if j.seq == 0 && errors.Is(err, journal.ErrConflict) {
			err = fmt.Errorf("the run is there already, and Open goes on with it: %w", err)
		}
		return j.fail(err)
	}
	j.seq += int64(len(j.pending))
	j.pending, j.compare = nil, false
	return nil
}

// made notes who handed over to an agent first, and so can make it again.
func (j *Journal) made(agent, maker string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.makers == nil {
		j.makers = map[string]string{}
	}
	j.makers[agent] = maker
}

// secret keeps what must be shown nowhere, for the process that resumes the run.
func (j *Journal) secret(masked, original desktop.Command, values []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	_ = j.later(records.Record{Kind: records.KindSecret, Secret: &records.Secret{Masked: masked, Original: original, Values: values}}) // an error is kept
}

// keepable says whether an agent can be recorded.
func keepable(agent fsm.Agent) error {
	if _, ok := agent.(keeper); ok {
		return nil
	}
	return &AgentError{Agent: agent.Name(), Err: ErrNotResumable, text: "it has no methods Snapshot and Restore, so it cannot be in a run with a journal"}
}

// keeper and changer are the optional methods of a [fsm.Worker] for going on
// elsewhere.
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
