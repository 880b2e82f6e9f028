// Package trace carries what happens inside a step from the packages that do
// it to the Round that records it, without either knowing the other.
package trace

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
)

// Sink takes what a step reports. Its methods are safe for concurrent use.
type Sink interface {
	// Timed reports whether somebody reads durations; nobody reads the clock
	// otherwise.
	Timed() bool
	// Phase reports a phase that ran.
	Phase(name string, took time.Duration)
	// Decision reports a decision that passed its checks.
	Decision(v any)
	// Repaired reports what was repaired in a reply of the model, before it is
	// checked. It is asked for only where Timed.
	Repaired(repairs []llm.Repair)
	// Refused reports what was wrong with a reply of the model.
	Refused(problem error)
	// Verdict reports a policy's word on a command that it did not simply allow.
	Verdict(v Verdict)
	// Secrets announces, before a command is executed or asked about, the form
	// in which it may be shown and the values that must be shown nowhere.
	Secrets(masked, original desktop.Command, values []string)
}

// Verdict is a policy's word as it is recorded.
type Verdict struct {
	Tool   string `json:"tool"`
	CallID string `json:"call_id,omitempty"`
	Action string `json:"action"`
	Reason string `json:"reason,omitempty"`
}

type key struct{}

// With returns a context under which From finds sink. Secrets also reach the
// sinks further out: a Round around this one records the same commands.
func With(ctx context.Context, sink Sink) context.Context {
	if outer, ok := ctx.Value(key{}).(Sink); ok {
		sink = chain{sink, outer}
	}
	return context.WithValue(ctx, key{}, sink)
}

type chain struct {
	Sink
	outer Sink
}

type runKey struct{}

// run is a Run of a Round.
type run struct {
	id   *byte // alone, so that who has it does not have what is kept
	mu   sync.Mutex
	kept map[any]any
}

// WithRun returns the context of one Run of a Round.
func WithRun(ctx context.Context) context.Context {
	return context.WithValue(ctx, runKey{}, &run{id: new(byte), kept: map[any]any{}})
}

// Run returns what tells the Run of ctx from others, nil outside of one.
func Run(ctx context.Context) any {
	if r, ok := ctx.Value(runKey{}).(*run); ok {
		return r.id
	}
	return nil
}

// Kept returns what the Run of ctx keeps for key, which fresh makes. It goes with the Run: an agent
// that lives on holds none of it. Outside of a Run nothing is kept.
func Kept(ctx context.Context, key any, fresh func() any) any {
	r, ok := ctx.Value(runKey{}).(*run)
	if !ok {
		return fresh()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept[key] == nil {
		r.kept[key] = fresh()
	}
	return r.kept[key]
}

// LooksAnew reports whether a step must look, although the step before it, in the Run seenIn,
// left what it saw: in another Run that may be hours old. A step that is handled again looks
// where it did so before, since what it did then followed from what it saw.
func LooksAnew(ctx context.Context, seenIn any) bool {
	for r := range resumed(ctx) {
		if looked, known := r.Looked(); known {
			return looked
		}
	}
	return seenIn == nil || seenIn != Run(ctx)
}

// Resumed is what a Sink knows of a run that was resumed.
type Resumed interface {
	// Stale reports whether what the agent saw in this step was recorded earlier, and
	// what it does next is done for the first time.
	Stale() bool
	// Uncertain returns the commands that may or may not have been executed.
	Uncertain() []desktop.Command
	// Looked reports whether the step, when it was handled before, looked before it did anything
	// else. known is false where it was not handled before.
	Looked() (looked, known bool)
}

// Stale asks the recorders around ctx; see Resumed.
func Stale(ctx context.Context) bool {
	for r := range resumed(ctx) {
		if r.Stale() {
			return true
		}
	}
	return false
}

// Uncertain asks the recorders around ctx; see Resumed.
func Uncertain(ctx context.Context) []desktop.Command {
	var list []desktop.Command
	for r := range resumed(ctx) {
		list = append(list, r.Uncertain()...)
	}
	return list
}

// Hider is a Sink that knows what must not be shown.
type Hider interface {
	// Hide returns text without the secrets that were announced to it.
	Hide(text string) string
}

// Hide returns text without the secrets that the Rounds around ctx know.
func Hide(ctx context.Context, text string) string {
	for h := range sinks[Hider](ctx) {
		text = h.Hide(text)
	}
	return text
}

func resumed(ctx context.Context) iter.Seq[Resumed] { return sinks[Resumed](ctx) }

// sinks yields the sinks that are a T, the innermost first.
func sinks[T any](ctx context.Context) iter.Seq[T] {
	return func(yield func(T) bool) {
		sink := ctx.Value(key{})
		for sink != nil {
			c, chained := sink.(chain)
			inner := sink
			if chained {
				inner = c.Sink
			}
			if r, ok := inner.(T); ok && !yield(r) {
				return
			}
			if !chained {
				return
			}
			sink = c.outer
		}
	}
}

func (c chain) Secrets(masked, original desktop.Command, values []string) {
	c.Sink.Secrets(masked, original, values)
	c.outer.Secrets(masked, original, values)
}

// From returns the sink of the innermost Round, or one that drops everything.
func From(ctx context.Context) Sink {
	if sink, ok := ctx.Value(key{}).(Sink); ok {
		return sink
	}
	return nobody{}
}

type nobody struct{}

func (nobody) Timed() bool                                        { return false }
func (nobody) Phase(string, time.Duration)                        {}
func (nobody) Decision(any)                                       {}
func (nobody) Repaired([]llm.Repair)                              {}
func (nobody) Refused(error)                                      {}
func (nobody) Verdict(Verdict)                                    {}
func (nobody) Secrets(desktop.Command, desktop.Command, []string) {}
