package mcpserver

import (
	"context"
	"sync/atomic"
)

// turns lets some calls run and some more wait.
type turns struct {
	free    chan struct{} // holds a value for each call that runs; nil: any number may
	waiting atomic.Int64
	most    int64 // that wait
}

func newTurns(running, waiting int) *turns {
	t := &turns{most: int64(waiting)}
	if running > 0 {
		t.free = make(chan struct{}, running)
	}
	return t
}

// take waits for a turn, behind those who came before. It calls queued when it has
// to. The error is ErrBusy, or the cause of ctx.
func (t *turns) take(ctx context.Context, queued func()) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if t.free == nil {
		return nil
	}
	select {
	case t.free <- struct{}{}:
		return nil
	default:
	}
	if t.waiting.Add(1) > t.most {
		t.waiting.Add(-1)
		return ErrBusy
	}
	defer t.waiting.Add(-1)
	queued()
	select {
	case t.free <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t *turns) leave() {
	if t.free != nil {
		<-t.free
	}
}
