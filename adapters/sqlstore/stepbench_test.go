package sqlstore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

const (
	turns = 400                  // that each of them has
	pause = 2 * time.Millisecond // before each, in which a program waits for a model: right behind another one it is faster
)

// BenchmarkStep takes turns with a bare append and its sync, a step of an AppAgent without a journal, and one with a
// journal in each store, all on one disk, in random order. A step looks twice, asks the model once and acts once. What is
// reported is the time below which a tenth of the turns were.
func BenchmarkStep(b *testing.B) { benchStep(b, map[string]*place{"sqlite": sqlitePlace(b)}) }

func BenchmarkRealStep(b *testing.B) {
	benchStep(b, map[string]*place{"sqlite": sqlitePlace(b), "postgres": postgresPlace(b)})
}

func benchStep(b *testing.B, places map[string]*place) {
	b.Helper()
	files, err := store.Files(b.TempDir())
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
	order := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // nobody has to be kept from guessing it
	times := map[string][]time.Duration{}
	for b.Loop() {
		for range turns {
			order.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			for _, name := range names {
				time.Sleep(pause)
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

// table is a desktop that does next to nothing: what it took would be in every figure.
type table struct {
	rows  int
	tools []desktop.Tool
}

func newTable() *table {
	window, _ := desktop.ToolNamed(desktop.GetAppWindow)
	tree, _ := desktop.ToolNamed(desktop.GetUITree)
	return &table{tools: []desktop.Tool{window, tree, {Name: "add_row", InputSchema: json.RawMessage(`{"type":"object"}`)}}}
}

func (d *table) Tools(context.Context) ([]desktop.Tool, error) { return d.tools, nil }

func (d *table) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	c := desktop.Content{Text: "done"}
	switch cmd.ToolName {
	case desktop.GetAppWindow:
		c = desktop.Content{JSON: json.RawMessage(`[{"id":"1","root":"excel","process":"book","title":"Book1","focused":true}]`)}
	case desktop.GetUITree:
		c = desktop.Content{JSON: json.RawMessage(fmt.Sprintf(`[{"id":"rows","name":"rows","type":"Text","value":"%d"}]`, d.rows))}
	case "add_row":
		d.rows++
	default:
		return desktop.Result{}, fmt.Errorf("there is no tool %q", cmd.ToolName)
	}
	return desktop.Result{Status: desktop.Success, CallID: cmd.CallID, Content: []desktop.Content{c}}, nil
}

// stepper takes a step of a run each time that it is called; nil: without a journal.
func stepper(b *testing.B, st store.Store) func() {
	b.Helper()
	agent, err := appagent.New(appagent.Config{
		Desktop: newTable(), Window: desktop.Window{ID: "1", Root: "excel", Process: "book"},
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
