package store_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

func TestFilesAreForTheirOwner(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := files(t, dir)
	require.NoError(t, s.Append(t.Context(), "r", 0, []byte("secret")))
	folder, err := os.Stat(dir)
	require.NoError(t, err)
	file, err := os.Stat(s.File("r"))
	require.NoError(t, err)
	if runtime.GOOS == "windows" { // which has other rights
		return
	}
	assert.Equal(t, os.FileMode(0o700), folder.Mode().Perm())
	assert.Equal(t, os.FileMode(0o600), file.Mode().Perm())
}

func TestFilesNeedsAFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	save(t, path, nil)
	for _, dir := range []string{path, filepath.Join(path, "below")} {
		_, err := store.Files(dir)
		require.Error(t, err)
		assert.True(t, strings.HasPrefix(err.Error(), "store: "), err)
	}
}

// A store keeps to its folder when the program goes to another one.
func TestRelativeFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	s := files(t, "journals")
	require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
	t.Chdir(t.TempDir())
	records, err := read(t, s, "r")
	require.NoError(t, err)
	assert.Equal(t, []string{"one"}, records)
}

func TestFileNames(t *testing.T) {
	s := files(t, t.TempDir())
	longest := strings.Repeat("Ü", 40)
	names := map[string]string{
		"order-12_b":    "run-order-12_b.journal",
		"Order":         "run-%4frder.journal",
		"con":           "run-con.journal",
		"../etc/passwd": "run-%2e%2e%2fetc%2fpasswd.journal",
		`c:\x`:          `run-c%3a%5cx.journal`,
		"a.":            "run-a%2e.journal",
		"ü":             "run-%c3%bc.journal",
		"100%":          "run-100%25.journal",
		longest:         "run-" + strings.Repeat("%c3%9c", 40) + ".journal",
	}
	var want []string
	for run, name := range names {
		assert.Equal(t, name, filepath.Base(s.File(run)))
		assert.LessOrEqual(t, len(name), 255)
		require.NoError(t, s.Append(t.Context(), run, 0, []byte(run)))
		want = append(want, run)
	}
	// What else is in the folder is left alone.
	dir := filepath.Dir(s.File("x"))
	for _, name := range []string{"run-UPPER.journal", "run-a%2E.journal", "run-%4.journal", "run-%zz.journal", "run-.journal", "run-%ff.journal", "notes.txt"} {
		save(t, filepath.Join(dir, name), make([]byte, 1000))
	}
	require.NoError(t, os.Mkdir(s.File("folder"), 0o700))
	slices.Sort(want)
	var got []string
	for run, err := range s.Runs(t.Context()) {
		require.NoError(t, err)
		got = append(got, run)
	}
	assert.Equal(t, want, got)
	for run := range names {
		records, err := read(t, s, run)
		require.NoError(t, err)
		assert.Equal(t, []string{run}, records)
	}
	require.NoError(t, os.RemoveAll(dir))
	for _, err := range s.Runs(t.Context()) {
		require.ErrorIs(t, err, os.ErrNotExist)
	}
}

func TestCheckRun(t *testing.T) {
	for _, run := range []string{"", "a\x00", "a\n", "\x7f", "\u0085", "\xff", strings.Repeat("x", 81)} {
		require.ErrorIs(t, store.CheckRun(run), store.ErrRun, "%q", run)
	}
	for _, run := range []string{"/", "a b", "日本語", "e\u0301", "שלום", "🧾", strings.Repeat("x", 80)} {
		require.NoError(t, store.CheckRun(run), "%q", run)
	}
	// Who lists runs to people shows the name that a run has.
	for _, run := range []string{" ", "a ", " a", "\u00a0", "a\u2003b", "\u202egpj.a", "a\u200bb", "a\u200fb", "\ufeffa", "\u3164", "\u2800", "a\ufe0f", "a\u2028b", "a\U000e0041"} {
		require.ErrorIs(t, store.CheckRun(run), store.ErrRun, "%+q", run)
	}
}

func TestRecordsHaveABound(t *testing.T) {
	const most = 64 << 20
	s := files(t, t.TempDir())
	require.NoError(t, s.Append(t.Context(), "r", 0, nil, make([]byte, 10)))
	err := s.Append(t.Context(), "r", 2, nil, make([]byte, most+1))
	require.ErrorIs(t, err, store.ErrTooLarge)
	var large *store.SizeError
	require.ErrorAs(t, err, &large)
	assert.Equal(t, store.SizeError{Index: 1, Size: most + 1, Max: most}, *large)
	assert.EqualError(t, err, "store: record 1 of the call has 67108865 bytes, and may have 67108864")
	records, err := read(t, s, "r")
	require.NoError(t, err)
	assert.Len(t, records, 2)
}

// A Read ends when its context does.
func TestReadIsCancelled(t *testing.T) {
	for _, s := range []store.Store{store.Memory(), files(t, t.TempDir())} {
		require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one"), []byte("two")))
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		var errs []error
		for _, err := range s.Read(ctx, "r", 1) {
			errs = append(errs, err)
			cancel(os.ErrClosed)
		}
		require.Len(t, errs, 2)
		require.NoError(t, errs[0])
		require.ErrorIs(t, errs[1], os.ErrClosed)
	}
}

// Appending costs the same however long the journal is.
func TestAppendDoesNotReadTheJournal(t *testing.T) {
	s := files(t, t.TempDir())
	data := make([]byte, 1000)
	seq := int64(0)
	cost := func() float64 {
		return testing.AllocsPerRun(20, func() {
			require.NoError(t, s.Append(t.Context(), "r", seq, data))
			seq++
		})
	}
	first := cost()
	many := make([][]byte, 5000)
	require.NoError(t, s.Append(t.Context(), "r", seq, many...))
	seq += 5000
	assert.InDelta(t, first, cost(), 20)
}
