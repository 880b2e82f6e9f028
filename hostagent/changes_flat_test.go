package hostagent_test

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
)

// oneWindow is a desktop with a window and nothing to do in it.
type oneWindow struct{}

func (oneWindow) Tools(context.Context) ([]desktop.Tool, error) {
	return []desktop.Tool{{Name: desktop.GetDesktopAppInfo, Annotations: desktop.Annotations{ReadOnlyHint: true}}}, nil
}

func (oneWindow) Execute(context.Context, desktop.Command) (desktop.Result, error) {
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: json.RawMessage(`[{"id":"1","root":"word","process":"report"}]`)}}}, nil
}

// What a step changed costs the same after many as after few, whether the host or an
// application took it.
func TestChangesAreFlat(t *testing.T) {
	calls := 0
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		text := `{"Status":"CONTINUE","Thought":"on"}`
		switch calls++; calls % 20 {
		case 2:
			text = `{"Status":"ASSIGN","ControlLabel":"0","CurrentSubTask":"x"}`
		case 0:
			text = `{"Status":"FINISH","Result":"r"}`
		}
		return &llm.Response{Text: text}, nil
	})
	host, err := hostagent.New(hostagent.Config{Model: model, Desktop: oneWindow{}, NoImages: true, MaxMemory: -1})
	require.NoError(t, err)
	host.SetStatus(fsm.Continue)
	var agent fsm.Agent = host
	const cycle = 21 // steps, ASSIGN included
	work := func(i int) {
		if i%(10*cycle) == 0 { // a round's prompts are as long as it has sub-tasks
			require.NoError(t, host.Begin(t.Context(), fsm.Task{Text: "go on"}))
			host.SetStatus(fsm.Continue)
			agent = host
		}
		agent = step(t.Context(), t, agent)
		if agent != fsm.Agent(host) && agent.Status() == fsm.Finish {
			host.SetStatus(fsm.Continue)
			agent = host
		}
	}
	steps := 0
	cost := func(after int) (allocs, allocated, length float64) {
		for ; steps < after; steps++ {
			work(steps)
			changesOf(t, host)
		}
		for range 2 * cycle {
			work(steps)
			steps++
			var before, behind runtime.MemStats
			runtime.ReadMemStats(&before)
			raw, err := host.Changes()
			runtime.ReadMemStats(&behind)
			require.NoError(t, err)
			require.NotEmpty(t, raw)
			allocs += float64(behind.Mallocs - before.Mallocs)
			allocated += float64(behind.TotalAlloc - before.TotalAlloc)
			length += float64(len(raw))
		}
		return allocs, allocated, length
	}
	fewAllocs, fewAllocated, fewLength := cost(50)
	allocs, allocated, length := cost(sample.Of(5000, 500))
	t.Logf("%.0f allocations, %.0f bytes, %.0f of text; then %.0f, %.0f, %.0f", fewAllocs, fewAllocated, fewLength, allocs, allocated, length)
	assert.LessOrEqual(t, allocs, 1.2*fewAllocs, "allocations")
	assert.LessOrEqual(t, allocated, 1.2*fewAllocated, "bytes allocated")
	assert.LessOrEqual(t, length, 1.2*fewLength, "bytes to keep")
}
