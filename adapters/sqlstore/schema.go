package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/durable/store"
)

// schemaVersion is raised when the tables change.
const schemaVersion = 2

// tables are what is created, with words that differ between the databases in braces.
// They say what belongs into which column; times are microseconds since 1970.
//
// A record has the number of its Append, which is random: an Append whose outcome was not
// known finds out by it whether the records are its own. What is behind last in a run is its mark, whose seq, 0 for none,
// is mark; data is behind what is changed more often.
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
	`INSERT INTO agentfsm_schema (version) VALUES (1)`,
}

// upgrades make tables of the next version out of those of a version, 1 for the first. Journals stay as they are.
var upgrades = [][]string{{
	`ALTER TABLE agentfsm_runs ADD COLUMN mark {int} NOT NULL DEFAULT 0`,
	`ALTER TABLE agentfsm_runs ADD COLUMN marked {int} NOT NULL DEFAULT 0`,
	`ALTER TABLE agentfsm_runs ADD COLUMN stage {text} NOT NULL DEFAULT ''`,
	`ALTER TABLE agentfsm_runs ADD COLUMN due {int}`,
	`ALTER TABLE agentfsm_runs ADD COLUMN data {bytes}`,
	`CREATE INDEX agentfsm_runs_unmarked ON agentfsm_runs (run) WHERE mark = 0`,
	`CREATE INDEX agentfsm_runs_stage ON agentfsm_runs (stage, run) WHERE mark > 0`,
	`CREATE INDEX agentfsm_runs_due ON agentfsm_runs (due, run) WHERE mark > 0 AND due IS NOT NULL`,
	`CREATE INDEX agentfsm_runs_marked ON agentfsm_runs (marked) WHERE mark > 0`,
	`DROP TABLE IF EXISTS agentfsm_queue`, // what is to be driven is found by the journals
	`UPDATE agentfsm_schema SET version = 2`,
}}

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

// migrate creates the tables, or makes those that are there what they are by now. It runs in a
// transaction that only one process is in.
func (s *Store) migrate(ctx context.Context, conn querier, there string) error {
	var n int
	if err := conn.QueryRowContext(ctx, there).Scan(&n); err != nil {
		return err
	}
	do := func(all []string) error {
		for _, text := range all {
			if _, err := conn.ExecContext(ctx, words[s.dialect].Replace(text)); err != nil {
				return err
			}
		}
		return nil
	}
	if n == 0 {
		all := tables
		if s.dialect == PostgreSQL {
			all = append(slices.Clip(tables), drives)
		}
		if err := do(all); err != nil {
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
	for _, upgrade := range upgrades[version-1:] {
		if err := do(upgrade); err != nil {
			return err
		}
	}
	return nil
}
