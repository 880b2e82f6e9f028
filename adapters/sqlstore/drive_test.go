//go:build unix

package sqlstore_test

import (
	"fmt"
	"testing"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/internal/drive/drivetest"
	"github.com/agentfsm/agentfsm/internal/realparts/realpartstest"
)

func TestOneDrivesSQLite(t *testing.T) { oneDrives(t, sqlitePlace(t)) }

// oneDrives has goroutines and processes drive the runs of a database.
func oneDrives(t *testing.T, p *place) {
	t.Helper()
	drivetest.Run(t, drivetest.Backend{
		Store:   p.open(t, nil),
		Env:     []string{fmt.Sprintf("%s=%d", envDialect, p.dialect), envDSN + "=" + p.dsn},
		Expires: p.dialect == sqlstore.PostgreSQL,
	})
}

func TestRealOneDrivesPostgreSQL(t *testing.T) {
	realpartstest.Need(t)
	oneDrives(t, postgresPlace(t))
}
