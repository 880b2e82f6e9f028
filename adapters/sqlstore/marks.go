package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/durable/store"
)

// markRows is how many marks are read at once.
const markRows = 128

// markColumns are those of a mark, in the order in which they are read and set.
const markColumns = `mark, marked, stage, due, data`

// markValues are the columns of a mark as arguments. Times are whole microseconds: a mark is never due too early.
func markValues(m *store.Mark) []any {
	due := sql.NullInt64{Valid: !m.Due.IsZero()}
	if due.Valid {
		if due.Int64 = m.Due.UnixMicro(); time.UnixMicro(due.Int64).Before(m.Due) {
			due.Int64++
		}
	}
	return []any{m.Seq, m.At.UnixMicro(), m.Stage, due, m.Data}
}

// scanMark reads a mark behind other columns.
func scanMark(rows *sql.Rows, m *store.Mark, others ...any) error {
	var at int64
	var due sql.NullInt64
	if err := rows.Scan(append(others, &m.Seq, &at, &m.Stage, &due, &m.Data)...); err != nil {
		return err
	}
	if m.Seq != 0 {
		m.At = time.UnixMicro(at).UTC()
	}
	if due.Valid {
		m.Due = time.UnixMicro(due.Int64).UTC()
	}
	return nil
}

// Marked implements [store.Index].
func (s *Store) Marked(ctx context.Context, run string) (store.Mark, error) {
	m := store.Mark{Run: run}
	err := store.CheckRun(run)
	if err != nil {
		return m, err
	}
	if err = ended(ctx); err == nil {
		err = s.look(ctx, func() { m = store.Mark{Run: run} }, `SELECT `+markColumns+` FROM agentfsm_runs WHERE run = $1`, []any{run},
			func(rows *sql.Rows) error { return scanMark(rows, &m) })
	}
	if err != nil {
		return store.Mark{}, s.inRun(ctx, run, 1, err)
	}
	return m, nil
}

// Marks implements [store.Index]. It reads in pages, and has neither a connection nor a lock while what it yields is
// used: a mark is as it was when its page was read, and a run is yielded once.
func (s *Store) Marks(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
	return func(yield func(store.Mark, error) bool) {
		r := &marksReader{store: s, query: q, yield: yield}
		err := ended(ctx)
		for _, list := range r.lists() {
			if err == nil && !r.over {
				err = r.read(ctx, list)
			}
		}
		if err == nil && !r.over {
			err = ended(ctx)
		}
		if err != nil {
			yield(store.Mark{}, s.about(ctx, err))
		}
	}
}

// marksReader is one use of Marks.
type marksReader struct {
	store *Store
	query store.Query
	yield func(store.Mark, error) bool
	over  bool
	seen  map[string]bool // of lists in the order of time, where a run can change its place meanwhile
}

// marksList is one of those that make up what Marks yields. Its rows are found by an index.
type marksList struct {
	where func(*arguments) []string // each is a search of its own, and together they are merged
	byDue bool                      // the order, and that of the ids among those that are due at one time
	due   string                    // how a search names that
}

// arguments are those of a statement.
type arguments []any

// add adds one, and returns its name in the statement.
func (a *arguments) add(v any) string {
	*a = append(*a, v)
	return "$" + strconv.Itoa(len(*a))
}

// lists are one behind the other. What is written as a sum is not searched for: few marks are of the future, and few of those
// that are due are of another stage.
func (r *marksReader) lists() []marksList {
	const unmarked = `mark = 0`
	if !r.query.Due.IsZero() {
		return []marksList{
			{where: func(*arguments) []string { return []string{unmarked} }},
			{where: func(a *arguments) []string { return []string{`mark > 0 AND due <= ` + r.due(a) + r.stages(a)} }, byDue: true, due: `due`},
			{where: func(a *arguments) []string {
				now := r.due(a)
				return []string{`mark > 0 AND marked > ` + now + ` AND +due > ` + now + r.stages(a)}
			}, byDue: true, due: `+due`},
		}
	}
	if len(r.query.Stages) == 0 {
		return []marksList{{where: func(*arguments) []string { return []string{`TRUE`} }}}
	}
	return []marksList{{where: func(a *arguments) []string {
		where := []string{unmarked}
		for _, stage := range slices.Compact(slices.Sorted(slices.Values(r.query.Stages))) {
			if whole(stage) == stage { // else no mark has it
				where = append(where, `mark > 0 AND stage = `+a.add(stage))
			}
		}
		return where
	}}}
}

func (r *marksReader) due(a *arguments) string { return a.add(r.query.Due.UnixMicro()) }

// stages is the rest of a condition.
func (r *marksReader) stages(a *arguments) string {
	if len(r.query.Stages) == 0 {
		return ``
	}
	in := []string{`NULL`}
	for _, stage := range r.query.Stages {
		if whole(stage) == stage {
			in = append(in, a.add(stage))
		}
	}
	return ` AND stage || '' IN (` + strings.Join(in, `, `) + `)`
}

// read yields a list.
func (r *marksReader) read(ctx context.Context, list marksList) error {
	var last store.Mark
	for first := true; ; first = false {
		page, full, err := r.page(ctx, list, &last, first)
		if err != nil {
			return err
		}
		for i := range page {
			last = page[i]
			if err := ended(ctx); err != nil {
				return err
			}
			if !list.byDue && last.Run > r.query.Prefix && !strings.HasPrefix(last.Run, r.query.Prefix) {
				return nil // nor has any behind it
			}
			if !r.takes(&last, list.byDue) {
				continue
			}
			mine := page[i]
			page[i].Data = nil
			if !r.yield(mine, nil) {
				r.over = true
				return nil
			}
		}
		if !full {
			return nil
		}
	}
}

// takes reports whether a mark is to be yielded. A run that had no mark, or a later time, when it was yielded is not
// yielded once more.
func (r *marksReader) takes(m *store.Mark, byDue bool) bool {
	if !strings.HasPrefix(m.Run, r.query.Prefix) || r.query.After != "" && m.Run <= r.query.After || r.seen[m.Run] {
		return false
	}
	if byDue || !r.query.Due.IsZero() {
		if r.seen == nil {
			r.seen = map[string]bool{}
		}
		r.seen[m.Run] = true
	}
	return true
}

// search is the statement of a page of a list behind the last mark.
func (r *marksReader) search(list marksList, last *store.Mark, first bool) (query string, args arguments) {
	keys, order, sorted := `run`, `run`, `p.run`
	var behind string
	if list.byDue {
		keys, order, sorted = `due, run`, list.due+`, run`, `p.due, p.run`
	}
	switch {
	case list.byDue && !first:
		behind = `(` + order + `) > (` + args.add(last.Due.UnixMicro()) + `, ` + args.add(last.Run) + `)`
	case !first:
		behind = `run > ` + args.add(last.Run)
	case !list.byDue && r.query.Prefix > r.query.After:
		behind = `run >= ` + args.add(whole(r.query.Prefix))
	default:
		behind = `run > ` + args.add(whole(r.query.After))
	}
	limit := ` LIMIT ` + strconv.Itoa(markRows)
	var searches []string
	for _, where := range list.where(&args) {
		searches = append(searches, `SELECT * FROM (SELECT id, `+keys+` FROM agentfsm_runs WHERE `+where+` AND `+behind+` ORDER BY `+order+limit+`) s`)
	}
	return `SELECT r.run, r.mark, r.marked, r.stage, r.due, r.data FROM
		(SELECT * FROM (` + strings.Join(searches, ` UNION ALL `) + `) u ORDER BY ` + keys + limit + `) p JOIN agentfsm_runs r ON r.id = p.id ORDER BY ` + sorted, args
}

// page reads marks of a list. Full says that there may be more.
func (r *marksReader) page(ctx context.Context, list marksList, last *store.Mark, first bool) (page []store.Mark, full bool, err error) {
	query, args := r.search(list, last, first)
	bytes := 0
	err = r.store.look(ctx, func() { page, bytes = nil, 0 }, query, args, func(rows *sql.Rows) error {
		if bytes >= pageBytes {
			return errFull
		}
		var m store.Mark
		if err := scanMark(rows, &m, &m.Run); err != nil {
			return err
		}
		bytes += len(m.Data)
		page = append(page, m)
		return nil
	})
	full = len(page) == markRows
	if errors.Is(err, errFull) {
		full, err = true, nil
	}
	return page, full, err
}

// whole is the beginning of a text that a database takes: as much of it as is UTF-8 without a zero byte.
func whole(text string) string {
	for i, r := range text {
		if r == 0 {
			return text[:i]
		}
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size <= 1 {
			return text[:i]
		}
	}
	return text
}
