package sqlstore_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// turns is how often each of them has its turn.
const turns = 400

// BenchmarkStep takes turns with a bare append and its sync, a step of an AppAgent without a journal, and one with a
// journal in each store, all on one disk. A step looks twice, asks the model once and acts once. What is
// reported is the time below which a tenth of the turns were.
func BenchmarkStep(b *testing.B) { benchStep(b, map[string]*place{"sqlite": sqlitePlace(b)}) }

func BenchmarkRealStep(b *testing.B) {
	benchStep(b, map[string]*place{"sqlite": sqlitePlace(b), "postgres": postgresPlace(b)})
}

func benchStep(b *testing.B, places map[string]*place) {
	b.Helper()
	files, err := store.Files(b.TempDir(), nil)
	require.NoError(b, err)
	stores := map[string]store.Store{"files": files, "memory": store.Memory()}
	for name, p := range places {
		stores[name] = p.open(b, nil)
	}
	bare, err := os.OpenFile(filepath.Join(b.TempDir(), "bare"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	require.NoError(b, err)
	defer func() { _ = bare.Close() }()
	line := make([]byte, 600)
	does := map[string]func(){"bare": func() {
		_, err := bare.Write(line)
		require.NoError(b, err)
		require.NoError(b, bare.Sync())
	}}
	names := []string{"bare", "none"}
	for name, st := range stores {
		names = append(names, name)
		does[name] = stepper(b, st)
	}
	does["none"] = stepper(b, nil)
	slices.Sort(names)
	times := map[string][]time.Duration{}
	for b.Loop() {
		for range turns {
			for _, name := range names {
				begin := time.Now()
				does[name]()
				times[name] = append(times[name], time.Since(begin))
			}
		}
	}
	p10 := func(name string) float64 {
		slices.Sort(times[name])
		return float64(times[name][len(times[name])/10].Microseconds())
	}
	for _, name := range names {
		b.ReportMetric(p10(name), "µs-"+name)
	}
	for name := range stores {
		b.ReportMetric((p10(name)-p10("none"))/p10("bare"), "syncs-"+name)
	}
}

// stepper takes a step of a run each time that it is called; nil: without a journal.
func stepper(b *testing.B, st store.Store) func() {
	b.Helper()
	n := 0
	app := &desktoptest.App{Root: "excel", Process: "book", Title: "Book1", Running: true,
		Controls: []desktop.Control{{ID: "rows", Name: "rows", Type: "Text", Value: "0"}}}
	app.Tools = []desktoptest.Tool{{Name: "add_row", Run: func(context.Context, desktoptest.Call) (any, error) {
		n++
		app.ChangeControl("rows", func(c *desktop.Control) { c.Value = fmt.Sprint(n) })
		return "done", nil
	}}}
	agent, err := appagent.New(appagent.Config{
		Desktop: desktoptest.New(nil, app), Window: desktop.Window{ID: "1", Root: "excel", Process: "book"},
		User: people.Later(), NoImages: true,
		Model: llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			return &llm.Response{Text: `{"Thought": "one more row", "Status": "CONTINUE", "Function": "add_row"}`}, nil
		}),
	})
	require.NoError(b, err)
	opts := &round.Options{MaxSteps: -1, MaxTransitions: -1, MaxRepeats: -1}
	var s *round.Session
	if st == nil {
		s, err = round.NewSession(agent, opts)
	} else {
		s, err = durable.Open(b.Context(), agent, st, "run", &durable.Options{Round: opts})
	}
	require.NoError(b, err)
	r, err := s.Start("fill the table")
	require.NoError(b, err)
	next, stop := iter.Pull2(r.Steps(b.Context()))
	b.Cleanup(stop)
	return func() {
		_, err, ok := next()
		require.True(b, ok)
		require.NoError(b, err)
	}
}
