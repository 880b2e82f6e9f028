// Package postgres starts servers of PostgreSQL for tests and for programs that test: each with
// a folder of its own, listening on a socket in it only, with fsync on, as far from the
// clusters of the system as can be. internal/lab/realparts/install.sh installs PostgreSQL.
//
//	server, err := postgres.Start(ctx, "")
//	if err != nil {
//		return err
//	}
//	defer server.Stop()
//	db, err := sql.Open("pgx", server.DSN(""))
package postgres
