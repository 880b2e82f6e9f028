package fsm_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

const goroutines = 64

// together runs f in many goroutines that start at the same moment.
func together(f func(i int)) {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	ready.Add(goroutines)
	for i := range goroutines {
		done.Go(func() {
			ready.Done()
			<-start
			f(i)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
}

// Constructors look up the state before them, so that the last one makes all
// of them, from whichever goroutine comes first.
func TestConcurrentLookUpsMakeEachStateOnce(t *testing.T) {
	const chain = 16
	m := fsm.NewManager[*agent]("Kind")
	name := func(i int) fsm.Status { return fsm.Status(fmt.Sprintf("S%02d", i)) }
	var made [chain]atomic.Int32
	for i := range chain {
		require.NoError(t, m.Register(name(i), func() fsm.State[*agent] {
			made[i].Add(1)
			if i > 0 {
				m.State(name(i - 1))
			}
			m.Statuses()
			return &plain{name: name(i)}
		}))
	}
	var got [goroutines][chain]fsm.State[*agent]
	together(func(g int) {
		for i := range chain {
			at := (i*7 + g) % chain // each in an order of its own
			got[g][at] = m.State(name(at))
		}
	})
	for i := range chain {
		assert.EqualValues(t, 1, made[i].Load())
		for g := range goroutines {
			assert.Same(t, m.State(name(i)), got[g][i])
		}
	}
}

func TestConcurrentRegistrationsAndLookUps(t *testing.T) {
	m := fsm.NewManager[*agent]("Kind", fsm.Edge{To: "SHARED", By: fsm.BySystem})
	var made, won atomic.Int32
	a := &agent{states: m}
	together(func(g int) {
		own := fsm.Status(fmt.Sprintf("OWN%d", g))
		err := m.Register("SHARED", func() fsm.State[*agent] { made.Add(1); return &plain{name: "SHARED"} })
		if err == nil {
			won.Add(1)
		} else {
			assert.ErrorContains(t, err, "registered already")
		}
		assert.NoError(t, m.Register(own, newPlain(own)))
		for range 50 {
			assert.NoError(t, m.Bind("SHARED").Err())
			assert.Equal(t, own, m.State(own).Name())
			assert.NoError(t, m.Bind(own).Handle(t.Context(), a))
			m.Bind("LATER") // there or not, by the moment
			assert.NoError(t, m.AddState("LATER", &plain{name: "LATER"}))
			m.StateMap()
			m.Statuses()
			m.With(fsm.Edge{From: own, To: "SHARED", By: fsm.ByUser}).Bind(own)
		}
		_ = m.Validate()
		m.Mermaid()
	})
	assert.EqualValues(t, 1, won.Load(), "one registration of a name succeeds")
	assert.GreaterOrEqual(t, made.Load(), int32(1))
	assert.Len(t, m.Statuses(), goroutines+2)
}
