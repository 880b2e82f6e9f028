package llmtest

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// cleanups is a test that only collects what is to be done at its end.
type cleanups struct {
	testing.TB

	list []func()
}

func (c *cleanups) Cleanup(f func()) { c.list = append(c.list, f) }

func (c *cleanups) end() {
	for len(c.list) > 0 {
		last := len(c.list) - 1
		f := c.list[last]
		c.list = c.list[:last]
		f()
	}
}

// A server that cannot be closed ends the test with advice, and not ten minutes later.
func TestCleanupsThatTakeTooLong(t *testing.T) {
	for took, want := range map[time.Duration]int{0: 0, tidying - 1: 0, tidying + 1: 1, 10 * time.Minute: 1} {
		synctest.Test(t, func(t *testing.T) {
			late := 0
			c := &cleanups{TB: t}
			c.Cleanup(func() { time.Sleep(time.Hour) }) // not of the Backend
			end := watchCleanups(c, tidying, func() { late++ })
			c.Cleanup(func() { time.Sleep(took) })
			end()
			time.Sleep(time.Hour) // the checks take their time
			c.end()
			synctest.Wait()
			assert.Equal(t, want, late, took)
		})
	}
}
