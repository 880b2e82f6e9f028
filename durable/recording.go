package durable

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/calls"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/effect"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// ErrNoRun says that there is no record of a run to resume.
var ErrNoRun = errors.New("durable: there is no such run")

// How long an Append may take, and how long once the run is cancelled: what was done is to be recorded all the same.
const (
	appendTimeout = time.Minute
	appendGrace   = 10 * time.Second
)

var (
	errAppend  = fmt.Errorf("the store did not answer in time: %w", context.DeadlineExceeded)
	errNoStore = errors.New("there is no store")
	errMeta    = errors.New("its Meta is no JSON, or not UTF-8")
)

// recording is what a run has on record, as far as whoever goes on with it or replays it needs that.
type recording struct {
	store store.Store
	run   string

	// mu is held while the store appends: records are in the order in which things were done.
	mu      sync.Mutex
	host    fsm.Worker        // whose run it is
	board   *blackboard.Board // of its session
	running context.Context   //nolint:containedctx // of the Run that began last
	charge  checkpoint.Charge // of its round

	blobs    map[string]int64 // hashes that are on record, and in which
	readOnly map[string]bool  // by tool, as all lists of tools have it
	repeats  map[string]bool  // likewise: to execute its command once more does no harm
	secrets  map[string]bool  // that are on record

	past        past
	effects     effectLog
	nth         int             // of the question that was asked last
	spent       []*records.Call // that count, and whose replies nobody has
	asked       []*asking       // questions of this step that wait
	answered    []*op           // questions of this attempt that were answered in it
	uncertain   []desktop.Command
	void        []string // keys of commands whose approval was used in the run that this one was forked from
	voidEffects []string // keys of effects that the run which this one was forked from did behind that place
	unreported  []string // tools of executed commands, and keys of effects, that the agent does not know of
	reported    bool     // it was told in this step
	why         string   // the step under way goes its way, as far as it said so
}

// loadAgent gives the first agent what it knew.
func (j *recording) loadAgent(saved fsm.Saved) error {
	saver, ok := j.host.(fsm.Saver)
	if !ok {
		return misfit(j.host.Name(), "it is no fsm.Saver")
	}
	if err := saver.Load(saved); err != nil {
		return fmt.Errorf("agent %q: %w: %w", j.host.Name(), round.ErrNotResumable, err)
	}
	return nil
}

// noteSecret reports whether anything of it is new. Most commands have no secret. j.mu is held.
func (j *recording) noteSecret(n checkpoint.Secret) bool {
	if len(n.Values) == 0 && (reflect.DeepEqual(n.Masked.Parameters, n.Original.Parameters) || calls.Key(n.Masked) == calls.Key(n.Original)) {
		return false
	}
	key := calls.Key(n.Original) + "\n" + strings.Join(n.Values, "\n")
	if j.secrets[key] {
		return false
	}
	if j.secrets == nil {
		j.secrets = map[string]bool{}
	}
	j.secrets[key] = true
	return true
}

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

// fetch returns bytes that are in the journal. j.mu is held.
func (j *recording) fetch(ctx context.Context, ref string) ([]byte, error) {
	seq, there := j.blobs[ref]
	if !there {
		return nil, fmt.Errorf("there is no record of %q", ref)
	}
	for entry, err := range j.store.Read(ctx, j.run, seq) {
		if err != nil {
			return nil, err
		}
		n, err := records.Read(entry.Data)
		if err == nil && n.Blob != nil && n.Blob.Ref == ref && refOf(n.Blob.Data) == ref {
			return n.Blob.Data, nil
		}
		break
	}
	return nil, fmt.Errorf("record %d is not that of %q", seq, ref)
}

// driving is the key of the recorder under whose context a Handle is called.
type driving struct{}

// Attach has the recorder see all calls of a Run, and policies know what is uncertain.
func (j *recorder) Attach(ctx context.Context, charge checkpoint.Charge) context.Context {
	if outer, ok := ctx.Value(driving{}).(*recorder); ok {
		outer.inside(ctx)
	}
	ctx = context.WithValue(ctx, driving{}, j)
	ctx = llm.WithInterceptor(ctx, func(inner llm.Model) llm.Model { return recordedModel{j, inner} })
	ctx = desktop.WithInterceptor(ctx, func(inner desktop.Desktop) desktop.Desktop { return recordedDesktop{j, inner} })
	ctx = people.WithInterceptor(ctx, func(inner people.User) people.User { return recordedUser{j, inner} })
	of := effect.RoundOf(ctx)
	ctx = effect.With(ctx, func(inner effect.Doer) effect.Doer { return recordedEffects{j, of, inner} })
	return j.attached(ctx, charge, &sink{trace.From(ctx), j})
}

// attached notes the Run that begins, and has its questions keep their ids and deadlines.
func (j *recording) attached(ctx context.Context, charge checkpoint.Charge, sink trace.Sink) context.Context {
	ctx = trace.WithAsked(ctx, j.asAsked)
	ctx = context.WithValue(trace.With(ctx, sink), innermost{}, j)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running, j.charge = ctx, charge
	j.effects.begin()
	return ctx
}

// cancelled reports whether the Run ended, and not only the context of one call.
func (j *recording) cancelled() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.running.Err() != nil
}

// cause is why the Run ended.
func (j *recording) cause() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return context.Cause(j.running)
}

// sink is a trace.Sink that also knows what was resumed.
type sink struct {
	trace.Sink
	run interface {
		stale() bool
		looked() (looked, known bool)
		doubts() []desktop.Command
		secret(n checkpoint.Secret)
		says(text string)
	}
}

func (s *sink) Stale() bool { return s.run.stale() }

func (s *sink) Looked() (looked, known bool) { return s.run.looked() }

func (s *sink) Uncertain() []desktop.Command { return s.run.doubts() }

// Secrets keeps what must be shown nowhere, for the process that goes on with the run. The Sink
// further out is told of them, too.
func (s *sink) Secrets(masked, original desktop.Command, values []string) {
	s.run.secret(checkpoint.Secret{Masked: masked, Original: original, Values: values})
}

func (s *sink) Verdict(v trace.Verdict) {
	s.Sink.Verdict(v)
	s.run.says(fmt.Sprintf("policy: %s %s: %s", v.Action, v.Tool, v.Reason))
}

func (s *sink) Refused(problem error) {
	s.Sink.Refused(problem)
	s.run.says(textOf(problem))
}

// says notes why the step under way goes its way.
func (j *recording) says(text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.why = text
}

// within is the mark of a context under which something is done that is recorded as a
// whole. What a desktop, a model or a user does with that context is part of it.
type within struct{ j *recorder }

func (j *recorder) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, within{j}, true)
}

func (j *recorder) isWithin(ctx context.Context) bool { return ctx.Value(within{j}) != nil }
