package mcp

import (
	"bytes"
	"io"
	"net/http"
	"sync"
	"time"
)

// cancelled is the message that tells a server that nobody waits for an answer
// any more.
const cancelled = "notifications/cancelled"

// isCancel reports whether a request carries that message.
func isCancel(req *http.Request) bool {
	const small = 4096 // it has an id and a reason
	if req.GetBody == nil || req.ContentLength > small {
		return false
	}
	body, err := req.GetBody()
	if err != nil {
		return false
	}
	text, err := io.ReadAll(body)
	return err == nil && bytes.Contains(text, []byte(`"method":"`+cancelled+`"`))
}

// cancels counts what is cancelled. The SDK tells the server in the background,
// and no more once the session is being closed: a server would go on with a call
// that was cancelled just before.
type cancels struct {
	mu      sync.Mutex
	watched bool // whoever writes calls sent
	open    int
	none    chan struct{} // closed when open is 0; nil when nobody waits
}

func (c *cancels) watch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watched = true
}

// expect says that a call was cancelled.
func (c *cancels) expect() { c.add(1) }

// sent says that a server was told, or cannot be.
func (c *cancels) sent() { c.add(-1) }

func (c *cancels) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open += n
	if c.open <= 0 && c.none != nil {
		close(c.none)
		c.none = nil
	}
}

// wait waits until the server was told of everything, for limit at most.
func (c *cancels) wait(limit time.Duration) {
	c.mu.Lock()
	if !c.watched || c.open <= 0 {
		c.mu.Unlock()
		return
	}
	none := make(chan struct{})
	c.none = none
	c.mu.Unlock()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-none:
	case <-timer.C:
	}
}
