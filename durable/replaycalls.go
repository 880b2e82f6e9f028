package durable

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/effects"
	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/internal/calls"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/effect"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// The interceptors of a replay: nothing is called, and what is not on record is a difference.

// Attach has the replayer give back all calls of a Run.
func (p *replayer) Attach(ctx context.Context, charge checkpoint.Charge) context.Context {
	ctx = llm.WithInterceptor(ctx, func(llm.Model) llm.Model { return llm.ModelFunc(p.complete) })
	ctx = desktop.WithInterceptor(ctx, func(desktop.Desktop) desktop.Desktop { return playedDesktop{p} })
	ctx = people.WithInterceptor(ctx, func(people.User) people.User { return people.UserFunc(p.ask) })
	of := effect.RoundOf(ctx)
	ctx = effect.With(ctx, func(effect.Doer) effect.Doer { return playedEffects{p, of} })
	return p.attached(ctx, charge, &sink{trace.From(ctx), p})
}

// take returns what was recorded. p.mu is held.
func (p *replayer) take(kind, key, id, name string) (*op, error) {
	if p.err != nil {
		return nil, p.err
	}
	c := p.past.find(kind, key, id, true)
	if c == nil {
		c = p.lookedLater(kind, key)
	}
	if c == nil {
		return nil, p.missing(kind, name)
	}
	p.takes(c)
	return c, nil
}

// secret has nothing to keep: it is on record.
func (p *replayer) secret(checkpoint.Secret) {}

func (p *replayer) complete(_ context.Context, req *llm.Request) (*llm.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, err := p.take(records.KindCall, requestMark(req), "", records.KindCall)
	if err != nil {
		return nil, err
	}
	return c.call.Response.Clone(), attempts.NoWait(givenBack(c.call.Err))
}

func (p *replayer) ask(_ context.Context, q people.Question) (people.Answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, err := p.take(records.KindAsk, askKey(&records.Ask{Question: q}), q.ID, records.KindAsk)
	if err != nil {
		return people.Answer{}, err
	}
	return c.answer.Said(), givenBack(c.answer.Err)
}

type playedEffects struct {
	p  *replayer
	of *effect.Round
}

func (w playedEffects) Do(ctx context.Context, c *effect.Call) error {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	c.Kept = true
	op, err := w.take(ctx, records.KindEffect, c.Key)
	switch {
	case err != nil:
		return err
	case op.done == nil: // the record ends within it
		return w.p.missing(op.kind, op.key)
	}
	w.p.reported = w.p.reported || op.done.As == records.NotDone
	return outcome(op.done, c)
}

func (w playedEffects) WaitUntil(ctx context.Context, key string, t time.Time) (time.Time, error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	op, err := w.take(ctx, records.KindTimer, key)
	switch {
	case err != nil:
		return t, err
	case op.timer.Over:
		return op.timer.Until, nil
	case w.p.kind == "": // nobody has gone on since
		w.p.cancel(errRecordEnds)
	}
	return op.timer.Until, effect.Waits(key, op.timer.Until)
}

// take returns what was recorded of a key that the step uses for the first time.
func (w playedEffects) take(ctx context.Context, kind, short string) (*op, error) {
	key := w.of.KeyIn(ctx, short)
	if slices.ContainsFunc(w.p.past.ops, func(c *op) bool { return c.used && c.kind == kind && c.key == key }) {
		return nil, &effects.Error{Key: short, Kind: effects.ErrKey, Err: errTwice}
	}
	return w.p.take(kind, key, "", key)
}

type playedDesktop struct{ p *replayer }

func (w playedDesktop) Tools(context.Context) (tools []desktop.Tool, err error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	c, err := w.p.take(records.KindTools, records.KindTools, "", "list the tools")
	switch {
	case err != nil:
		return nil, err
	case c.tools.Err != nil:
		return nil, givenBack(c.tools.Err)
	}
	raw, err := w.p.blob(c.tools.Ref)
	if err == nil {
		err = json.Unmarshal(raw, &tools)
	}
	w.p.noteTools(tools)
	return tools, err
}

func (w playedDesktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	p, key := w.p, calls.Key(cmd)
	if p.waitedOut(ctx, cmd, key) {
		<-ctx.Done()
		return desktop.Result{}, context.Cause(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	kind := records.KindIntent
	if p.looks(cmd) && !p.past.executed(key) {
		kind = records.KindLook
	}
	c, err := p.take(kind, key, "", cmd.ToolName)
	switch {
	case err != nil:
		return desktop.Result{}, err
	case c.act.Refused:
		p.doubt(c)
		p.reported = true
	default:
		p.believe(c)
	}
	switch n := c.result; {
	case n == nil: // the record ends within the command
		return desktop.Result{}, p.missing(c.kind, c.name())
	case n.Err != nil:
		return desktop.Result{}, givenBack(n.Err)
	default:
		return resultOf(n, cmd.CallID, p.blob)
	}
}

// waitedOut reports whether a deadline of its caller's, such as that for a window to show up, ended a look that the record
// does not have. A replay waits for it, too.
func (p *replayer) waitedOut(ctx context.Context, cmd desktop.Command, key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	limit, limited := ctx.Deadline()
	whole, all := p.ctx.Deadline()
	return limited && (!all || limit.Before(whole)) && p.looks(cmd) && p.past.find(records.KindLook, key, "", false) == nil
}
