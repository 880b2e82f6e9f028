package mcp

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

const (
	// hold is how long a request is kept open whose call was cancelled before the
	// server answered at all.
	hold = 2 * time.Second
	// again is when the cancellation is repeated for the first time meanwhile.
	again = 100 * time.Millisecond
)

type postKey struct{}

// post knows of a request by which it was cancelled. A cancellation is a request
// of its own, which can overtake the call on its way: the server then has never
// heard of the call, forgets the cancellation, and runs the call to its end. That
// the request of the call is broken off does not count as a cancellation before
// version 2026-07-28 (MCP, transports, "Sending Messages to the Server").
type post struct {
	once sync.Once
	told chan struct{} // closed when req is there
	req  *http.Request
}

func newPost() *post { return &post{told: make(chan struct{})} }

// toldBy remembers the request that carries the cancellation.
func (p *post) toldBy(req *http.Request) {
	if p != nil {
		p.once.Do(func() { p.req = req; close(p.told) })
	}
}

type answer struct {
	resp *http.Response
	err  error
}

// call sends the request of a call. When the call is cancelled before the server
// answered, it comes back at once, and the request goes on for a while: if it were
// broken off, nobody would know whether the server is going to see it.
func (r *roundTripper) call(req *http.Request, p *post) (*http.Response, error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(req.Context()))
	answers := make(chan answer, 1)
	r.work.Go(func() { // the call still runs, so that Close waits for this, too
		resp, err := r.next.RoundTrip(req.WithContext(ctx))
		answers <- answer{resp, err}
	})
	select {
	case a := <-answers:
		stop := context.AfterFunc(req.Context(), cancel)
		return endWith(a.resp, a.err, func() { stop(); cancel() })
	case <-r.answers.over: // no call has an end any more
		cancel()
		if a := <-answers; a.err == nil {
			_ = a.resp.Body.Close()
		}
		return nil, &unreadError{}
	case <-req.Context().Done():
		r.work.Go(func() { r.abandon(p, answers, cancel) }) //nolint:contextcheck // it goes on without the call
		return nil, req.Context().Err()
	}
}

// abandon waits for the answer of a call that was cancelled, for a while, and
// repeats the cancellation until it is there.
func (r *roundTripper) abandon(p *post, answers <-chan answer, cancel context.CancelFunc) {
	defer cancel()
	end := time.NewTimer(min(hold, r.grace))
	defer end.Stop()
	next, told := again, p.told
	repeat := time.NewTimer(hold)
	defer repeat.Stop()
	for {
		select {
		case <-told:
			told = nil
			repeat.Reset(next)
		case <-repeat.C:
			r.repeat(p)
			next *= 3
			repeat.Reset(next)
		case a := <-answers:
			if a.err != nil {
				return
			}
			_ = a.resp.Body.Close()
			select {
			case <-p.told: // perhaps before the server saw the call
				if isStream(a.resp) {
					r.repeat(p)
				}
			default: // it will be later
			}
			return
		case <-end.C:
			cancel()
			if a := <-answers; a.err == nil {
				_ = a.resp.Body.Close()
			}
			return
		}
	}
}

// repeat sends the cancellation once more. A server that has seen it, or has
// answered, forgets it.
func (r *roundTripper) repeat(p *post) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.req.Context()), min(hold, r.grace)/2)
	defer cancel()
	req := p.req.Clone(ctx)
	var err error
	if req.Body, err = p.req.GetBody(); err != nil {
		return
	}
	if resp, err := r.next.RoundTrip(req); err == nil {
		_, _ = io.CopyN(io.Discard, resp.Body, 4096)
		_ = resp.Body.Close()
	}
}
