package round_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/processor"
	"github.com/agentfsm/agentfsm/round"
)

// What a step adds to the journal depends on what the step did, not on how many
// there were before it.
func TestAJournalGrowsEvenly(t *testing.T) {
	w := newWorld(t)
	w.words = 5000 / every
	agent, err := appagent.New(appagent.Config{
		Model: llm.ModelFunc(w.think), Desktop: w.desk, User: processor.UserFunc(w.answer), NoImages: true, MaxMemory: -1,
		Window: desktop.Window{ID: "2", Root: "word", Process: "report"}, Board: blackboard.New(&blackboard.Options{MaxBytes: -1}),
	})
	require.NoError(t, err)
	opts := unbounded()
	opts.MaxTransitions = -1
	opts.Journal = round.NewJournal(w.store, "run")
	var ends []int // appends at the end of each step
	opts.Observe = func(round.Step) { ends = append(ends, w.store.count) }
	r, err := round.New(agent, "write it again", opts)
	require.NoError(t, err)
	res, err := r.Run(t.Context())
	require.NoError(t, err)
	require.Greater(t, res.Transitions, w.words)

	perStep := func(from, to int) float64 {
		sum := 0
		for _, size := range w.store.bytes[ends[from]:ends[to]] {
			sum += size
		}
		return float64(sum) / float64(to-from)
	}
	few, many := perStep(10, 50), perStep(w.words-100, w.words-10)
	t.Logf("%.0f bytes a step of 50, %.0f of %d", few, many, w.words)
	assert.LessOrEqual(t, many, 1.2*few)
}
