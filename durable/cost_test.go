package durable_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// What a step adds to the journal depends on what the step did, not on how many
// there were before it.
func TestAJournalGrowsEvenly(t *testing.T) {
	w := newWorld(t)
	w.words = sample.Of(5000, 220)
	opts := unbounded()
	opts.MaxTransitions = -1
	var ends []int       // appends at the end of each step
	var mallocs []uint64 // and allocations, of everything that takes part
	opts.Observe = func(round.Step) {
		var m runtime.MemStats
		if n := len(ends); n == 10 || n == 50 || n == w.words-100 || n == w.words-10 {
			runtime.ReadMemStats(&m)
		}
		ends, mallocs = append(ends, w.store.count), append(mallocs, m.Mallocs)
	}
	s, err := durable.Open(t.Context(), w.writer(t), w.store, "run", &durable.Options{Round: opts})
	require.NoError(t, err)
	r, err := s.Start("write it again")
	require.NoError(t, err)
	res, err := r.Run(t.Context())
	require.NoError(t, err)
	require.Greater(t, res.Transitions, w.words)

	perStep := func(from, to int) float64 {
		sum := 0
		for _, size := range w.store.bytes[ends[from]:ends[to]] {
			sum += size
		}
		return float64(sum) / float64(to-from)
	}
	few, many := perStep(10, 50), perStep(w.words-100, w.words-10)
	t.Logf("%.0f bytes a step of 50, %.0f of %d", few, many, w.words)
	assert.LessOrEqual(t, few, maxBytesAStep)
	assert.LessOrEqual(t, many, maxBytesALateStep)
	allocations := func(from, to int) float64 { return float64(mallocs[to]-mallocs[from]) / float64(to-from) }
	few, many = allocations(10, 50), allocations(w.words-100, w.words-10)
	t.Logf("%.0f allocations a step of 50, %.0f of %d", few, many, w.words)
	if sample.UnderRace { // which allocates by itself
		assert.LessOrEqual(t, many, 1.2*few)
		return
	}
	assert.LessOrEqual(t, few, maxAllocationsAStep)
	assert.LessOrEqual(t, many, maxAllocationsALateStep)
}

// What a step may cost, of an agent that thinks once and writes a line. Before a Round was told apart from
// its journal it was 2,473 bytes and 1,393 allocations in the first 50 steps. Five percent more bytes are allowed: a
// record has all of a state that changed.
const (
	maxBytesAStep           = 2600.0
	maxBytesALateStep       = 2640.0
	maxAllocationsAStep     = 1420.0
	maxAllocationsALateStep = 1439.0
)

// A run that is suspended is its journal, and nothing else.
func TestSuspendedRunsCostNothing(t *testing.T) {
	many := sample.Of(10_000, 500)
	seqs := map[string]int64{}
	st := bent{Store: store.Memory(), append: func(_ context.Context, run string, _ int64, records ...[]byte) error {
		seqs[run] += int64(len(records)) // and nothing else is kept
		return nil
	}}
	blank := screen(func(cmd desktop.Command) (desktop.Result, error) {
		return desktop.Result{Status: desktop.Success, CallID: cmd.CallID, Content: []desktop.Content{{JSON: []byte("[]")}}}, nil
	})
	asks := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: `{"Status":"PENDING","Questions":["Which colour?","Which size?"]}`}, nil
	})
	suspend := func(i int) {
		agent, err := appagent.New(appagent.Config{
			Model: asks, Desktop: blank, User: people.Later(), NoImages: true, Window: desktop.Window{ID: "1", Root: "word", Process: "report"},
		})
		require.NoError(t, err)
		s, err := durable.Open(t.Context(), agent, st, fmt.Sprintf("run %05d", i), nil)
		require.NoError(t, err)
		_, err = s.Run(t.Context(), "make the report")
		require.ErrorIs(t, err, round.ErrSuspended)
	}
	heap := func() int64 {
		var m runtime.MemStats
		for range 3 {
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for i := range 100 { // whatever is made once
		suspend(i)
	}
	goroutines, before := runtime.NumGoroutine(), heap()
	for i := 100; i < 100+many; i++ {
		suspend(i)
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), goroutines)
	per := float64(heap()-before) / float64(many)
	t.Logf("%.0f bytes for each of %d, their ids and numbers included", per, many)
	assert.Less(t, per, 256.0)
	assert.Len(t, seqs, 100+many)
}

// What a journal adds to a step of an AppAgent that looks, asks its model and acts: in
// memory what it takes to make the records, in files their appends as well.
func BenchmarkStepWithJournal(b *testing.B) {
	for _, kept := range []string{"none", "memory", "files"} {
		b.Run(fmt.Sprintf("journal=%s", kept), func(b *testing.B) {
			w := newWorld(&testing.T{})
			w.words = b.N + 10
			opts := unbounded()
			opts.MaxTransitions = -1
			var s *round.Session
			var err error
			switch kept {
			case "none":
				s, err = round.NewSession(w.writer(b), opts)
			case "memory":
				s, err = durable.Open(b.Context(), w.writer(b), store.Memory(), "run", &durable.Options{Round: opts})
			case "files":
				files, problem := store.Files(b.TempDir())
				require.NoError(b, problem)
				s, err = durable.Open(b.Context(), w.writer(b), files, "run", &durable.Options{Round: opts})
			}
			require.NoError(b, err)
			r, err := s.Start("write it again")
			require.NoError(b, err)
			b.ReportAllocs()
			b.ResetTimer()
			steps := 0
			for _, err := range r.Steps(b.Context()) {
				require.NoError(b, err)
				if steps++; steps == b.N {
					break
				}
			}
		})
	}
}

// What it costs to look where a run stands that has taken 500 steps, with a picture of 100 kB in each or without.
func BenchmarkLook(b *testing.B) {
	for name, size := range map[string]int{"texts": 0, "pictures": 100 << 10} {
		b.Run(name, func(b *testing.B) {
			j := longJournal(b, size)
			b.ReportAllocs()
			for b.Loop() {
				_, err := durable.Look(b.Context(), j.store, "run")
				require.NoError(b, err)
			}
		})
	}
}

// longJournal is that of a run of 500 steps, with a picture of that size in each, in files.
func longJournal(b *testing.B, size int) *journal {
	b.Helper()
	st, err := store.Files(b.TempDir())
	require.NoError(b, err)
	j := &journal{b: b, store: st}
	j.put(records.Record{Kind: records.KindRound, Round: &records.Round{}})
	for i := range 500 {
		if size > 0 {
			j.put(records.Record{Kind: records.KindBlob, Blob: &records.Blob{Ref: fmt.Sprint(i), Data: make([]byte, size)}})
		}
		j.put(records.Record{Kind: records.KindCall, Call: &records.Call{Response: &llm.Response{Text: strings.Repeat("thought ", 60)}}})
		j.put(records.Record{Kind: records.KindStep, Step: &records.Step{}})
	}
	return j
}

// journal is written record by record.
type journal struct {
	b     *testing.B
	store store.Store
	seq   int64 // of the last record
}

func (j *journal) put(n records.Record) {
	n.V, n.At = records.Version, time.Now().UTC()
	raw, err := json.Marshal(&n)
	require.NoError(j.b, err)
	require.NoError(j.b, j.store.Append(j.b.Context(), "run", j.seq, raw))
	j.seq++
}

// What it costs to go on with a run of many steps.
func BenchmarkResume(b *testing.B) {
	for _, steps := range []int{50, 500, 5000} {
		for _, kept := range []string{"memory", "files"} {
			b.Run(fmt.Sprintf("steps=%d/journal=%s", steps, kept), func(b *testing.B) {
				st := store.Store(store.Memory())
				if kept == "files" {
					files, err := store.Files(b.TempDir())
					require.NoError(b, err)
					st = files
				}
				w := newWorld(&testing.T{})
				w.words = steps + 10
				opts := unbounded()
				opts.MaxTransitions = -1
				s, err := durable.Open(b.Context(), w.writer(b), st, "run", &durable.Options{Round: opts})
				require.NoError(b, err)
				r, err := s.Start("write it again")
				require.NoError(b, err)
				taken := 0
				for _, err := range r.Steps(b.Context()) {
					require.NoError(b, err)
					if taken++; taken == steps {
						break
					}
				}
				b.ReportAllocs()
				for b.Loop() {
					s, err := durable.Open(b.Context(), w.writer(b), st, "run", &durable.Options{Round: opts})
					require.NoError(b, err)
					require.Equal(b, steps, s.Round().Result().Transitions)
					require.NoError(b, s.Close(b.Context()))
				}
			})
		}
	}
}

// What it costs to answer a run that has taken 500 steps, with a picture of 100 kB in each or without, and to list
// runs that wait. The store knows where they stand.
func BenchmarkAnswer(b *testing.B) {
	for name, size := range map[string]int{"texts": 0, "pictures": 100 << 10} {
		b.Run(name, func(b *testing.B) {
			j := longJournal(b, size)
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				id := fmt.Sprint(n)
				stop := &records.Step{Waits: []records.Ask{{Question: people.Question{ID: id, Text: "?"}}}}
				stop.Stack = []checkpoint.Place{{Agent: "clerk"}}
				stop.Result = &round.Result{Outcome: round.Suspended}
				j.put(records.Record{Kind: records.KindStop, Step: stop})
				for state, err := range durable.List(b.Context(), j.store, durable.Query{}) { // the store keeps what that finds
					require.NoError(b, err)
					require.Len(b, state.Waits, 1)
				}
				b.StartTimer()
				given, err := durable.Answer(b.Context(), j.store, "run", id, people.Answer{Text: "yes"})
				require.NoError(b, err)
				require.True(b, given)
				n++
				j.seq++
			}
		})
	}
}

// What a page of a hundred costs, of 10,000 runs in files that wait for an answer.
func BenchmarkListPage(b *testing.B) {
	st, err := store.Files(b.TempDir())
	require.NoError(b, err)
	for i := range 10_000 {
		run := fmt.Sprintf("run %05d", i)
		_, err := durable.Start(b.Context(), st, run, "go", nil)
		require.NoError(b, err)
	}
	for b.Loop() {
		n := 0
		for _, err := range durable.List(b.Context(), st, durable.Query{After: "run 05000"}) {
			require.NoError(b, err)
			if n++; n == 100 {
				break
			}
		}
	}
}
