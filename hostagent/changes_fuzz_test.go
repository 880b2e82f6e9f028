package hostagent_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
)

var unasked = llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return nil, fmt.Errorf("nobody asks") })

// FuzzApply: any changes either fit a host, which then has a snapshot and can be
// asked for its agents, or leave it as it was.
func FuzzApply(f *testing.F) {
	const start = `{"status":"CONTINUE","decision":{},"request":"r","first":0,"steps":0,"memory":{},"apps":{"word/report":{"task":{"text":"t"}}},` +
		`"workers":{"word/report":{"name":"AppAgent/word/report","window":{"id":"1","root":"word","process":"report"}}}}`
	f.Add([]byte(`{"version":1,"set":{"status":"ASSIGN","plan":["a"],"chosen":{"window":{"root":"word"},"text":"x"},"open":"subtask_1"},"unset":["answer"]}`))
	f.Add([]byte(`{"version":1,"memory":{"from":0,"add":[{"note":"<"}]},"launched":{"from":0,"add":[{"id":"1"}]},"answers":{"from":0,"add":[{"id":"1"}]}}`))
	f.Add([]byte(`{"version":1,"apps":{"word/report":{"changes":{"version":1,"set":{"steps":1},"memory":{"from":0,"add":[{}]}},"app_agent":true}}}`))
	f.Add([]byte(`{"version":1,"apps":{"word/report":null,"a/b":{"info":{"name":"f","window":{"root":"a","process":"b"}},"snapshot":{"x":1},"changes":[1]}}}`))
	f.Fuzz(func(t *testing.T, changes []byte) {
		host, err := hostagent.New(hostagent.Config{Model: unasked, Desktop: oneWindow{}})
		require.NoError(t, err)
		require.NoError(t, host.Restore([]byte(start)))
		before := snapshotOf(t, host)
		if err := host.Apply(changes); err != nil {
			require.ErrorIs(t, err, hostagent.ErrChanges)
			require.Equal(t, before, snapshotOf(t, host))
			return
		}
		require.Empty(t, changesOf(t, host))
		raw, err := host.Snapshot()
		require.NoError(t, err)
		again, err := hostagent.New(hostagent.Config{Model: unasked, Desktop: oneWindow{}})
		require.NoError(t, err)
		require.NoError(t, again.Restore(raw))
		require.Equal(t, string(raw), snapshotOf(t, again))
		_, _ = again.Worker(t.Context(), "AppAgent/word/report") // it may not be there, or be broken
	})
}

// BenchmarkChanges is what it costs to tell what a step of the host changed, beside
// agents of ten applications. The step is not counted.
func BenchmarkChanges(b *testing.B) {
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: `{"Status":"CONTINUE","Thought":"on"}`}, nil
	})
	host, err := hostagent.New(hostagent.Config{Model: model, Desktop: oneWindow{}, NoImages: true})
	require.NoError(b, err)
	snapshot := `{"status":"CONTINUE","request":"r","workers":{`
	for i := range 10 {
		if i > 0 {
			snapshot += ","
		}
		snapshot += fmt.Sprintf(`"word/%d":{"name":"AppAgent/word/%d","window":{"root":"word","process":"%d"}}`, i, i, i)
	}
	require.NoError(b, host.Restore([]byte(snapshot+"}}")))
	for i := range 10 {
		_, err := host.Worker(context.Background(), fmt.Sprintf("AppAgent/word/%d", i))
		require.NoError(b, err)
	}
	state := host.States().Bind(fsm.Continue)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		require.NoError(b, state.Handle(context.Background(), host))
		host.SetStatus(fsm.Continue)
		b.StartTimer()
		raw, err := host.Changes()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(raw)), "bytes/step")
	}
}
