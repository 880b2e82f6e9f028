//go:build unix

package sqlstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/internal/drive/drivetest"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

func TestOneDrivesSQLite(t *testing.T) { oneDrives(t, sqlitePlace(t)) }

// oneDrives has goroutines and processes drive the runs of a database.
func oneDrives(t *testing.T, p *place) {
	t.Helper()
	drivetest.Run(t, drivetest.Backend{
		Store:   p.open(t, nil),
		Env:     []string{envDriver + "=" + p.driver, envDSN + "=" + p.dsn},
		Expires: p.driver == "pgx",
	})
}

func TestRealOneDrivesPostgreSQL(t *testing.T) {
	realpartstest.Need(t)
	oneDrives(t, postgresPlace(t))
}

// Whoever waits for the run of a driver that died learns of it within five seconds, and a
// driver that is alive extends its lease several times before that.
func TestADeadDriverIsNoticedInTime(t *testing.T) {
	assert.LessOrEqual(t, sqlstore.DriveTTL, 5*time.Second)
	assert.GreaterOrEqual(t, sqlstore.DriveTTL, 3*sqlstore.DriveBeat)
}
