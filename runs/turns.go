package runs

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/agentfsm/agentfsm/llm"
)

// Of a thousand runs whose models have replied, some would wait ten times as long for the processor as others: the Go
// scheduler keeps no order among so many. So a run waits for its turn behind a reply, in the order in which replies came. A
// turn ends with the next model call, or after turnTime: a Handle may wait for something else.

const turnTime = 5 * time.Millisecond

// turns are as many as the machine can use.
type turns struct{ free *semaphore.Weighted }

func newTurns() *turns { return &turns{semaphore.NewWeighted(int64(2 * runtime.GOMAXPROCS(0)))} }

// take waits for a turn, and returns what ends it. Without one, ctx is done.
func (t *turns) take(ctx context.Context) (end func()) {
	if t.free.Acquire(ctx, 1) != nil {
		return func() {}
	}
	once := sync.OnceFunc(func() { t.free.Release(1) })
	limit := time.AfterFunc(turnTime, once)
	return func() {
		limit.Stop()
		once()
	}
}

// turn is that of one drive.
type turn struct {
	of *turns

	mu  sync.Mutex
	end func()
}

// change ends the turn, and begins one that next says how to take.
func (t *turn) change(next func() func()) {
	t.mu.Lock()
	end := t.end
	t.end = nil
	t.mu.Unlock()
	if end != nil {
		end()
	}
	if next == nil {
		return
	}
	end = next()
	t.mu.Lock()
	t.end = end
	t.mu.Unlock()
}

// within has the drive wait for a turn behind each reply.
func (t *turn) within(ctx context.Context) context.Context {
	return llm.WithInterceptor(ctx, func(inner llm.Model) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			t.change(nil)
			resp, err := inner.Complete(ctx, req)
			t.change(func() func() { return t.of.take(ctx) })
			return resp, err
		})
	})
}

// places are as many as this process may drive runs at a time, whatever its engine says.
type places struct {
	free    *semaphore.Weighted
	waiting atomic.Int64
}

// take waits for a place. It is an error when ctx is done, or closed is closed, before there is one.
func (p *places) take(ctx context.Context, closed <-chan struct{}) error {
	if p.free.TryAcquire(1) {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	var watch sync.WaitGroup
	defer watch.Wait()
	defer cancel()
	watch.Go(func() {
		select {
		case <-closed:
			cancel()
		case <-ctx.Done():
		}
	})
	p.waiting.Add(1)
	defer p.waiting.Add(-1)
	return p.free.Acquire(ctx, 1)
}
