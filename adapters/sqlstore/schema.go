package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/durable/store"
)

// schemaVersion is raised when the tables change.
const schemaVersion = 1

// tables are what is created, with words that differ between the databases in braces. They say what belongs into which
// column; times are microseconds since 1970.
//
// A record has the random number of its Append. An Append with an unknown outcome tells its own records by it. The
// columns after last are the mark of the run. The column mark is its seq, 0 for none. The column data comes last, because
// the others change more often.
var tables = []string{
	`CREATE TABLE agentfsm_schema (version {int} NOT NULL)`,
	`CREATE TABLE agentfsm_runs (
		id {id},
		run {text} NOT NULL UNIQUE,
		last {int} NOT NULL,
		mark {int} NOT NULL DEFAULT 0,
		marked {int} NOT NULL DEFAULT 0,
		stage {text} NOT NULL DEFAULT '',
		due {int},
		data {bytes})`,
	`CREATE INDEX agentfsm_runs_unmarked ON agentfsm_runs (run) WHERE mark = 0`,
	`CREATE INDEX agentfsm_runs_stage ON agentfsm_runs (stage, run) WHERE mark > 0`,
	`CREATE INDEX agentfsm_runs_due ON agentfsm_runs (due, run) WHERE mark > 0 AND due IS NOT NULL`,
	`CREATE INDEX agentfsm_runs_marked ON agentfsm_runs (marked) WHERE mark > 0`,
	`CREATE TABLE agentfsm_records (
		run {int} NOT NULL,
		seq {int} NOT NULL,
		batch {int} NOT NULL,
		sum {int} NOT NULL,
		data {bytes} NOT NULL,
		PRIMARY KEY (run, seq))`,
	`INSERT INTO agentfsm_schema (version) VALUES (1)`,
}

// drives is the table of who drives which run. SQLite has locks instead.
const drives = `CREATE TABLE agentfsm_drives (
		run {text} NOT NULL PRIMARY KEY,
		token {int} NOT NULL,
		free {int} NOT NULL,
		driver {text} NOT NULL,
		taken {int} NOT NULL)`

var words = map[dialect]*strings.Replacer{
	sqliteDialect: strings.NewReplacer("{int}", "INTEGER", "{id}", "INTEGER PRIMARY KEY AUTOINCREMENT", "{text}", "TEXT COLLATE BINARY", "{bytes}", "BLOB"),
	postgresDialect: strings.NewReplacer("{int}", "bigint", "{id}", "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
		"{text}", `text COLLATE "C"`, "{bytes}", "bytea"),
}

// createTables creates the tables if there are none. It runs in a transaction that only one process is in.
func (s *Store) createTables(ctx context.Context, conn querier, there string) error {
	var n int
	if err := conn.QueryRowContext(ctx, there).Scan(&n); err != nil {
		return err
	}
	all := tables
	if s.dialect == postgresDialect {
		all = append(slices.Clip(tables), drives)
	}
	for _, text := range all {
		if n > 0 {
			break
		}
		if _, err := conn.ExecContext(ctx, words[s.dialect].Replace(text)); err != nil {
			return err
		}
	}
	var rows, version int
	if err := conn.QueryRowContext(ctx, `SELECT COUNT(*), COALESCE(MAX(version), 0) FROM agentfsm_schema`).Scan(&rows, &version); err != nil {
		return err
	}
	switch {
	case version > schemaVersion:
		return fmt.Errorf("%w: %s has version %d, and %d is the newest that can be read: use a newer version of the program", store.ErrVersion, s.name, version, schemaVersion)
	case rows != 1 || version < 1:
		return fmt.Errorf("%w: agentfsm_schema has %d rows, and %d for a version", store.ErrDamaged, rows, version)
	}
	return nil
}
