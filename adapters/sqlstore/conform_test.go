package sqlstore_test

import (
	"testing"

	"github.com/agentfsm/agentfsm/round/journal"
	"github.com/agentfsm/agentfsm/round/roundtest"
)

func TestSQLiteConforms(t *testing.T) { conforms(t, sqlitePlace) }

func conforms(t *testing.T, newPlace func(testing.TB) *place) {
	t.Helper()
	places := map[journal.Store]*place{}
	open := func(t testing.TB, p *place) journal.Store {
		t.Helper()
		s := p.open(t, nil)
		places[s] = p
		return s
	}
	roundtest.RunStore(t, roundtest.Backend{
		New:    func(t testing.TB) journal.Store { return open(t, newPlace(t)) },
		Reopen: func(t testing.TB, s journal.Store) journal.Store { return open(t, places[s]) },
	})
}
