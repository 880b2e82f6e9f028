package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	assert.Equal(t, []position{{last: "intent", call: "x"}}, at.resumed, "a stop is no death")
	assert.Equal(t, []string{"q"}, at.waits)
	assert.Equal(t, []position{{last: "call"}}, at.died, "who left it to others did not die")
	assert.Equal(t, map[string]string{"q": "large"}, at.answers)
	require.NoError(t, st.Append(t.Context(), "run", 17, []byte("{")))
	_, err = trailOf(t.Context(), st, "run")
	require.ErrorContains(t, err, "record 18 of run")
}

func TestALogWithAGapIsNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	r := &logReader{path: path}
	_, err := r.of("a")
	require.ErrorIs(t, err, os.ErrNotExist)

	require.NoError(t, os.WriteFile(path, []byte(`{"seq":1,"run":"a","what":"call"}`+"\n"+`{"seq":2,"run":"b"`), 0o600))
	events, err := r.of("a")
	require.NoError(t, err)
	assert.Len(t, events, 1)
	events, err = r.of("b")
	require.NoError(t, err)
	assert.Empty(t, events, "half a line is no line yet")

	require.NoError(t, os.WriteFile(path, []byte(`{"seq":1,"run":"a","what":"call"}`+"\n"+`{"seq":3,"run":"b"}`+"\n"), 0o600))
	_, err = r.of("b")
	require.ErrorIs(t, err, errGap)
}
