package round_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// A step has what was repaired in the replies of its calls, without secrets.
func TestStepHasRepairs(t *testing.T) {
	steps, err := observe(t, keeper("hunter2", func(ctx context.Context) error {
		trace.From(ctx).Repaired([]llm.Repair{{Kind: repair.Comma, Where: "byte 7", Count: 2}, {Kind: repair.Unknown, Where: "Args.hunter2", Count: 1}})
		return errBang
	}))
	require.ErrorIs(t, err, errBang)
	require.Len(t, steps[0].Repairs, 2)
	assert.Equal(t, llm.Repair{Kind: repair.Comma, Where: "byte 7", Count: 2}, steps[0].Repairs[0])
	assert.Equal(t, "Args.***", steps[0].Repairs[1].Where)
	raw, err := json.Marshal(steps[0])
	require.NoError(t, err)
	assert.Contains(t, string(raw), `"repairs":[{"kind":"trailing comma","where":"byte 7","count":2},{"kind":"unknown name",`)
}

// Without repairs there is no word of them, and nobody is no reader.
func TestStepWithoutRepairs(t *testing.T) {
	steps, err := observe(t, newPuppet("A", fsm.Finish))
	require.NoError(t, err)
	for _, step := range steps {
		raw, err := json.Marshal(step)
		require.NoError(t, err)
		assert.NotContains(t, string(raw), "repairs")
	}
	a := newPuppet("A", fsm.Finish)
	a.do = func(ctx context.Context) error {
		assert.False(t, trace.From(ctx).Timed())
		trace.From(ctx).Repaired([]llm.Repair{{Kind: repair.Comma}}) // goes nowhere
		return nil
	}
	r, err := round.New(a, "go", nil)
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.NoError(t, err)
}
