package shop_test

import (
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/shop"
)

// TestFamily follows a process whose parent ends before it.
func TestFamily(t *testing.T) {
	mark := t.TempDir()
	family := shop.NewFamily(mark)
	assert.Empty(t, family.Left())

	parent := exec.CommandContext(t.Context(), "sh", "-c", `sleep 300 & echo ready; wait`, mark)
	out, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	_, err = out.Read(make([]byte, 6)) // the child is there
	require.NoError(t, err)
	both := family.Left()
	require.Len(t, both, 2)
	assert.Equal(t, parent.Process.Pid, both[0].PID)
	assert.Equal(t, both[0].PID, both[1].Parent)

	require.NoError(t, parent.Process.Kill())
	_ = out.Close()
	_ = parent.Wait()
	left := family.Left()
	require.Len(t, left, 1, "the child has no parent any more, and is known all the same")
	assert.Equal(t, both[1].PID, left[0].PID)

	family.Kill()
	require.Eventually(t, func() bool { return len(family.Left()) == 0 }, 2*time.Minute, 10*time.Millisecond)
}
