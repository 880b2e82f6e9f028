package storetest_test

import (
	"path/filepath"
	"testing"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/durable/store/storetest"
)

// A store is done when the suite passes: in a test, t is its own.
func ExampleRun() {
	var t *testing.T

	open := func(t testing.TB, dir string) store.Store {
		s, err := store.Files(dir)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	storetest.Run(t, storetest.Backend{
		New: func(t testing.TB) store.Store { return open(t, t.TempDir()) },
		Reopen: func(t testing.TB, s store.Store) store.Store {
			return open(t, filepath.Dir(s.(*store.FileStore).File("any")))
		},
	})
}
