package mcp

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Bounds of what a server asks before it has read the answers.
const (
	maxUnread      = 100
	maxUnreadTimes = 4 // of the bytes that one message may have
)

// unread counts the requests of a server that are not answered yet, because people or
// models are asked, or because the server does not read. It would get any number of
// goroutines here otherwise, each with a request and an answer.
type unread struct {
	most int // bytes of one message; negative: any

	mu    sync.Mutex
	sizes map[jsonrpc.ID]int
	bytes int
	over  chan struct{} // closed when there were too many
}

func newUnread(most int) *unread {
	return &unread{most: most, sizes: map[jsonrpc.ID]int{}, over: make(chan struct{})}
}

// asked counts a message of the server. The error says that it is one too many.
func (u *unread) asked(msg jsonrpc.Message) error {
	req, ok := msg.(*jsonrpc.Request)
	if !ok || !req.IsCall() {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.bytes += len(req.Params) - u.sizes[req.ID] // one id twice is refused without an answer
	u.sizes[req.ID] = len(req.Params)
	if len(u.sizes) <= maxUnread && (u.most < 0 || u.bytes <= maxUnreadTimes*u.most) {
		return nil
	}
	close(u.over) // the message is the last one that is read
	return &unreadError{}
}

// answered counts an answer that the server has got.
func (u *unread) answered(msg jsonrpc.Message) {
	res, ok := msg.(*jsonrpc.Response)
	if !ok {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.bytes -= u.sizes[res.ID]
	delete(u.sizes, res.ID)
}

// answers are those on their way to a web server, which may let each of them wait.
type answers struct {
	life  context.Context //nolint:containedctx // of the connection: its end is theirs
	end   context.CancelFunc
	over  chan struct{} // closed when there were too many
	cut   func()        // ends the connection then
	open  atomic.Int64
	first sync.Once
}

func newAnswers(life context.Context, cut func()) *answers {
	a := &answers{over: make(chan struct{}), cut: cut}
	a.life, a.end = context.WithCancel(life)
	return a
}

// begin makes a context that ends with ctx and with the connection. The error says that
// it is one answer too many.
func (a *answers) begin(ctx context.Context) (context.Context, func(), error) {
	if a.open.Add(1) > maxUnread {
		a.open.Add(-1)
		a.first.Do(func() {
			a.end()
			close(a.over)
			a.cut()
		})
		return nil, nil, &unreadError{}
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(a.life, cancel)
	return ctx, sync.OnceFunc(func() {
		stop()
		cancel()
		a.open.Add(-1)
	}), nil
}

// unreadError says that a server asked more than it may without reading the answers.
type unreadError struct{}

func (*unreadError) Error() string {
	return fmt.Sprintf("more than %d of its requests, or too long ones, were not answered yet: it asks, and does not read", maxUnread)
}
