package builtin_test

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
)

// A schema is kept for those who come with the same tools, and the toolbox that it was made for is not.
func TestSchemasHoldNoToolbox(t *testing.T) {
	type decision struct {
		Status   fsm.Status
		Function string
		Args     map[string]any
	}
	var boxes []weak.Pointer[desktop.Toolbox]
	for range 3 {
		box, err := desktop.NewToolbox([]desktop.Tool{{Name: "held_by_nobody"}}, nil)
		require.NoError(t, err)
		_, err = builtin.ReplySchema[decision](&builtin.Kept{}, box, []fsm.Status{fsm.Finish}, builtin.ReplyForm{})
		require.NoError(t, err)
		boxes = append(boxes, weak.Make(box))
	}
	assert.Eventually(t, func() bool {
		runtime.GC()
		for _, box := range boxes {
			if box.Value() != nil {
				return false
			}
		}
		return true
	}, 2*time.Minute, 10*time.Millisecond)
}
