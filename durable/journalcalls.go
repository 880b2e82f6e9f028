package durable

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Attach has the journal see all calls of a Run, and policies know what is uncertain.
func (j *recording) Attach(ctx context.Context, charge round.Charge) context.Context {
	ctx = llm.WithInterceptor(ctx, j.model)
	ctx = desktop.WithInterceptor(ctx, j.desktop)
	ctx = people.WithInterceptor(ctx, j.user)
	ctx = trace.WithQuestionID(ctx, j.idOf)
	ctx = trace.With(ctx, &sink{trace.From(ctx), j})
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running, j.charge = ctx, charge
	return ctx
}

// cancelled reports whether the Run ended, and not only the context of one call.
func (j *recording) cancelled() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.running.Err() != nil
}

// sink is a trace.Sink that also knows what was resumed.
type sink struct {
	trace.Sink
	j *recording
}

func (s *sink) Stale() bool { return s.j.stale() }

func (s *sink) Uncertain() []desktop.Command { return s.j.doubts() }

// Secrets keeps what must be shown nowhere, for the process that resumes the run. The Sink
// further out is told of them, too.
func (s *sink) Secrets(masked, original desktop.Command, values []string) {
	s.j.secret(round.Secret{Masked: masked, Original: original, Values: values})
}

func (s *sink) Verdict(v trace.Verdict) {
	s.Sink.Verdict(v)
	s.j.says(fmt.Sprintf("policy: %s %s: %s", v.Action, v.Tool, v.Reason))
}

func (s *sink) Refused(problem error) {
	s.Sink.Refused(problem)
	s.j.says(textOf(problem))
}

// says notes why the step under way goes its way.
func (j *recording) says(text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.why = text
}

func (j *recording) model(inner llm.Model) llm.Model               { return journaledModel{j, inner} }
func (j *recording) desktop(inner desktop.Desktop) desktop.Desktop { return journaledDesktop{j, inner} }
func (j *recording) user(inner people.User) people.User            { return journaledUser{j, inner} }

// within is the mark of a context under which something is done that is recorded as a
// whole. What a desktop, a model or a user does with that context is part of it.
type within struct{ j *recording }

func (j *recording) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, within{j}, true)
}

func (j *recording) isWithin(ctx context.Context) bool { return ctx.Value(within{j}) != nil }

type journaledModel struct {
	j     *recording
	inner llm.Model
}

func (w journaledModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if w.j.isWithin(ctx) {
		return w.inner.Complete(ctx, req)
	}
	mark := requestMark(req)
	c, err := w.j.takeLocked(ctx, records.KindCall, mark, records.KindCall)
	if err != nil {
		return nil, err
	}
	if c != nil {
		return c.call.Response.Clone(), givenBack(c.call.Err)
	}
	back := false
	defer func() {
		if !back {
			_ = w.record(ctx, &records.Call{Request: mark, Err: noteError(errPanicked)}) // an error is kept
		}
	}()
	resp, err := w.inner.Complete(w.j.within(ctx), req)
	back = true
	if comesBack(err) || errors.Is(err, round.ErrBudget) {
		return resp, err // it is made again
	}
	n := &records.Call{Request: mark, Response: resp, Err: noteError(err), Ended: err != nil && w.j.cancelled()}
	switch {
	case n.Ended && resp == nil:
		return resp, err // likewise
	case resp == nil && err == nil:
		n.Err = noteError(llm.ErrNoResponse)
	}
	if lost := w.record(ctx, n); lost != nil {
		return nil, lost
	}
	return resp, err
}

func (w journaledModel) record(ctx context.Context, n *records.Call) error {
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	return w.j.write(ctx, records.Record{Kind: records.KindCall, Call: n})
}

// requestMark tells requests of one step apart: of calls that were made at once each
// gets its own reply back. Of pictures it has a checksum.
func requestMark(req *llm.Request) string {
	h := sha256.New()
	if req != nil {
		for _, m := range req.Messages {
			fmt.Fprintf(h, "%s %d\n", m.Role, len(m.Parts)) //nolint:errcheck // a hash takes everything
			for _, p := range m.Parts {
				fmt.Fprintf(h, "%d %s\n", len(p.Text), p.Text) //nolint:errcheck // likewise
				if p.Image != nil {
					fmt.Fprintf(h, "%d %x\n", len(p.Image.Data), crc32.Checksum(p.Image.Data, castagnoli)) //nolint:errcheck // likewise
				}
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (j *recording) takeLocked(ctx context.Context, kind, key, name string) (*cut, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.take(ctx, kind, key, "", name)
}
