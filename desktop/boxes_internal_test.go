package desktop

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"runtime"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAToolboxIsSharedWhileItIsHeld(t *testing.T) {
	list := func() []Tool {
		return []Tool{{Name: "shared", InputSchema: json.RawMessage(`{"type":"object"}`)}, {Name: ""}}
	}
	first := boxes.open(list())
	assert.Same(t, first, boxes.open(list()))
	assert.Len(t, first.Unusable(), 1)
	for i, change := range []func(*Tool){
		func(tool *Tool) { tool.Name = "another" },
		func(tool *Tool) { tool.Description = "another" },
		func(tool *Tool) { tool.InputSchema = json.RawMessage(`{}`) },
		func(tool *Tool) { tool.Annotations.DestructiveHint = true },
		func(tool *Tool) { tool.Origin = "another" },
		func(tool *Tool) { tool.Group = "another" },
	} {
		other := list()
		change(&other[0])
		assert.NotSame(t, first, boxes.open(other), i)
	}
	given := list()
	box := boxes.open(given)
	given[0].InputSchema[2] = 'X'
	assert.JSONEq(t, `{"type":"object"}`, string(box.Tools()[0].InputSchema), "what the caller gave is the caller's")
	runtime.KeepAlive(first)
}

func TestAToolboxThatNobodyHoldsIsForgotten(t *testing.T) {
	fresh := &shelf{seed: maphash.MakeSeed(), held: map[uint64]weak.Pointer[Toolbox]{}}
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() { fresh.open([]Tool{{Name: fmt.Sprint("tool", i)}}) })
	}
	group.Wait()
	require.Eventually(t, func() bool {
		runtime.GC()
		fresh.mu.Lock()
		defer fresh.mu.Unlock()
		return len(fresh.held) == 0
	}, 2*time.Minute, time.Millisecond)
}
