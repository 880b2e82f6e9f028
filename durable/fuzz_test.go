package durable_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// Whatever is in a journal: nothing panics, nothing is executed whose intent is not
// the last record, and a replay touches nothing.
func FuzzResume(f *testing.F) {
	w := newWorld(&testing.T{})
	opts := unbounded()
	s, err := durable.Open(context.Background(), w.host(), w.store, "run", &durable.Options{Round: opts})
	require.NoError(f, err)
	_, err = s.Run(context.Background(), "make the report")
	require.NoError(f, err)
	var all [][]byte
	for entry, err := range w.store.Read(context.Background(), "run", 1) {
		require.NoError(f, err)
		all = append(all, entry.Data)
	}
	for _, n := range []int{0, 1, 3, 10, 20, 25, 40, 41, 42, 43, 80, len(all)} {
		f.Add(bytes.Join(all[:n], []byte("\n")))
	}
	f.Add([]byte(`{"v":1,"kind":"round","round":{"news":{"agent":{"state":{}}},"board":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		st := store.Memory()
		seq := int64(0)
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			require.NoError(t, st.Append(t.Context(), "run", seq, line))
			seq++
		}
		survives(t, st, seq)
	})
}

// survives replays and resumes what is in a store, whatever it is.
func survives(t *testing.T, st store.Store, seq int64) {
	t.Helper()
	_, err := durable.Replay(t.Context(), untouched(t, nil), st, "run", nil)
	var panicked *round.PanicError
	require.NotErrorAs(t, err, &panicked)
	act := func(ctx context.Context, c desktoptest.Call) (any, error) {
		var last []byte
		for entry, err := range st.Read(ctx, "run", seq+1) {
			require.NoError(t, err)
			last = entry.Data
		}
		require.Contains(t, string(last), `"kind":"intent"`)
		require.Contains(t, string(last), c.Tool)
		return nil, nil
	}
	d := desktoptest.New(t, &desktoptest.App{Root: "excel", Process: "book", Running: true},
		&desktoptest.App{Root: "word", Process: "report", Running: true})
	for _, name := range []string{"add_row", "add_line", "publish", desktop.SelectApplicationWindow} {
		d.AddTools(desktoptest.Tool{Name: name, Run: act})
	}
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: `{"Status":"CONTINUE","Function":"add_row","Args":{"n":"x"}}`}, nil
	})
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: d, NoImages: true}})
	require.NoError(t, err)
	s, err := durable.Open(t.Context(), host, st, "run", &durable.Options{Existing: true, Round: &round.Options{MaxSteps: 2, MaxTransitions: 200}})
	if err != nil {
		require.NotErrorAs(t, err, &panicked)
		return
	}
	_, err = s.Round().Run(t.Context())
	require.NotErrorAs(t, err, &panicked)
}

// mangle changes something somewhere in a value of JSON.
func mangle(r *rand.Rand, v any) any {
	pick := func(n int) bool { return r.IntN(n) == 0 }
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return v
		}
		keys := slices.Sorted(maps.Keys(v))
		k := keys[r.IntN(len(keys))]
		switch {
		case pick(6):
			delete(v, k)
		case pick(8):
			v[k] = v[keys[r.IntN(len(keys))]]
		default:
			v[k] = mangle(r, v[k])
		}
	case []any:
		if len(v) == 0 {
			return v
		}
		i := r.IntN(len(v))
		switch {
		case pick(5):
			return slices.Delete(v, i, i+1)
		case pick(6):
			return append(v, v[i])
		}
		v[i] = mangle(r, v[i])
	case string:
		return []any{"", "x", v + v, "CONTINUE", "FINISH", "ASSIGN", "publish", "HostAgent", nil, 7.0, strings.ToUpper(v)}[r.IntN(11)]
	case float64:
		return []any{-1.0, 0.0, v + 1, 1e18, "x", nil}[r.IntN(6)]
	case bool:
		return !v
	case nil:
		return map[string]any{}
	}
	return v
}

// The same with records that are JSON of the right kind, more or less.
func TestMangledJournals(t *testing.T) {
	w := newWorld(t)
	w.store.start(50, true)
	_, err := w.life(true)
	require.ErrorIs(t, err, round.ErrLost)
	w.store.start(0, false)
	_, err = w.life(false)
	require.NoError(t, err)
	var all [][]byte
	for entry, err := range w.store.Read(t.Context(), "run", 1) {
		require.NoError(t, err)
		all = append(all, entry.Data)
	}
	for seed := 0; seed < sample.Of(300, 16); seed += sample.Raced(4) {
		list := mangled(t, rand.New(rand.NewPCG(uint64(seed), 6)), all)
		if len(list) == 0 {
			continue
		}
		st := store.Memory()
		require.NoError(t, st.Append(t.Context(), "run", 0, list...))
		t.Run(fmt.Sprint(seed), func(t *testing.T) { survives(t, st, int64(len(list))) })
	}
}

// mangled are the records of a run up to some place, with a few changes, mostly at their end.
func mangled(t *testing.T, r *rand.Rand, all [][]byte) [][]byte {
	t.Helper()
	list := slices.Clone(all[:1+r.IntN(len(all))])
	for range 1 + r.IntN(3) {
		i := r.IntN(len(list))
		if len(list) > 12 && r.IntN(2) == 0 {
			i = len(list) - 1 - r.IntN(12) // the step that was under way
		}
		switch r.IntN(8) {
		case 0:
			list = slices.Delete(list, i, i+1)
		case 1:
			list = slices.Insert(list, i, list[r.IntN(len(list))])
		case 2:
			j := r.IntN(len(list))
			list[i], list[j] = list[j], list[i]
		default:
			var v any
			require.NoError(t, json.Unmarshal(list[i], &v))
			for range 1 + r.IntN(3) {
				v = mangle(r, v)
			}
			var err error
			list[i], err = json.Marshal(v)
			require.NoError(t, err)
		}
		if len(list) == 0 {
			break
		}
	}
	return list
}
