package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every side does all of the workload: job.done looks.
func TestEverySideDoesTheWorkload(t *testing.T) {
	for _, side := range loops() {
		for _, w := range []workload{
			{Steps: 1}, {Steps: 12},
			{Realistic: true, Steps: 12},
			{Encoded: true, Steps: 12},
			{Realistic: true, Encoded: true, Steps: 12},
		} {
			if !side.does(w) {
				continue
			}
			j := &job{workload: w, sees: side.Sees}
			require.NoError(t, side.Run(t.Context(), j), "%s, %s", side.Name, w)
			if w.Encoded && w.Realistic {
				assert.Greater(t, j.sent, w.Steps*12*len(largeSchema), "%s: schemas of its tools were not sent", side.Name)
			}
		}
	}
}

func TestWorkSomebodyLeftOutIsFound(t *testing.T) {
	for name, bend := range map[string]func(*job) string{
		"a thought": func(j *job) string { j.thoughts--; return "done" },
		"a call":    func(j *job) string { j.calls--; return "done" },
		"sending":   func(j *job) string { j.sent = 0; return "done" },
		"the end":   func(*job) string { return "I give up" },
	} {
		j := &job{workload: workload{Steps: 3, Encoded: true}, thoughts: 3, calls: 2, sent: 10}
		require.NoError(t, j.done("done"))
		assert.ErrorIs(t, j.done(bend(j)), errOther, name)
	}
}

func TestSizesOfTheWorkload(t *testing.T) {
	w := workload{Realistic: true}
	assert.Len(t, largeSchema, 400)
	assert.InDelta(t, 4<<10, len(w.thought(5)), 60)
	assert.NotEqual(t, w.thought(5), w.thought(6))
	assert.InDelta(t, 6000, len(encoded(controls(usual.Controls))), 300)
	assert.Len(t, w.specs(), 12)
}
