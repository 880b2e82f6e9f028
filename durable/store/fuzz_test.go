package store_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

// FuzzFile reads any bytes as the file of a run. Whatever is yielded was written with its
// checksums, and what can be appended to can be read afterwards.
func FuzzFile(f *testing.F) {
	dir, ends := three(f, "four", "")
	whole := load(f, files(f, dir).File("r"))
	f.Add([]byte{})
	f.Add(whole)
	f.Add(whole[:ends[1]])
	f.Add(whole[:ends[2]-30])
	f.Add(append(bytes.Clone(whole), make([]byte, 1000)...))
	f.Add(append(bytes.Clone(whole), appended(6, "six")...))
	f.Add(append(bytes.Clone(whole), line(6, 6, 7, "six")...))
	f.Add([]byte("agentfsm journal 9 \n"))
	f.Add(bytes.Replace(whole, []byte("two"), []byte("TWO"), 1))
	s := files(f, f.TempDir())
	f.Fuzz(func(t *testing.T, text []byte) {
		save(t, s.File("r"), text)
		records, err := read(t, s, "r")
		var damage *store.DamageError
		switch {
		case errors.As(err, &damage):
			require.GreaterOrEqual(t, damage.Offset, int64(0))
			require.Less(t, damage.Offset, int64(max(1, len(text))))
		case errors.Is(err, store.ErrVersion):
			require.Empty(t, records)
		default:
			require.NoError(t, err)
		}
		at, first := 0, 1
		for i, record := range records {
			found := false
			for last := i + 1; last <= len(records) && !found; last++ {
				for begin := first; begin <= i+1 && !found; begin++ {
					want := line(i+1, begin, last, record)
					if n := bytes.Index(text[at:], want); n >= 0 {
						at += n + len(want)
						found = true
					}
				}
			}
			require.True(t, found, "record %d was not written so", i+1)
		}
		appendErr := s.Append(t.Context(), "r", int64(len(records)), []byte("new"))
		if err != nil {
			require.Error(t, appendErr)
			require.Equal(t, text, load(t, s.File("r")))
			return
		}
		require.NoError(t, appendErr)
		again, err := read(t, s, "r")
		require.NoError(t, err)
		require.Equal(t, append(records, "new"), again)
	})
}
