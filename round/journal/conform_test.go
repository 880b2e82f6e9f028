package journal_test

import (
	"path/filepath"
	"testing"

	"github.com/agentfsm/agentfsm/round/journal"
	"github.com/agentfsm/agentfsm/round/roundtest"
)

func TestMemoryConforms(t *testing.T) {
	roundtest.RunStore(t, roundtest.Backend{
		New:    func(testing.TB) journal.Store { return journal.Memory() },
		Reopen: func(_ testing.TB, s journal.Store) journal.Store { return s }, // while the process lives
	})
}

func TestFilesConform(t *testing.T) {
	roundtest.RunStore(t, roundtest.Backend{
		New: func(t testing.TB) journal.Store { return files(t, t.TempDir()) },
		Reopen: func(t testing.TB, s journal.Store) journal.Store {
			return files(t, filepath.Dir(s.(*journal.FileStore).File("any")))
		},
	})
}
