package durable_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/round"
)

func TestRecords(t *testing.T) {
	o := finished(t)
	var lines []string
	seq := int64(0)
	for r, err := range durable.Records(t.Context(), o.store, "run") {
		require.NoError(t, err)
		seq++
		assert.Equal(t, seq, r.Seq)
		assert.False(t, r.At.IsZero())
		assert.Equal(t, 1, r.Round)
		line, _, _ := strings.Cut(r.String(), " ")
		require.Equal(t, fmt.Sprint(r.Seq), line)
		switch r.Kind {
		case "tools", "look", "blob", "secret":
			continue
		case "ask", "answer", "intent", "result":
			assert.NotEmpty(t, r.ID)
			lines = append(lines, fmt.Sprint(r.Step, " ", strings.ReplaceAll(r.String(), r.ID, "ID")[len(line)+1:]))
			continue
		}
		lines = append(lines, fmt.Sprint(r.Step, " ", r.String()[len(line)+1:]))
	}
	assert.Equal(t, []string{
		`1 round "send the letter"`,
		`1 call "{\"Status\":\"PENDING\",\"Questions\":[\"To whom?\",\"When?\"]}"`,
		`1 step AppAgent/word/letter:CONTINUE -> AppAgent/word/letter:PENDING`,
		`2 ask ID "To whom?"`,
		`2 ask ID "When?"`,
		`2 stop SUSPENDED at AppAgent/word/letter:PENDING`,
		`2 answer ID "Ann", approved: true`,
		`2 answer ID "Ann", approved: true`,
		`2 resume`,
		`2 step AppAgent/word/letter:PENDING -> AppAgent/word/letter:CONTINUE`,
	}, lines[:10])
	assert.Contains(t, lines, "5 intent send")
	assert.Contains(t, lines, "5 result send: success")
	assert.Equal(t, "6 end FINISH at AppAgent/word/letter:FINISH", lines[len(lines)-1])
}

func TestAll(t *testing.T) {
	o := newOffice(t)
	_, err := o.begin()
	require.ErrorIs(t, err, round.ErrSuspended)
	require.NoError(t, o.store.Append(t.Context(), "broken", 0, []byte("?")))
	require.NoError(t, o.store.Append(t.Context(), "new", 0, []byte(`{"v":99}`)))
	require.NoError(t, o.store.Append(t.Context(), "empty", 0, []byte(`{"v":1,"kind":"of a later version"}`)))
	got := map[string]error{}
	var waits []string
	for state, err := range durable.All(t.Context(), o.store) {
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
	assert.Equal(t, []string{"run: To whom?", "run: When?"}, waits)
	for range durable.All(t.Context(), o.store) {
		break
	}
}

// Whatever is in a journal, it is shown or refused.
func FuzzLook(f *testing.F) {
	f.Add([]byte(`{"v":1,"kind":"step","step":{}}`))
	f.Add([]byte("{\"v\":1,\"kind\":\"round\"}\n{\"v\":1,\"kind\":\"ask\",\"ask\":{\"id\":\"1\"}}"))
	f.Add([]byte("{\"v\":1,\"kind\":\"drop\"}\n{\"v\":1,\"kind\":\"call\",\"call\":{}}"))
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
			_ = durable.Fork(t.Context(), st, "run", st, fmt.Sprint(i, "answer"), durable.Change{Question: q.ID, Answer: answered})
			_, err := durable.Answer(t.Context(), st, "run", q.ID, answered)
			require.NoError(t, err)
		}
		for at := range int64(5) {
			_ = durable.Fork(t.Context(), st, "run", st, fmt.Sprint(at, "anew"), durable.Change{Seq: at})
			_ = durable.Fork(t.Context(), st, "run", st, fmt.Sprint(at, "reply"), durable.Change{Seq: at, Reply: "x"})
		}
	})
}
