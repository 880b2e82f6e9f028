package durable_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

func TestList(t *testing.T) {
	y := waiting(t)
	require.NoError(t, y.store.Append(t.Context(), "broken", 0, []byte("?")))
	require.NoError(t, y.store.Append(t.Context(), "new", 0, []byte(`{"v":99}`)))
	require.NoError(t, y.store.Append(t.Context(), "empty", 0, []byte(`{"v":1,"kind":"of a later version"}`)))
	got := map[string]error{}
	var waits []string
	for state, err := range durable.List(t.Context(), y.store, durable.Query{}) {
		got[state.Run] = err
		for _, q := range state.Waits {
			waits = append(waits, state.Run+": "+q.Text)
		}
	}
	require.Len(t, got, 4)
	require.ErrorIs(t, got["broken"], store.ErrDamaged)
	require.ErrorIs(t, got["new"], store.ErrVersion)
	require.NoError(t, got["empty"])
	require.NoError(t, got["run"])
	assert.Equal(t, []string{"run: q1?", "run: q2?"}, waits)
	for range durable.List(t.Context(), y.store, durable.Query{}) {
		break
	}
}

// Whatever is in a journal, it is shown or refused.
func FuzzLook(f *testing.F) {
	f.Add([]byte(`{"v":1,"kind":"step","step":{}}`))
	f.Add([]byte("{\"v\":1,\"kind\":\"round\"}\n{\"v\":1,\"kind\":\"ask\",\"ask\":{\"id\":\"1\"}}"))
	f.Add([]byte("{\"v\":1,\"kind\":\"drop\"}\n{\"v\":1,\"kind\":\"call\",\"call\":{}}"))
	yes := people.Answer{Text: "yes", Approved: true}
	f.Fuzz(func(t *testing.T, data []byte) {
		st := store.Memory()
		seq := int64(0)
		for line := range strings.SplitSeq(string(data), "\n") {
			require.NoError(t, st.Append(t.Context(), "run", seq, []byte(line)))
			seq++
		}
		for r, err := range durable.Records(t.Context(), st, "run") {
			if err == nil {
				require.NotEmpty(t, r.String())
			}
		}
		state, err := durable.Look(t.Context(), st, "run")
		if err != nil {
			return
		}
		for i, q := range state.Waits {
			_ = durable.Fork(t.Context(), st, "run", st, fmt.Sprint(i, "answer"), durable.Change{Question: q.ID, Answer: yes})
			_, err := durable.Answer(t.Context(), st, "run", q.ID, yes)
			require.NoError(t, err)
		}
		for at := range int64(5) {
			_ = durable.Fork(t.Context(), st, "run", st, fmt.Sprint(at, "anew"), durable.Change{Seq: at})
			_ = durable.Fork(t.Context(), st, "run", st, fmt.Sprint(at, "reply"), durable.Change{Seq: at, Reply: "x"})
		}
	})
}

// The Meta of a run is that of its first Open, in whatever process. One that is no JSON is refused before
// anything is recorded.
func TestMeta(t *testing.T) {
	w := newWorld(t)
	_, err := durable.Open(t.Context(), w.host(), w.store, "other", &durable.Options{Meta: json.RawMessage("{")})
	require.ErrorContains(t, err, "its Meta is no JSON")
	w.store.start(8, true)
	s, err := durable.Open(t.Context(), w.host(), w.store, "run", &durable.Options{Meta: json.RawMessage(`{"document":"report"}`)})
	require.NoError(t, err)
	assert.Nil(t, s.Round())
	_, err = s.Run(t.Context(), "make the report")
	require.ErrorIs(t, err, round.ErrLost)
	w.store.start(0, false)
	assert.NotNil(t, w.resume().Round())
	state, err := durable.Look(t.Context(), w.store, "run")
	require.NoError(t, err)
	assert.JSONEq(t, `{"document":"report"}`, string(state.Meta))
}
