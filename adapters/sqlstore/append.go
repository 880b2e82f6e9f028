package sqlstore

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"

	"github.com/agentfsm/agentfsm/durable/store"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum is over a record and its place, so that one in the place of another shows.
func checksum(run string, seq int64, data []byte) int64 {
	sum := crc32.Update(0, castagnoli, []byte(run))
	sum = crc32.Update(sum, castagnoli, binary.BigEndian.AppendUint64(nil, uint64(seq)))
	return int64(crc32.Update(sum, castagnoli, data))
}

// batch is one Append.
type batch struct {
	run     string
	after   int64
	number  int64 // random: tells its records from those of another one
	records [][]byte
	mark    *store.Mark // nil: it stays
}

// sums are the checksums of its records.
func (b *batch) sums() []int64 {
	sums := make([]int64, len(b.records))
	for i, data := range b.records {
		sums[i] = checksum(b.run, b.after+int64(i)+1, data)
	}
	return sums
}

// Append implements [store.Store]. It is one transaction, which is durable when Append returns nil.
//
// When the connection breaks before PostgreSQL has answered, Append asks over another one. It fails
// with [store.ErrUncertain] only when it cannot.
func (s *Store) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	return s.append(ctx, run, after, nil, records)
}

// AppendMarked implements [store.Index]. The mark is set in the transaction of the records, so it is never behind.
func (s *Store) AppendMarked(ctx context.Context, run string, after int64, mark store.Mark, records ...[]byte) error {
	return s.append(ctx, run, after, &mark, records)
}

func (s *Store) append(ctx context.Context, run string, after int64, mark *store.Mark, records [][]byte) error {
	if err := store.CheckRun(run); err != nil {
		return err
	}
	if err := ended(ctx); err != nil {
		return s.inRun(ctx, run, after+1, err)
	}
	b := &batch{run: run, after: after, number: rand.Int64(), records: make([][]byte, len(records)), mark: mark}
	total := int64(0)
	if mark != nil {
		total = int64(len(mark.Data))
	}
	for i, data := range records {
		size := int64(len(data))
		if size > maxRecord {
			return &store.SizeError{Index: i, Size: size, Max: maxRecord}
		}
		if total += size; total > maxAppend {
			return &store.SizeError{Index: i, Size: total, Max: maxAppend}
		}
		if b.records[i] = data; data == nil {
			b.records[i] = []byte{} // which is not NULL
		}
	}
	if len(records) == 0 && mark == nil || after < 0 {
		last, _, err := s.last(ctx, run)
		if err == nil && last != after {
			return &store.ConflictError{Run: run, After: after, Last: last}
		}
		return s.inRun(ctx, run, after+1, err)
	}
	var uncertain bool
	var err error
	if s.dialect == sqliteDialect {
		uncertain, err = s.sqliteWrite(ctx, func(conn *sql.Conn) error { return b.sqlite(ctx, conn) })
	} else {
		uncertain, err = s.postgresAppend(ctx, b)
	}
	return s.appendError(ctx, b, uncertain, err)
}

// appendError is how Append says what went wrong.
func (s *Store) appendError(ctx context.Context, b *batch, uncertain bool, err error) error {
	_, conflict := errors.AsType[*store.ConflictError](err)
	switch {
	case err == nil, conflict:
		return err
	case uncertain:
	case ended(ctx) != nil, isCorrupt(err):
		return s.inRun(ctx, b.run, b.after+1, err)
	case isUnique(err):
		return &store.DamageError{Run: b.run, Seq: b.after + 1, Reason: s.name + " has records behind the last one"}
	}
	err = s.explain(ctx, err)
	if uncertain {
		return fmt.Errorf("%w: run %q in %s: %w", store.ErrUncertain, b.run, s.name, err)
	}
	return fmt.Errorf("sqlstore: run %q: nothing was appended to %s: %w", b.run, s.name, err)
}

// last returns the last seq of a run, and its number in the tables. Both are 0 when it has no records.
func (s *Store) last(ctx context.Context, run string) (last, id int64, err error) {
	err = s.look(ctx, func() { last, id = 0, 0 }, `SELECT last, id FROM agentfsm_runs WHERE run = $1`, []any{run},
		func(rows *sql.Rows) error { return rows.Scan(&last, &id) })
	return last, id, err
}

// sqlite appends in a transaction.
func (b *batch) sqlite(ctx context.Context, conn *sql.Conn) error {
	// The statements are short: they need nobody who watches the context meanwhile.
	outer := ctx
	ctx = context.WithoutCancel(ctx)
	var last, id int64
	err := each(ctx, conn, `SELECT last, id FROM agentfsm_runs WHERE run = $1`, []any{b.run},
		func(rows *sql.Rows) error { return rows.Scan(&last, &id) })
	if err != nil {
		return err
	}
	if last != b.after {
		return &store.ConflictError{Run: b.run, After: b.after, Last: last}
	}
	now := b.after + int64(len(b.records))
	switch {
	case now == 0:
		return nil // what has no records has no mark
	case last == 0:
		result, err := conn.ExecContext(ctx, `INSERT INTO agentfsm_runs (run, last) VALUES ($1, $2)`, b.run, now)
		if err != nil {
			return err
		}
		if id, err = result.LastInsertId(); err != nil {
			return err
		}
	case last < now:
		if _, err := conn.ExecContext(ctx, `UPDATE agentfsm_runs SET last = $1 WHERE id = $2`, now, id); err != nil {
			return err
		}
	}
	if b.mark != nil {
		_, err := conn.ExecContext(ctx, `UPDATE agentfsm_runs SET mark = $1, marked = $2, stage = $3, due = $4, data = $5 WHERE id = $6`,
			append(markValues(b.mark), id)...)
		if err != nil || len(b.records) == 0 {
			return err
		}
	}
	const insert = `INSERT INTO agentfsm_records (run, seq, batch, sum, data) VALUES ($1, $2, $3, $4, $5)`
	sums := b.sums()
	if len(b.records) == 1 {
		_, err = conn.ExecContext(ctx, insert, id, now, b.number, sums[0], b.records[0])
		return err
	}
	statement, err := conn.PrepareContext(ctx, insert)
	if err != nil {
		return err
	}
	defer func() { _ = statement.Close() }()
	for i, data := range b.records {
		if err := ended(outer); err != nil {
			return err
		}
		if _, err := statement.ExecContext(ctx, id, b.after+int64(i)+1, b.number, sums[i], data); err != nil {
			return err
		}
	}
	return nil
}

// The statements that append. Each is a transaction, and does nothing where the run does not end
// with the seq $2, or, for the first, where it is there. The words in braces are those of a mark.
const (
	postgresRecords = ` INSERT INTO agentfsm_records (run, seq, batch, sum, data)
		SELECT head.id, $2::bigint + r.n, $3::bigint, r.sum, r.data
		FROM head CROSS JOIN unnest($4::bigint[], $5::bytea[]) WITH ORDINALITY AS r (sum, data, n)`
	postgresBegin = `WITH head AS (
		INSERT INTO agentfsm_runs (run, last{columns}) SELECT $1, $2::bigint + cardinality($4::bigint[]){values} WHERE {sync}
		ON CONFLICT (run) DO NOTHING RETURNING id)` + postgresRecords
	postgresGoOn = `WITH head AS (
		UPDATE agentfsm_runs SET last = $2::bigint + cardinality($4::bigint[]){set} WHERE run = $1 AND last = $2::bigint AND {sync}
		RETURNING id)` + postgresRecords
	// postgresMark has no records.
	postgresMark = `UPDATE agentfsm_runs SET mark = $3, marked = $4, stage = $5, due = $6, data = $7 WHERE run = $1 AND last = $2::bigint AND {sync}`
)

// The words of the statements, with a mark and without one.
var (
	postgresUnmarked = strings.NewReplacer("{columns}", "", "{values}", "", "{set}", "")
	postgresMarked   = strings.NewReplacer("{columns}", ", "+markColumns, "{values}", ", $6::bigint, $7::bigint, $8::text, $9::bigint, $10::bytea",
		"{set}", ", mark = $6, marked = $7, stage = $8, due = $9, data = $10")
)

// postgres returns the statement of the batch.
func (b *batch) postgres() (query string, args []any) {
	if len(b.records) == 0 {
		return postgresMark, append([]any{b.run, b.after}, markValues(b.mark)...)
	}
	query = postgresGoOn
	if b.after == 0 {
		query = postgresBegin
	}
	args = []any{b.run, b.after, b.number, b.sums(), b.records}
	if b.mark == nil {
		return postgresUnmarked.Replace(query), args
	}
	return postgresMarked.Replace(query), append(args, markValues(b.mark)...)
}

// postgresAppend appends with one statement. It can be run again when its outcome is not known:
// if it was executed, it does nothing any more, and the records have its number. A mark alone is set again.
func (s *Store) postgresAppend(ctx context.Context, b *batch) (uncertain bool, err error) {
	query, args := b.postgres()
	query = s.text(query)
	return s.postgresDo(ctx, true, func(conn *sql.Conn) error {
		result, err := conn.ExecContext(ctx, query, args...)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err != nil || n > 0 {
			return err
		}
		var last, number int64
		err = each(ctx, conn, `SELECT runs.last, COALESCE(records.batch, -1) FROM agentfsm_runs runs
			LEFT JOIN agentfsm_records records ON records.run = runs.id AND records.seq = $2::bigint + 1 WHERE runs.run = $1`,
			[]any{b.run, b.after}, func(rows *sql.Rows) error { return rows.Scan(&last, &number) })
		if err != nil || last > b.after && number == b.number {
			return err
		}
		if len(b.records) == 0 && last == b.after {
			return nil // what has no records has no mark
		}
		return &store.ConflictError{Run: b.run, After: b.after, Last: last}
	})
}
