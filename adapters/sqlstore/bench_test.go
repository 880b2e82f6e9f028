package sqlstore_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// BenchmarkAppend takes turns with a bare INSERT and its commit into a table without
// anything else, on the same database, and reports the medians and their difference.
func BenchmarkAppend(b *testing.B) { benchAppend(b, sqlitePlace(b)) }

func BenchmarkRealAppend(b *testing.B) { benchAppend(b, postgresPlace(b)) }

func benchAppend(b *testing.B, p *place) {
	b.Helper()
	s := p.open(b, nil)
	p.exec(b, p.words(`CREATE TABLE bare (data {bytes})`))
	db := p.pool(b)
	data := bytes.Repeat([]byte("x"), 1000)
	var ours, theirs []time.Duration
	for seq := int64(0); b.Loop(); seq++ {
		begin := time.Now()
		require.NoError(b, s.Append(b.Context(), "run", seq, data))
		middle := time.Now()
		_, err := db.ExecContext(b.Context(), `INSERT INTO bare VALUES ($1)`, data)
		require.NoError(b, err)
		ours, theirs = append(ours, middle.Sub(begin)), append(theirs, time.Since(middle))
	}
	median := func(times []time.Duration) float64 { // one long wait for the disk is no cost of ours
		slices.Sort(times)
		return float64(times[len(times)/2])
	}
	b.ReportMetric(median(ours), "ns/append")
	b.ReportMetric(median(theirs), "ns/bare")
	b.ReportMetric(median(ours)-median(theirs), "ns/more")
}

// BenchmarkListPage reads a page of 100 runs of 100,000 that wait for an answer, as a page of a program does.
func BenchmarkListPage(b *testing.B) { benchListPage(b, sqlitePlace(b)) }

func BenchmarkRealListPage(b *testing.B) { benchListPage(b, postgresPlace(b)) }

func benchListPage(b *testing.B, p *place) {
	b.Helper()
	s := p.open(b, nil)
	suspend(b, p, s, 100_000)
	for name, q := range map[string]durable.Query{
		"asks": {Asks: true}, "waiting": {Stages: []durable.Stage{durable.Waiting}}, "ready": {Ready: true}, "all": {},
		"middle": {Asks: true, After: "run 050000"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				n := 0
				for state, err := range durable.List(b.Context(), s, q) {
					require.NoError(b, err)
					require.True(b, name == "all" || (name == "ready") == state.Ready())
					if n++; n == 100 {
						break
					}
				}
				require.Equal(b, 100, n)
			}
		})
	}
}

// suspend makes runs that wait for an answer, and 100 that could go on: rows like those of one of each.
func suspend(b *testing.B, p *place, s *sqlstore.Store, many int) {
	b.Helper()
	agent, err := appagent.New(appagent.Config{
		Model:   llmtest.Script(b, `{"Status": "PENDING", "Questions": ["Which colour?"]}`),
		Desktop: desktoptest.New(b, &desktoptest.App{Root: "paint", Running: true}), NoImages: true,
		Window: desktop.Window{ID: "1", Root: "paint"}, User: people.Later(),
	})
	require.NoError(b, err)
	session, err := durable.Open(b.Context(), agent, s, "the one that waits", nil)
	require.NoError(b, err)
	_, err = session.Continue(b.Context(), "paint the wall in a colour that goes with the floor, and leave the window open until it is dry")
	require.ErrorIs(b, err, round.ErrSuspended)
	_, err = durable.Start(b.Context(), s, "the one that is ready", "paint the wall", nil)
	require.NoError(b, err)
	name, data := `printf('%s %06d', $3, n)`, `CAST(REPLACE(CAST(data AS TEXT), $1, {name}) AS BLOB)`
	if p.driver == "pgx" {
		name, data = `$3::text || ' ' || lpad(n::text, 6, '0')`, `convert_to(replace(convert_from(data, 'UTF8'), $1::text, {name}), 'UTF8')`
	}
	for template, n := range map[string]int{"the one that waits": many, "the one that is ready": 100} {
		p.exec(b, strings.ReplaceAll(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2)
			INSERT INTO agentfsm_runs (run, last, mark, marked, stage, due, data)
			SELECT {name}, last, mark, marked, stage, due, `+data+` FROM numbers CROSS JOIN agentfsm_runs WHERE run = $1`, "{name}", name),
			template, n, map[bool]string{true: "run", false: "ready"}[n == many])
	}
}
