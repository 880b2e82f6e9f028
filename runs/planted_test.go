//go:build unix

package runs_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/runs"
)

// A file that another user has planted in the folder of the store is a matter of one run: all others are driven, listed and
// deleted, and the service closes.
func TestPlantedPipes(t *testing.T) {
	for suffix, refused := range map[string]error{"mark": nil, "journal": store.ErrDamaged, "lock": nil} {
		t.Run(suffix, func(t *testing.T) {
			dir := t.TempDir()
			files, err := store.Files(dir)
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			w := newWorld(t, func(context.Context, *teller, int) (bool, error) { return true, nil })
			w.store = files
			for _, run := range []string{"a", "victim", "z"} {
				_, err := durable.Start(ctx, files, run, "go", nil)
				require.NoError(t, err)
			}
			path := filepath.Join(dir, "run-victim."+suffix)
			if err := os.Remove(path); !os.IsNotExist(err) {
				require.NoError(t, err)
			}
			require.NoError(t, syscall.Mkfifo(path, 0o600))

			svc := w.process(runs.Config{Poll: 10 * time.Millisecond})
			worked := make(chan error, 1)
			go func() { worked <- svc.Work(ctx) }()
			for _, run := range []string{"a", "z"} {
				for _, err := range svc.Watch(ctx, run, 0) {
					require.NoError(t, err)
				}
				assert.Equal(t, durable.Ended, w.look(run).Stage)
			}
			_, err = svc.Get(ctx, "victim")
			require.ErrorIs(t, err, refused)
			_, err = svc.Start(ctx, "victim", "go", nil)
			require.ErrorIs(t, err, refused)
			seen := map[string]error{}
			for state, err := range svc.List(ctx, durable.Query{}) {
				seen[state.Run] = err
			}
			require.Contains(t, seen, "a")
			require.Contains(t, seen, "z")
			require.NoError(t, seen["a"])
			require.NoError(t, seen["z"])
			require.NoError(t, svc.Close(ctx))
			require.Error(t, <-worked)
		})
	}
}
