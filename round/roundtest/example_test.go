package roundtest_test

import (
	"path/filepath"
	"testing"

	"github.com/agentfsm/agentfsm/round/journal"
	"github.com/agentfsm/agentfsm/round/roundtest"
)

// A store is done when the suite passes: in a test, t is its own.
func ExampleRunStore() {
	var t *testing.T

	open := func(t testing.TB, dir string) journal.Store {
		s, err := journal.Files(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	roundtest.RunStore(t, roundtest.Backend{
		New: func(t testing.TB) journal.Store { return open(t, t.TempDir()) },
		Reopen: func(t testing.TB, s journal.Store) journal.Store {
			return open(t, filepath.Dir(s.(*journal.FileStore).File("any")))
		},
	})
}
