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

// The states of a run in the queue. What is below waiting has a place in the index that
// Claim goes by.
const (
	stateReady = iota
	stateLeased
	stateWaiting
	stateDone
	stateAside
)

// tables are what is created, with words that differ between the databases in braces.
// They say what belongs into which column; times are microseconds since 1970.
//
// A record has the number of its Append, which is random: an Append whose outcome was not
// known finds out by it whether the records are its own.
var tables = []string{
	`CREATE TABLE agentfsm_schema (version {int} NOT NULL)`,
	`CREATE TABLE agentfsm_runs (
		id {id},
		run {text} NOT NULL UNIQUE,
		last {int} NOT NULL)`,
	`CREATE TABLE agentfsm_records (
		run {int} NOT NULL,
		seq {int} NOT NULL,
		batch {int} NOT NULL,
		sum {int} NOT NULL,
		data {bytes} NOT NULL,
		PRIMARY KEY (run, seq))`,
	`CREATE TABLE agentfsm_queue (
		id {id},
		run {text} NOT NULL UNIQUE,
		payload {bytes} NOT NULL,
		state {int} NOT NULL,
		free {int} NOT NULL,
		added {int} NOT NULL,
		wakes {int} NOT NULL DEFAULT 0,
		tries {int} NOT NULL DEFAULT 0,
		token {int} NOT NULL DEFAULT 0,
		worker {text} NOT NULL DEFAULT '',
		failure {text} NOT NULL DEFAULT '')`,
	`CREATE INDEX agentfsm_queue_ready ON agentfsm_queue (free, id) WHERE state <= 1`,
	`INSERT INTO agentfsm_schema (version) VALUES (1)`,
}

// drives is the table of who drives which run. SQLite has locks instead.
const drives = `CREATE TABLE agentfsm_drives (
		run {text} NOT NULL PRIMARY KEY,
		token {int} NOT NULL,
		free {int} NOT NULL,
		driver {text} NOT NULL,
		taken {int} NOT NULL)`

var words = map[Dialect]*strings.Replacer{
	SQLite: strings.NewReplacer("{int}", "INTEGER", "{id}", "INTEGER PRIMARY KEY AUTOINCREMENT", "{text}", "TEXT COLLATE BINARY", "{bytes}", "BLOB"),
	PostgreSQL: strings.NewReplacer("{int}", "bigint", "{id}", "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
		"{text}", `text COLLATE "C"`, "{bytes}", "bytea"),
}

// migrate creates the tables, or finds out that they are there. It runs in a
// transaction that only one process is in.
func (s *Store) migrate(ctx context.Context, conn querier, there string) error {
	var n int
	if err := conn.QueryRowContext(ctx, there).Scan(&n); err != nil {
		return err
	}
	if n == 0 {
		all := tables
		if s.dialect == PostgreSQL {
			all = append(slices.Clip(tables), drives)
		}
		for _, text := range all {
			if _, err := conn.ExecContext(ctx, words[s.dialect].Replace(text)); err != nil {
				return err
			}
		}
		return nil
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
