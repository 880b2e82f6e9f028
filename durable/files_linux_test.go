package durable_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// A run has its journal and its lock open while it is driven, and nothing while it waits, has ended, or is lost.
func TestRunsThatWaitHaveNoFileOpen(t *testing.T) {
	dir := t.TempDir()
	files, err := store.Files(dir)
	require.NoError(t, err)
	for i := range sample.Of(300, 20) {
		for want, do := range map[error]errand{
			round.ErrSuspended: asks(people.Later()),
			nil:                finishes,
		} {
			s, err := durable.Open(t.Context(), newClerk(func(ctx context.Context, c *clerk) (fsm.Status, error) {
				assert.Equal(t, 1, openFiles(t, dir))
				return do(ctx, c)
			}), files, fmt.Sprint(want, i), nil)
			require.NoError(t, err)
			_, err = s.Run(t.Context(), "go")
			require.ErrorIs(t, err, want)
			require.Zero(t, openFiles(t, dir), want)
		}
	}
}

// Somebody deletes the journal of a run that is driven: nothing more is done.
func TestTheJournalOfADriverIsDeleted(t *testing.T) {
	dir := t.TempDir()
	files, err := store.Files(dir)
	require.NoError(t, err)
	y := newTally(t)
	y.store.Store = files
	_, err = y.begin(func(ctx context.Context, c *clerk) (fsm.Status, error) {
		if c.N++; c.N == 3 {
			require.NoError(t, os.Remove(files.File("run")))
		}
		_, err := y.act(ctx, fmt.Sprint("pay ", c.N))
		return fsm.Continue, err
	}).Run(t.Context(), "go")
	require.ErrorIs(t, err, round.ErrLost)
	require.ErrorIs(t, err, store.ErrConflict)
	assert.Equal(t, map[string]int{"pay 1": 1, "pay 2": 1}, y.done)
	assert.Zero(t, openFiles(t, dir))
	_, err = os.Stat(files.File("run"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// openFiles counts the open files in a folder, also those that were deleted since.
func openFiles(t *testing.T, dir string) (count int) {
	t.Helper()
	const all = "/proc/self/fd"
	list, err := os.ReadDir(all)
	require.NoError(t, err)
	for _, fd := range list {
		if path, err := os.Readlink(filepath.Join(all, fd.Name())); err == nil && strings.HasPrefix(path, dir+"/") {
			count++
		}
	}
	return count
}
