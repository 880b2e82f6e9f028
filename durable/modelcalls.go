package durable

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"

	"github.com/agentfsm/agentfsm/internal/attempts"
	"github.com/agentfsm/agentfsm/internal/digest"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

type recordedModel struct {
	j     *recorder
	inner llm.Model
}

func (w recordedModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if w.j.isWithin(ctx) {
		return w.part(ctx, req)
	}
	mark := requestMark(req)
	c, err := w.j.callAgain(ctx, mark)
	if err != nil {
		return nil, err
	}
	if c != nil {
		return c.call.Response.Clone(), attempts.NoWait(givenBack(c.call.Err))
	}
	defer w.j.endCall()
	back := false
	defer func() {
		if !back {
			_ = w.j.called(ctx, &records.Call{Request: mark, Err: noteError(errPanicked)}) // an error is kept
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
	if lost := w.j.called(ctx, n); lost != nil {
		return nil, lost
	}
	return resp, err
}

// part makes a call that is a part of something that is recorded as a whole, such as that of a judge whose
// finding is. Nobody is given its reply back, but it counts: what it used is recorded with that.
func (w recordedModel) part(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	resp, err := w.inner.Complete(ctx, req)
	if comesBack(err) || errors.Is(err, round.ErrBudget) || attempts.NothingSent(err) || resp == nil && err == nil {
		return resp, err
	}
	n := &records.Call{Err: noteError(err), Ended: true}
	if resp != nil {
		n.Response = &llm.Response{Usage: resp.Usage, Model: resp.Model, Spent: resp.Spent}
	}
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	if lost := w.j.later(records.Record{Kind: records.KindCall, Call: n}); lost != nil {
		return nil, lost
	}
	return resp, err
}

// requestMark tells requests of one step apart: of calls that were made at once each
// gets its own reply back. Of pictures it has a checksum.
func requestMark(req *llm.Request) string {
	d := digest.New()
	if req == nil {
		return d.Hex()
	}
	for i := range req.Messages {
		m := &req.Messages[i]
		d.Text(string(m.Role))
		d.Text(" " + strconv.Itoa(len(m.Parts)) + "\n")
		for _, c := range m.Calls {
			d.Text(fmt.Sprintf("%q %q %d %s\n", c.ID, c.Name, len(c.Args), c.Args))
		}
		for _, p := range m.Parts {
			if d.Field(p.Text); p.Image != nil {
				d.Text(fmt.Sprintf("%d %x\n", len(p.Image.Data), crc32.Checksum(p.Image.Data, castagnoli)))
			}
		}
	}
	return d.Hex()
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// callAgain gives a call back, or counts one that is made. The reply to the one before it is on record by then.
func (j *recorder) callAgain(ctx context.Context, mark string) (*op, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	c, err := j.take(ctx, records.KindCall, mark, "", records.KindCall)
	if c != nil || err != nil {
		return c, err
	}
	if j.rides(records.KindCall) {
		err = j.flush(ctx)
	}
	if err == nil {
		j.calls++
	}
	return nil, err
}

// called keeps a model call that was made. While another one is under way it does not ride.
func (j *recorder) called(ctx context.Context, n *records.Call) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	rec := records.Record{Kind: records.KindCall, Call: n}
	if j.calls > 1 {
		return j.write(ctx, rec)
	}
	return j.ride(ctx, rec)
}

func (j *recorder) endCall() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.calls--
}
