package runs_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/runs"
)

// A thousand runs go on at the same time, each with a model that takes 50 ms for a reply. What is printed: how long a
// run waits from one model call to the next, and what a run costs in memory and goroutines.
func BenchmarkThousandRuns(b *testing.B) {
	const many, steps = 1000, 5
	for b.Loop() {
		var mu sync.Mutex
		last, waits := map[string]time.Time{}, []time.Duration{}
		calls := map[string]int{}
		var before, during runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		goroutines, most := runtime.NumGoroutine(), 0
		svc, err := runs.New(store.Memory(), runs.Config{
			MaxRuns: many,
			Agent: func(_ context.Context, run durable.State) (fsm.Worker, func(), error) {
				desk, err := desktop.New(desktop.Func("count", "Count.", func(context.Context, struct{}) (int, error) { return 1, nil }, nil))
				if err != nil {
					return nil, nil, err
				}
				model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
					mu.Lock()
					if at, there := last[run.Run]; there {
						waits = append(waits, time.Since(at))
					}
					last[run.Run] = time.Now()
					calls[run.Run]++
					n := calls[run.Run]
					if len(waits) == many*steps/2 {
						most = runtime.NumGoroutine() - goroutines
						runtime.ReadMemStats(&during)
					}
					mu.Unlock()
					time.Sleep(50 * time.Millisecond)
					if n > steps {
						return &llm.Response{Text: `{"Status": "FINISH", "Result": "counted"}`}, nil
					}
					return &llm.Response{Text: `{"Function": "count", "Status": "CONTINUE"}`}, nil
				})
				agent, err := appagent.New(appagent.Config{Model: model, Desktop: desk, NoImages: true})
				return agent, nil, err
			},
		})
		require.NoError(b, err)
		ctx, cancel := context.WithCancel(b.Context())
		done := make(chan error, 1)
		for i := range many {
			_, err := svc.Start(ctx, fmt.Sprintf("run %04d", i), "count", nil)
			require.NoError(b, err)
		}
		go func() { done <- svc.Work(ctx) }()
		for i := range many {
			for _, err := range svc.Watch(ctx, fmt.Sprintf("run %04d", i), 0) {
				require.NoError(b, err)
			}
		}
		cancel()
		<-done
		slices.Sort(waits)
		median, p99 := waits[len(waits)/2], waits[len(waits)*99/100]
		b.ReportMetric(float64(median.Milliseconds()), "ms-median")
		b.ReportMetric(float64(p99.Milliseconds()), "ms-p99")
		b.ReportMetric(float64(p99)/float64(median), "p99/median")
		b.ReportMetric(float64(most)/many, "goroutines/run")
		b.ReportMetric(float64(during.HeapAlloc-min(before.HeapAlloc, during.HeapAlloc))/1024/many, "KiB/run")
	}
}
