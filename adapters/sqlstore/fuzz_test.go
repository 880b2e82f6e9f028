package sqlstore_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

// FuzzRoundTrip appends any bytes to a run with any id, and reads them.
func FuzzRoundTrip(f *testing.F) {
	f.Add("run", []byte("one"), []byte{})
	f.Add("a'b\"c%_\\", []byte("'; --"), []byte{0})
	f.Add("日本語 🧾", []byte{0xff, 0xfe, 0}, []byte(`\x00`))
	f.Add("", []byte(nil), []byte(nil))
	f.Add("a\x00b", []byte("x"), []byte("x"))
	f.Add("\xff", []byte("x"), []byte("x"))
	p := sqlitePlace(f)
	s := p.open(f, nil)
	db := p.pool(f)
	f.Fuzz(func(t *testing.T, run string, one, two []byte) {
		for _, table := range []string{"runs", "records"} { // what was before tells nothing
			_, err := db.ExecContext(t.Context(), "DELETE FROM agentfsm_"+table)
			require.NoError(t, err)
		}
		err := s.Append(t.Context(), run, 0, one, two)
		if store.CheckRun(run) != nil {
			require.ErrorIs(t, err, store.ErrRun)
			return
		}
		require.NoError(t, err)
		records, err := read(t, s, run)
		require.NoError(t, err)
		require.Equal(t, []string{string(one), string(two)}, records)
		for id, err := range s.Runs(t.Context()) {
			require.NoError(t, err)
			require.Equal(t, run, id)
		}
		require.NoError(t, s.AppendMarked(t.Context(), run, 2, store.Mark{Seq: 2, Data: one}))
		m, err := s.Marked(t.Context(), run)
		require.NoError(t, err)
		require.True(t, bytes.Equal(one, m.Data))
	})
}
