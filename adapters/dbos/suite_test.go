package dbos_test

import (
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/runs"
	"github.com/agentfsm/agentfsm/runs/runstest"
)

// suite gives the suite engines on one kind of database. Quiet is longer than a second: that often DBOS looks for times
// that have come, and for a queue to begin with.
func suite(database func(testing.TB) string) runstest.Backend {
	urls := map[runs.Engine]string{}
	begin := func(t testing.TB, url string) runs.Engine {
		e := open(t, url, "")
		urls[e] = url
		return e
	}
	return runstest.Backend{
		New:     func(t testing.TB) runs.Engine { return begin(t, database(t)) },
		Another: func(t testing.TB, e runs.Engine) runs.Engine { return begin(t, urls[e]) },
		Quiet:   1500 * time.Millisecond,
	}
}

func TestSQLiteConforms(t *testing.T) { runstest.RunEngine(t, suite(sqlite)) }

func TestRealPostgreSQLConforms(t *testing.T) {
	realpartstest.Need(t)
	runstest.RunEngine(t, suite(postgreSQL))
}
