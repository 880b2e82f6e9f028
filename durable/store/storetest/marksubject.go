package storetest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
)

// index makes an empty store that keeps marks.
func (s *subject) index() store.Index { return s.asIndex(s.open()) }

func (s *subject) asIndex(st store.Store) store.Index {
	index, ok := st.(store.Index)
	if !ok {
		panic("one store is a store.Index, and another one is not")
	}
	return index
}

// markOf is a mark that tells by its Data whose it is.
func markOf(run string, seq int64, stage string, due time.Time) store.Mark {
	return store.Mark{Run: run, Seq: seq, At: noon.Add(-time.Hour), Stage: stage, Due: due, Data: fmt.Appendf(nil, "%s %d\x00\xff", run, seq)}
}

// mark appends records with a mark.
func (s *subject) mark(st store.Index, after int64, m store.Mark, records ...[]byte) string {
	run := m.Run
	m.Run, m.Data = "", bytes.Clone(m.Data) // whose mark it is says the call
	err := st.AppendMarked(s.ctx(), run, after, m, records...)
	clear(m.Data)
	return failed(fmt.Sprintf("AppendMarked of %d records to %s after record %d", len(records), name(run), after), err)
}

// expectMark asks for the mark of a run.
func (s *subject) expectMark(st store.Index, want store.Mark) string {
	got, err := st.Marked(s.ctx(), want.Run)
	if err != nil {
		return fmt.Sprintf("Marked of %s fails: %v", name(want.Run), err)
	}
	return differs("Marked of "+name(want.Run)+" returns", &got, &want)
}

// differs compares marks.
func differs(what string, got, want *store.Mark) string {
	same := got.Run == want.Run && got.Seq == want.Seq && got.Stage == want.Stage && got.Behind == want.Behind && bytes.Equal(got.Data, want.Data) &&
		(want.Seq == 0 || got.At.Equal(want.At)) && got.Due.Equal(want.Due) && got.Due.IsZero() == want.Due.IsZero()
	if same {
		return ""
	}
	return fmt.Sprintf("%s %s, not %s", what, shown(got), shown(want))
}

func shown(m *store.Mark) string {
	return fmt.Sprintf("{Run:%q Seq:%d At:%v Stage:%q Due:%v Data:%s Behind:%t}", m.Run, m.Seq, m.At, m.Stage, m.Due, excerpt(m.Data), m.Behind)
}

// marks lists marks.
func (s *subject) marks(ctx context.Context, st store.Index, q store.Query) (marks []store.Mark, problem string, err error) {
	sequence := st.Marks(ctx, q)
	if sequence == nil {
		return nil, "Marks returns nil", nil
	}
	for m, end := range sequence {
		switch {
		case err != nil:
			return nil, "Marks goes on behind an error", err
		case end != nil:
			err = end
		default:
			marks = append(marks, m)
		}
	}
	return marks, "", err
}

// expectMarks compares what a query yields.
func (s *subject) expectMarks(st store.Index, q store.Query, want ...store.Mark) string {
	got, problem, err := s.marks(s.ctx(), st, q)
	switch {
	case problem != "":
		return problem
	case err != nil:
		return fmt.Sprintf("Marks fails: %v", err)
	case !slices.EqualFunc(got, want, func(a, b store.Mark) bool { return a.Run == b.Run }):
		return fmt.Sprintf("Marks of %s yields %q, not %q", asked(&q), runsOf(got), runsOf(want))
	}
	for i := range want {
		if problem := differs("Marks of "+asked(&q)+" yields", &got[i], &want[i]); problem != "" {
			return problem
		}
	}
	return ""
}

func asked(q *store.Query) string {
	return fmt.Sprintf("{Prefix:%q After:%q Stages:%q Due:%v}", q.Prefix, q.After, q.Stages, q.Due)
}

func runsOf(marks []store.Mark) []string {
	runs := []string{}
	for i := range marks {
		runs = append(runs, marks[i].Run)
	}
	return runs
}
