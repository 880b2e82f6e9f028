//go:build unix

package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

// planted are the ways in which another user of the machine puts a file into a folder of the store.
func planted(t *testing.T) map[string]func(path string) error {
	t.Helper()
	secret := filepath.Join(t.TempDir(), "secret")
	save(t, secret, []byte("mine"))
	plants := map[string]func(path string) error{
		"fifo":            func(path string) error { return syscall.Mkfifo(path, 0o666) },
		"folder":          func(path string) error { return os.Mkdir(path, 0o777) },
		"link to a file":  func(path string) error { return os.Symlink(secret, path) },
		"second name":     func(path string) error { return os.Link(secret, path) },
		"endless link":    func(path string) error { return os.Symlink("/dev/zero", path) },
		"link to nothing": func(path string) error { return os.Symlink(secret+" is not here", path) },
	}
	if os.Geteuid() == 0 { // nobody else can give files away, and tests of internal/ownfile do without
		plants["file of another user"] = func(path string) error {
			text, err := os.ReadFile(path)
			if err != nil && !os.IsNotExist(err) {
				return err
			}
			return cmpErr(os.WriteFile(path, text, 0o600), os.Lchown(path, 65534, 65534))
		}
	}
	return plants
}

func cmpErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// A file that somebody else has planted keeps one run from being used, and says so, or counts for nothing. It stops no call, and
// no other run.
func TestPlantedFiles(t *testing.T) {
	for _, suffix := range []string{"journal", "mark", "lock"} {
		for name, plant := range planted(t) {
			t.Run(suffix+", "+name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				s := files(t, dir)
				mark := store.Mark{Seq: 1, Stage: "ready", Data: []byte("data")}
				for _, run := range []string{"a", "victim", "z"} {
					require.NoError(t, s.AppendMarked(t.Context(), run, 0, mark, []byte("one")))
				}
				path := filepath.Join(dir, "run-victim."+suffix)
				if name != "file of another user" {
					require.NoError(t, removeIfThere(path))
				}
				require.NoError(t, plant(path))

				s = files(t, dir) // of a process that knows nothing of its end
				refused := suffix == "journal"
				check := func(what string, err error, refused bool) {
					if !refused {
						require.NoError(t, err, what)
						return
					}
					damage := &store.DamageError{}
					require.ErrorAs(t, err, &damage, what)
					assert.Equal(t, "victim", damage.Run)
					assert.Contains(t, err.Error(), path, what)
				}
				within(t, func(ctx context.Context) {
					_, err := read(t, s, "victim")
					check("read", err, refused)
					m, err := s.Marked(ctx, "victim")
					check("marked", err, refused)
					assert.Equal(t, suffix == "lock", m.Seq == 1, "a mark that is not ours counts for nothing")
					hold, err := s.Drive(ctx, "victim", false)
					check("drive", err, suffix == "lock")
					if err == nil {
						require.NoError(t, hold.Release(ctx))
					}
					check("append", s.AppendMarked(ctx, "victim", 1, store.Mark{Seq: 2}, []byte("two")), refused)
					seen := map[string]int64{}
					for m, err := range s.Marks(ctx, store.Query{}) {
						require.NoError(t, err)
						seen[m.Run] = m.Seq
					}
					assert.EqualValues(t, 1, seen["a"])
					assert.EqualValues(t, 1, seen["z"])
					hold, err = s.Drive(ctx, "z", false)
					require.NoError(t, err)
					require.NoError(t, s.Append(ctx, "z", 1, []byte("two")))
					require.NoError(t, hold.Release(ctx))
				})
				entries, err := os.ReadDir(dir)
				require.NoError(t, err)
				for _, e := range entries {
					assert.NotContains(t, e.Name(), "not here")
				}
			})
		}
	}
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

// within fails the test where calls hang, also past their context.
func within(t *testing.T, calls func(ctx context.Context)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		calls(ctx)
	}()
	select {
	case failed := <-done:
		if failed != nil {
			panic(fmt.Sprint(failed))
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("a call hangs, past its context")
	}
}

// A mark that is larger than any that is written counts for nothing, and is not read.
func TestMarkTooLarge(t *testing.T) {
	dir := t.TempDir()
	s := files(t, dir)
	require.NoError(t, s.AppendMarked(t.Context(), "r", 0, store.Mark{Seq: 1}, []byte("one")))
	require.NoError(t, os.Truncate(filepath.Join(dir, "run-r.mark"), 1<<40))
	m, err := s.Marked(t.Context(), "r")
	require.NoError(t, err)
	assert.Zero(t, m.Seq)
	require.NoError(t, s.AppendMarked(t.Context(), "r", 1, store.Mark{Seq: 2}, []byte("two")))
	m, err = s.Marked(t.Context(), "r")
	require.NoError(t, err)
	assert.EqualValues(t, 2, m.Seq)
}
