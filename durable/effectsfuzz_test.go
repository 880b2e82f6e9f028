package durable_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// released are the records of a release, one process of which died within an effect that may be repeated, and one
// within one that may not.
func released(t testing.TB) [][]byte {
	t.Helper()
	w := newTown(t)
	w.pause = time.Millisecond
	_, died := w.lives(crash{4, true}, crash{9, false})
	require.Equal(t, 2, died)
	require.NotEmpty(t, w.uncertain)
	require.Greater(t, w.done["tag"], 1)
	var all [][]byte
	for entry, err := range w.store.Read(t.Context(), "run", 1) {
		require.NoError(t, err)
		all = append(all, entry.Data)
	}
	return all
}

// goesOn replays and goes on with what is in a journal, whatever it is: nothing panics, and nothing is done whose
// intent is not the last record.
func goesOn(t *testing.T, journal [][]byte) {
	t.Helper()
	w := newTown(t)
	require.NoError(t, w.store.Append(t.Context(), "run", 0, journal...))
	w.pause, w.quiet = -time.Hour, true
	_, err := durable.Replay(t.Context(), &release{town: w}, w.store, "run", nil)
	var panicked *round.PanicError
	require.NotErrorAs(t, err, &panicked)
	w.quiet, w.before = false, func(key string) {
		var last []byte
		for entry, err := range w.store.Read(t.Context(), "run", int64(len(journal)+1)) {
			require.NoError(t, err)
			last = entry.Data
		}
		require.Contains(t, string(last), `"kind":"effect"`)
		require.Contains(t, string(last), key)
	}
	for range 3 {
		s, err := durable.Open(t.Context(), &release{town: w}, w.store, "run", &durable.Options{Existing: true})
		if err != nil {
			require.NotErrorAs(t, err, &panicked)
			return
		}
		_, err = s.Round().Run(t.Context())
		require.NotErrorAs(t, err, &panicked)
		_, _ = durable.Answer(t.Context(), w.store, "run", "deploy", people.Answer{Approved: true})
	}
	for r, err := range durable.Records(t.Context(), w.store, "run") {
		if err == nil {
			require.NotEmpty(t, r.String())
		}
	}
	_ = durable.Fork(t.Context(), w.store, "run", w.store, "fork", durable.Change{Seq: 2})
}

func FuzzEffects(f *testing.F) {
	all := released(f)
	for n := 1; n <= len(all); n += 5 {
		f.Add(bytes.Join(all[:n], []byte("\n")))
	}
	for _, odd := range []string{
		`"timer"`, `"timer","effect":{"key":"soak"}`, `"effect","done":{"key":"tag"}`, `"done","done":{"key":"pay tests"}`,
		`"effect","effect":{"key":"tag"},"done":{"key":"tag","as":"what"}`, `"timer","timer":{"key":"soak","until":"0001-01-01T00:00:00Z"}`,
	} {
		f.Add([]byte(string(all[0]) + "\n" + `{"v":1,"kind":` + odd + `}`))
	}
	f.Fuzz(func(t *testing.T, data []byte) { goesOn(t, bytes.Split(data, []byte("\n"))) })
}

// The same with records that are JSON of the right kind, more or less.
func TestMangledEffects(t *testing.T) {
	all := released(t)
	for seed := range uint64(sample.Of(1000, 60)) {
		if list := mangled(t, rand.New(rand.NewPCG(seed, 7)), all); len(list) > 0 {
			t.Run(fmt.Sprint(seed), func(t *testing.T) { goesOn(t, list) })
		}
	}
}
