package realpartstest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/lab/realparts/postgres"
)

// Postgres starts a server of PostgreSQL with a folder of its own, and stops it when the test
// ends.
func Postgres(t testing.TB) *postgres.Server {
	t.Helper()
	server := SharedPostgres(t)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(server.Log())
		}
		require.NoError(t, server.Stop())
	})
	return server
}

// SharedPostgres starts one that runs until the caller stops it, for several tests.
func SharedPostgres(t testing.TB) *postgres.Server {
	t.Helper()
	Need(t)
	server, err := postgres.Start(context.WithoutCancel(t.Context()), "")
	if errors.Is(err, postgres.ErrMissing) {
		missing(t, "%v", err)
	}
	require.NoError(t, err)
	return server
}
