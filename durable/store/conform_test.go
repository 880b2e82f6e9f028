package store_test

import (
	"path/filepath"
	"testing"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/durable/store/storetest"
)

func TestMemoryConforms(t *testing.T) {
	storetest.Run(t, storetest.Backend{
		New:    func(testing.TB) store.Store { return store.Memory() },
		Reopen: func(_ testing.TB, s store.Store) store.Store { return s }, // while the process lives
	})
}

func TestFilesConform(t *testing.T) {
	storetest.Run(t, storetest.Backend{
		New: func(t testing.TB) store.Store { return files(t, t.TempDir()) },
		Reopen: func(t testing.TB, s store.Store) store.Store {
			return files(t, filepath.Dir(s.(*store.FileStore).File("any")))
		},
	})
}
