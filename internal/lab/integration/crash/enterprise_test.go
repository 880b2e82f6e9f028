package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
)

// Of an answer whose process was killed, the journal says whether it counted.
func TestGivenTo(t *testing.T) {
	e := &enterprise{answered: map[string]map[string]string{"r": {"said": "large", "lost": "large", "killed": unsure, "too early": unsure, "another": unsure}}}
	assert.Equal(t, map[string]string{"said": "large", "lost": "large", "killed": "very large"},
		e.givenTo("r", map[string]string{"said": "large", "killed": "very large", "another": "small"}))
}

// A story has what the desktop did between the records.
func TestStory(t *testing.T) {
	st := store.Memory()
	_, err := durable.Start(t.Context(), st, "r", "make the report", nil)
	require.NoError(t, err)
	begun := time.Now()
	_, err = durable.Cancel(t.Context(), st, "r", "enough")
	require.NoError(t, err)
	lines, err := storyOf(t.Context(), st, "r", []event{{At: begun, What: evOpen, Life: 1}})
	require.NoError(t, err)
	require.Len(t, lines, 3)
	assert.Contains(t, lines[0], `1 start "make the report"`)
	assert.Contains(t, lines[1], "desktop: worker 1: open")
	assert.Contains(t, lines[2], `2 cancel "enough"`)
}
