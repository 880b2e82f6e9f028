package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
)

func TestWhereAJournalEnds(t *testing.T) {
	st := store.Memory()
	at, err := trailOf(t.Context(), st, "run")
	require.NoError(t, err)
	assert.Equal(t, &trail{answers: map[string]string{}}, at)
	for i, c := range []struct {
		record string
		want   position
	}{
		{`{"v":1,"kind":"round"}`, position{last: "round"}},
		{`{"v":1,"kind":"call"}`, position{last: "call"}},
		{`{"v":1,"kind":"intent","act":{"id":"x"}}`, position{last: "intent", call: "x"}},
		{`{"v":1,"kind":"resume"}`, position{last: "intent", call: "x"}},
		{`{"v":1,"kind":"result"}`, position{last: "result"}},
		{`{"v":1,"kind":"step"}`, position{last: "result"}},
		{`{"v":1,"kind":"look","act":{"id":"y"}}`, position{last: "result"}},
		{`{"v":1,"kind":"intent","act":{"id":"z","refused":true}}`, position{last: "result"}},
		{`{"v":1,"kind":"call"}`, position{last: "call"}},
		{`{"v":1,"kind":"stop","step":{"waits":[{"id":"q"}]}}`, position{last: "call"}},
		{`{"v":1,"kind":"resume"}`, position{last: "call"}},
		{`{"v":1,"kind":"drive"}`, position{last: "call"}},
		{`{"v":1,"kind":"leave"}`, position{last: "call"}},
		{`{"v":1,"kind":"drive"}`, position{last: "call"}},
		{`{"v":1,"kind":"drive"}`, position{last: "call"}},
		{`{"v":1,"kind":"answer","answer":{"id":"q","text":"large"}}`, position{last: "answer"}},
		{`{"v":1,"kind":"end"}`, position{last: "result"}},
	} {
		require.NoError(t, st.Append(t.Context(), "run", int64(i), []byte(c.record)))
		at, err = trailOf(t.Context(), st, "run")
		require.NoError(t, err)
		assert.Equal(t, c.want, at.end, c.record)
	}
	assert.Len(t, at.kinds, 17)
	assert.Equal(t, []position{{last: "call"}}, at.died, "a driver that left it to others did not die")
	assert.Equal(t, map[string]string{"q": "large"}, at.answers)
	require.NoError(t, st.Append(t.Context(), "run", 17, []byte("{")))
	_, err = trailOf(t.Context(), st, "run")
	require.ErrorContains(t, err, "record 18 of run")
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
	assert.Contains(t, lines[1], "world: driver 1: open")
	assert.Contains(t, lines[2], `2 cancel "enough"`)
}
