package sqlstore_test

import (
	"testing"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/durable/store/storetest"
)

func TestSQLiteConforms(t *testing.T) { conforms(t, sqlitePlace) }

func conforms(t *testing.T, newPlace func(testing.TB) *place) {
	t.Helper()
	places := map[store.Store]*place{}
	open := func(t testing.TB, p *place) store.Store {
		t.Helper()
		s := p.open(t, nil)
		places[s] = p
		return s
	}
	storetest.Run(t, storetest.Backend{
		New:    func(t testing.TB) store.Store { return open(t, newPlace(t)) },
		Reopen: func(t testing.TB, s store.Store) store.Store { return open(t, places[s]) },
	})
}
