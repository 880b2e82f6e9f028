package round_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/journal"
)

// Whatever is in a journal: nothing panics, and nothing is executed whose intent is
// not the last record.
func FuzzResume(f *testing.F) {
	w := newWorld(&testing.T{})
	opts := unbounded()
	opts.Journal = round.NewJournal(w.store, "run")
	s, err := round.NewSession(w.host(), opts)
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
	f.Add([]byte(`{"v":1,"kind":"round","round":{"snapshot":{},"board":{}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		store := journal.Memory()
		seq := int64(0)
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			require.NoError(t, store.Append(t.Context(), "run", seq, line))
			seq++
		}
		act := func(ctx context.Context, c desktoptest.Call) (any, error) {
			var last []byte
			for entry, err := range store.Read(ctx, "run", seq+1) {
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
		host, err := hostagent.New(hostagent.Config{Model: model, Desktop: d, NoImages: true})
		require.NoError(t, err)
		s, err := round.Resume(t.Context(), host, round.NewJournal(store, "run"), &round.Options{MaxSteps: 2, MaxTransitions: 200})
		if err != nil {
			var panicked *round.PanicError
			require.NotErrorAs(t, err, &panicked)
			return
		}
		_, err = s.Round().Run(t.Context())
		var panicked *round.PanicError
		require.NotErrorAs(t, err, &panicked)
	})
}
