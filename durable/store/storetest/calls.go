package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/agentfsm/agentfsm/durable/store"
)

// problems collects what a check finds.
type problems []string

func (p *problems) add(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

// put adds a sentence unless it is empty, and reports whether it did.
func (p *problems) put(problem string) bool {
	if problem != "" {
		*p = append(*p, problem)
	}
	return problem != ""
}

// write appends copies of what must be taken.
func (s *subject) write(st store.Store, run string, after int64, records ...[]byte) string {
	records = slices.Clone(records)
	for i := range records {
		records[i] = bytes.Clone(records[i])
	}
	return s.writeOwn(st, run, after, records...)
}

func (s *subject) writeOwn(st store.Store, run string, after int64, records ...[]byte) string {
	if err := st.Append(s.ctx(), run, after, records...); err != nil {
		return fmt.Sprintf("Append of %d records to %s after record %d fails: %v", len(records), name(run), after, err)
	}
	return ""
}

// read reads a run from a seq on, and finds what no Read may do.
func (s *subject) read(ctx context.Context, st store.Store, run string, from int64) (records [][]byte, problem string, err error) {
	what := fmt.Sprintf("Read of %s from %d", name(run), from)
	sequence := st.Read(ctx, run, from)
	if sequence == nil {
		return nil, what + " returns nil", nil
	}
	next := max(from, 1)
	for e, end := range sequence {
		switch {
		case err != nil:
			return nil, what + " goes on behind an error", err
		case end != nil:
			err = end
			if e.Seq != 0 || e.Data != nil {
				return nil, what + " yields an Entry with an error", err
			}
			continue
		case e.Seq != next:
			return nil, fmt.Sprintf("%s yields record %d where %d comes next", what, e.Seq, next), nil
		}
		records = append(records, e.Data)
		next++
	}
	return records, "", err
}

// expect reads a run and compares it.
func (s *subject) expect(st store.Store, run string, from int64, want ...[]byte) string {
	got, problem, err := s.read(s.ctx(), st, run, from)
	switch {
	case problem != "":
		return problem
	case err != nil:
		return fmt.Sprintf("Read of %s fails: %v", name(run), err)
	case len(got) != len(want):
		return fmt.Sprintf("Read of %s from %d yields %d records, not %d", name(run), from, len(got), len(want))
	}
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			return fmt.Sprintf("record %d of %s is %s, and %s was appended", max(from, 1)+int64(i), name(run), excerpt(got[i]), excerpt(want[i]))
		}
	}
	return ""
}

// runs lists the runs.
func (s *subject) runs(ctx context.Context, st store.Store) (runs []string, problem string, err error) {
	sequence := st.Runs(ctx)
	if sequence == nil {
		return nil, "Runs returns nil", nil
	}
	for run, end := range sequence {
		switch {
		case err != nil:
			return nil, "Runs goes on behind an error", err
		case end != nil:
			err = end
		default:
			runs = append(runs, run)
		}
	}
	return runs, "", err
}

// expectRuns lists the runs and compares them.
func (s *subject) expectRuns(st store.Store, want ...string) string {
	got, problem, err := s.runs(s.ctx(), st)
	switch {
	case problem != "":
		return problem
	case err != nil:
		return fmt.Sprintf("Runs fails: %v", err)
	case slices.Equal(got, want):
		return ""
	}
	sorted := slices.Sorted(slices.Values(got))
	if slices.Equal(sorted, want) {
		return fmt.Sprintf("Runs yields %q, which is not the order of their bytes: %q", got, want)
	}
	return fmt.Sprintf("Runs yields %q, and the runs with records are %q", got, want)
}

// expectConflict appends what must be refused.
func (s *subject) expectConflict(st store.Store, run string, after, last int64, records ...[]byte) string {
	what := fmt.Sprintf("Append after record %d of %s, which has %d", after, name(run), last)
	err := st.Append(s.ctx(), run, after, records...)
	var conflict *store.ConflictError
	switch {
	case err == nil:
		return what + ", succeeds"
	case !errors.As(err, &conflict):
		return fmt.Sprintf("%s, fails without a *store.ConflictError: %v", what, err)
	case *conflict != store.ConflictError{Run: run, After: after, Last: last}:
		return fmt.Sprintf("%s, fails with %+v", what, *conflict)
	}
	return ""
}

// begin reads one, and no more.
func begin[T any](sequence iter.Seq2[T, error]) error {
	for _, err := range sequence {
		return err
	}
	return nil
}

// failed is the problem that a call should not have had.
func failed(call string, err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprintf("%s fails: %v", call, err)
}

func name(run string) string { return fmt.Sprintf("run %q", run) }

// excerpt shows the beginning of a record.
func excerpt(data []byte) string {
	if len(data) > 40 {
		return fmt.Sprintf("%q… (%d bytes)", data[:40], len(data))
	}
	return fmt.Sprintf("%q", data)
}

// texts turns texts into records.
func texts(list ...string) [][]byte {
	var records [][]byte
	for _, text := range list {
		records = append(records, []byte(text))
	}
	return records
}
