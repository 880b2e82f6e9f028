package durable_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
)

// What a newer version wrote is refused, and says so, before anything is done.
func TestJournalsOfANewerVersion(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../testdata/journals/newer")))
	st, err := store.Files(dir, nil)
	require.NoError(t, err)
	for _, run := range []string{"file", "records"} {
		_, err := durable.Open(t.Context(), untouched(t, nil), st, run, &durable.Options{Existing: true})
		require.ErrorIs(t, err, store.ErrVersion)
		assert.ErrorContains(t, err, fmt.Sprintf("run %q", run))
		assert.ErrorContains(t, err, "use a newer version of the program")
		_, err = durable.Replay(t.Context(), untouched(t, nil), st, run, nil)
		require.ErrorIs(t, err, store.ErrVersion)
		_, err = durable.Look(t.Context(), st, run)
		require.ErrorIs(t, err, store.ErrVersion)
		_, err = durable.Answer(t.Context(), st, run, "1", people.Answer{})
		require.ErrorIs(t, err, store.ErrVersion)
		require.ErrorIs(t, durable.Fork(t.Context(), st, run, store.Memory(), "as", durable.Change{}), store.ErrVersion)
	}
}
