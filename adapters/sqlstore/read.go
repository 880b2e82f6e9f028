package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"github.com/agentfsm/agentfsm/durable/store"
)

// How much is read at once: so many rows, or so many bytes, and always one row. What was
// read is given to the caller without a connection.
const (
	pageRows  = 256
	pageBytes = 1 << 20
)

// Read implements [store.Store]. It yields what was there when it was called, in pages of some records each. No
// connection and no lock is held while they are used. When the run is deleted meanwhile the error is [ErrDeleted].
func (s *Store) Read(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		if err := store.CheckRun(run); err != nil {
			yield(store.Entry{}, err)
			return
		}
		next := max(from, 1)
		if err := s.read(ctx, run, &next, func(e store.Entry) bool { return yield(e, nil) }); err != nil {
			yield(store.Entry{}, s.inRun(ctx, run, next, err))
		}
	}
}

// read yields the records from next on, which it moves on.
func (s *Store) read(ctx context.Context, run string, next *int64, yield func(store.Entry) bool) error {
	if err := ended(ctx); err != nil {
		return err
	}
	last, id, err := s.last(ctx, run)
	if err != nil {
		return err
	}
	for *next <= last {
		page, err := s.page(ctx, run, id, *next, last)
		for _, e := range page {
			if err := ended(ctx); err != nil {
				return err
			}
			*next = e.Seq + 1
			if !yield(e) {
				return nil
			}
		}
		if errors.Is(err, store.ErrDamaged) {
			// A run that is begun anew under the id has another number.
			if _, now, lost := s.last(ctx, run); lost == nil && now != id {
				return ErrDeleted
			}
		}
		if err != nil {
			return err
		}
	}
	return ended(ctx)
}

// The statements that read a page. That of PostgreSQL bounds its bytes itself, since the
// driver reads what a statement yields to the end.
const (
	sqlitePage   = `SELECT seq, sum, data FROM agentfsm_records WHERE run = $1 AND seq >= $2 AND seq <= $3 ORDER BY seq LIMIT $4`
	postgresPage = `SELECT seq, sum, data FROM (
			SELECT seq, sum, data, SUM(octet_length(data)) OVER (ORDER BY seq) AS bytes FROM agentfsm_records
			WHERE run = $1 AND seq >= $2 AND seq <= $3 ORDER BY seq LIMIT $4) page
		WHERE bytes <= $5 OR seq = $2 ORDER BY seq`
)

// errFull ends a page.
var errFull = errors.New("sqlstore: the page is full")

// page reads some of the records from a seq to another, at least one of them. With an error it returns those before it.
func (s *Store) page(ctx context.Context, run string, id, from, to int64) (page []store.Entry, err error) {
	query, args := sqlitePage, []any{id, from, to, pageRows}
	if s.dialect == postgresDialect {
		query, args = postgresPage, append(args, pageBytes)
	}
	bytes := 0
	begin := func() { page, bytes = nil, 0 }
	err = s.look(ctx, begin, query, args, func(rows *sql.Rows) error {
		if bytes >= pageBytes {
			return errFull
		}
		var e store.Entry
		var sum int64
		if err := rows.Scan(&e.Seq, &sum, &e.Data); err != nil {
			return err
		}
		want := from + int64(len(page))
		if e.Seq != want {
			return &store.DamageError{Run: run, Seq: want, Reason: s.name + " does not have it"}
		}
		if checksum(run, e.Seq, e.Data) != sum {
			return &store.DamageError{Run: run, Seq: want, Reason: "its data does not have its checksum in " + s.name}
		}
		bytes += len(e.Data)
		page = append(page, e)
		return nil
	})
	if errors.Is(err, errFull) {
		err = nil
	}
	if err == nil && len(page) == 0 {
		err = &store.DamageError{Run: run, Seq: from, Reason: fmt.Sprintf("%s does not have it, and should have %d", s.name, to)}
	}
	return page, err
}

// Runs implements [store.Store].
func (s *Store) Runs(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for after := ""; ; {
			var runs []string
			err := ended(ctx)
			if err == nil {
				err = s.look(ctx, func() { runs = nil }, `SELECT run FROM agentfsm_runs WHERE run > $1 ORDER BY run LIMIT $2`, []any{after, pageRows},
					func(rows *sql.Rows) error {
						var run string
						if err := rows.Scan(&run); err != nil {
							return err
						}
						runs = append(runs, run)
						return nil
					})
			}
			if err != nil {
				yield("", s.about(ctx, err))
				return
			}
			for _, run := range runs {
				if err := ended(ctx); err != nil {
					yield("", s.about(ctx, err))
					return
				}
				if !yield(run, nil) {
					return
				}
				after = run
			}
			if len(runs) < pageRows {
				return
			}
		}
	}
}
