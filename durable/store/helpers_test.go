package store_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

// files opens a store in a folder, as a process does that has just been started.
func files(t testing.TB, dir string) *store.FileStore {
	t.Helper()
	s, err := store.Files(dir)
	require.NoError(t, err)
	return s
}

// read returns what can be read of a run, and how that ended.
func read(t testing.TB, s store.Store, run string) (records []string, err error) {
	t.Helper()
	for e, err := range s.Read(t.Context(), run, 1) {
		if err != nil {
			require.Zero(t, e)
			return records, err
		}
		records = append(records, string(e.Data))
		require.EqualValues(t, len(records), e.Seq)
	}
	return records, nil
}

// bytesOf turns texts into records.
func bytesOf(texts ...string) [][]byte {
	var records [][]byte
	for _, text := range texts {
		records = append(records, []byte(text))
	}
	return records
}

func load(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return text
}

func save(t testing.TB, path string, text []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, text, 0o600))
}
