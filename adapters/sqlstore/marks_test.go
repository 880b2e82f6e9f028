package sqlstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
)

// A run that is deleted has no mark, and neither has one that is begun under its id.
func TestDeleteDeletesTheMark(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		require.NoError(t, s.AppendMarked(t.Context(), "run", 0, store.Mark{Seq: 1, At: time.Now(), Stage: "waiting"}, []byte("one")))
		require.NoError(t, s.Delete(t.Context(), "run"))
		for range 2 {
			m, err := s.Marked(t.Context(), "run")
			require.NoError(t, err)
			assert.Equal(t, store.Mark{Run: "run"}, m)
			require.NoError(t, s.Append(t.Context(), "run", 0, []byte("new")))
			require.NoError(t, s.Delete(t.Context(), "run"))
		}
	})
}

// What is asked for is found by an index, however many runs wait. Their ids, times and stages need not be read.
func TestMarksGoByIndexes(t *testing.T) {
	p := sqlitePlace(t)
	s := p.open(t, nil)
	for i := range 3 {
		mark := store.Mark{Seq: 1, At: time.Now(), Stage: "waiting", Due: time.Now()}
		require.NoError(t, s.AppendMarked(t.Context(), fmt.Sprint("run ", i), 0, mark, []byte("one")))
	}
	for _, c := range []struct {
		query store.Query
		want  []string
	}{
		{store.Query{Stages: []string{"waiting"}}, []string{"USING COVERING INDEX agentfsm_runs_unmarked", "USING INDEX agentfsm_runs_stage (stage=? AND run>?)"}},
		{store.Query{Due: time.Now()}, []string{"USING COVERING INDEX agentfsm_runs_unmarked", "USING INDEX agentfsm_runs_due", "USING INDEX agentfsm_runs_marked (marked>?)"}},
		{store.Query{Due: time.Now(), Stages: []string{"waiting"}}, []string{"USING INDEX agentfsm_runs_due"}},
	} {
		plan := ""
		for query, args := range sqlstore.MarksQueries(s, c.query) {
			plan += p.plan(t, query, args)
		}
		for _, want := range c.want {
			assert.Contains(t, plan, want, "%+v", c.query)
		}
		assert.NotContains(t, plan, "SCAN agentfsm_runs\n", "%+v", c.query)
	}
}

// plan says how a query is done.
func (p *place) plan(t *testing.T, query string, args []any) (plan string) {
	t.Helper()
	rows, err := p.pool(t).QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, parent, unused int
		var detail string
		require.NoError(t, rows.Scan(&id, &parent, &unused, &detail))
		plan += detail + "\n"
	}
	require.NoError(t, rows.Err())
	return plan
}
