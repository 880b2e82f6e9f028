package hostagent_test

import (
	"context"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// While a round goes on, an agent keeps what its next prompt has, too. Of a round that ended nobody
// holds a prompt: not its Result, nor the round, nor the agents, which live on.
func TestNoPromptIsHeldAfterTheRound(t *testing.T) {
	b := newBench(t)
	replies := []string{
		`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "read it"}`,
		`{"Status": "FINISH", "Result": 1}`,
		`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "read it again"}`,
		`{"Status": "FINISH", "Result": 1}`,
		`{"Status": "FINISH", "Result": "done"}`,
	}
	var parts []weak.Pointer[llm.Part] // the first of each prompt's system message
	b.Config.NoImages = true
	b.Config.Model = llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		parts = append(parts, weak.Make(&req.Messages[0].Parts[0]))
		return &llm.Response{Text: replies[len(parts)-1]}, nil
	})
	host := b.host()
	r, err := round.New(host, "do it", nil)
	require.NoError(t, err)
	result, err := r.Run(t.Context())
	require.NoError(t, err)
	require.Len(t, parts, len(replies))
	assert.True(t, parts[0] == parts[2] && parts[2] == parts[4], "those of the host")
	assert.Equal(t, parts[1], parts[3], "those of the application, also in its next sub-task")

	assert.Eventually(t, func() bool {
		runtime.GC()
		return parts[0].Value() == nil && parts[1].Value() == nil
	}, 2*time.Minute, time.Millisecond)
	runtime.KeepAlive(host)
	runtime.KeepAlive(r)
	runtime.KeepAlive(&result)
}
