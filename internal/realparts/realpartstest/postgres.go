package realpartstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/realparts/postgres"
)

// Postgres starts a server of PostgreSQL with a folder of its own, and stops it when the test
// ends.
func Postgres(t testing.TB) *postgres.Server {
	t.Helper()
	server, err := postgres.Start(t.Context(), "")
	require.NoError(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(server.Log())
		}
		require.NoError(t, server.Stop())
	})
	return server
}
