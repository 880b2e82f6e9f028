package scenarios_test

import (
	"testing"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

// Nothing of a refused reply counts, its plan neither: the next one may do without.
func TestPlan_OfARefusedReply(t *testing.T) {
	s := onStage(t, withPlan(assign("0", "b"), planOfTwo), finish("done"))
	res, err := s.run("draw it")
	require.NoError(t, err)
	assert.Equal(t, 2, res.Calls, "FINISH is not held to the plan that was refused")
	assert.Contains(t, prompt[string](s, 1, "last_error"), "nothing of this reply counts: write its Plan again")
	assert.Empty(t, planOf(s.Host))
	assert.Empty(t, planOnBoard(t, s.Host.Board()))
}

// What was repaired is in the record also of a reply that could not be read to
// its end.
func TestReplies_RepairedAndUnreadable(t *testing.T) {
	s := onStage(t, "So:\n{'Status': 'FINISH',} or {'Status': 'CONTINUE'}", status(fsm.Finish))
	_, err := s.run("do it")
	require.NoError(t, err)
	assert.Contains(t, prompt[string](s, 1, "last_error"), "a second object, different from the first")
	kinds := repairsOf(s.Steps[0])
	assert.Contains(t, kinds, repair.Comma)
	assert.Contains(t, kinds, repair.Single)
}
