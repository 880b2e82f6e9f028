package sqlstore_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
)

// envSmall names the database of a process that may not write large files.
const envSmall = "SQLSTORE_TEST_SMALL"

// A disk that has no room for the file ending in -shm is full, when SQLite is opened and later. A
// process whose files may not grow to its 32 KiB stands for it.
func TestFullWhileOpened(t *testing.T) {
	if path := os.Getenv(envSmall); path != "" {
		bytes, err := strconv.ParseUint(os.Getenv(envName), 10, 64)
		require.NoError(t, err)
		limit := syscall.Rlimit{Cur: bytes, Max: bytes}
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
		s, err := sqlstore.OpenSQLite(t.Context(), path, nil)
		if err == nil {
			err = s.Append(t.Context(), "run", 0, []byte("one"))
		}
		require.ErrorIs(t, err, sqlstore.ErrFull)
		return
	}
	for _, bytes := range []int{8_000, 20_000, 32_000} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestFullWhileOpened$")
		cmd.Env = append(os.Environ(), envSmall+"="+filepath.Join(t.TempDir(), "runs.db"), envName+"="+strconv.Itoa(bytes))
		said, err := cmd.CombinedOutput()
		require.NoError(t, err, "%d bytes: %s", bytes, strings.TrimSpace(string(said)))
	}
}
