package durable

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/effect"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

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
