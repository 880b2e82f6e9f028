package llm

import (
	"bytes"
	"context"
	"slices"
)

// Record returns a model that shows every call of m to sink, after the call and
// before its result is returned. The copies are the sink's to keep. What it gets
// is as the model saw it: around a [Retry] one call, inside one each attempt.
// Prompts and replies may hold secrets; whoever stores them takes these out.
//
// sink is called on the goroutine of the call, so it may be called by several at
// a time when the model is; it needs a lock of its own. A panic in it goes
// through to the caller. A call that panics is not shown. A nil sink records
// nothing; a nil m is [ErrNoModel], at each call, and is recorded.
func Record(m Model, sink func(*Request, *Response, error)) Model {
	m = orMissing(m)
	if sink == nil {
		return m
	}
	return &record{model: m, sink: sink}
}

type record struct {
	model Model
	sink  func(*Request, *Response, error)
}

// Unwrap returns the model that is asked.
func (r *record) Unwrap() Model { return r.model }

func (r *record) Complete(ctx context.Context, req *Request) (*Response, error) {
	asked := req.Clone() // a model must not change it, and may
	resp, err := r.model.Complete(ctx, req)
	r.sink(asked, resp.Clone(), err)
	return resp, err
}

// Clone returns a deep copy; nil stays nil.
func (r *Request) Clone() *Request {
	if r == nil {
		return nil
	}
	c := *r
	c.Messages = slices.Clone(r.Messages)
	for i := range c.Messages {
		parts := slices.Clone(c.Messages[i].Parts)
		for j := range parts {
			if image := parts[j].Image; image != nil {
				parts[j].Image = &Image{MediaType: image.MediaType, Data: bytes.Clone(image.Data)}
			}
		}
		m := &c.Messages[i]
		m.Parts, m.Calls, m.Reasoning = parts, cloneCalls(m.Calls), bytes.Clone(m.Reasoning)
	}
	c.Tools = cloneTools(r.Tools)
	if r.Schema != nil {
		schema := *r.Schema
		schema.JSON = bytes.Clone(schema.JSON)
		c.Schema = &schema
	}
	if r.Temperature != nil {
		t := *r.Temperature
		c.Temperature = &t
	}
	return &c
}
