package appagent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
)

func snapshotOf(t testing.TB, agent *appagent.Agent) string {
	t.Helper()
	raw, err := agent.Snapshot()
	require.NoError(t, err)
	return string(raw)
}

func changesOf(t testing.TB, agent *appagent.Agent) string {
	t.Helper()
	raw, err := agent.Changes()
	require.NoError(t, err)
	return string(raw)
}

// What an agent tells after each step brings another one along: through an approval,
// an interview, a failure and the next task.
func TestChangesBringAnotherAgentAlong(t *testing.T) {
	b := newBench(t,
		m{"Status": "CONTINUE", "Function": "set_edit_text", "ControlLabel": "3", "Args": m{"text": "<Costs>"}, "Plan": []string{"save"}},
		m{"Status": "CONFIRM", "Function": "note", "Args": m{"n": json.Number("12345678901234567890")}, "Comment": "please"},
		m{"Status": "PENDING", "Questions": []string{"one?", "two?"}},
		m{"Status": "CONTINUE", "Function": "broken"},
		m{"Status": "FINISH", "Result": m{"rows": []int{1}}})
	b.Desktop.AddTools(desktoptest.Tool{Name: "note", Schema: `{"type":"object"}`},
		desktoptest.Tool{Name: "broken", Run: func(context.Context, desktoptest.Call) (any, error) { return nil, fmt.Errorf("out of order") }})
	b.Config.User = answering("yes", true)
	first, second := b.agent(), b.agent()
	assert.Empty(t, changesOf(t, first), "a new agent has no news")
	along := func() {
		t.Helper()
		require.NoError(t, second.Apply([]byte(changesOf(t, first))))
		require.Equal(t, snapshotOf(t, first), snapshotOf(t, second))
		assert.Empty(t, changesOf(t, first), "it is told once")
		assert.Empty(t, changesOf(t, second), "what was applied is no news")
	}
	first.SetStatus(fsm.Continue)
	along()
	require.NoError(t, first.Begin(t.Context(), fsm.Task{ID: "subtask_1", Text: "do it", Message: "soon"}))
	along()
	for first.Status() != fsm.Finish {
		stepOf(t, first)
		along()
	}
	assert.JSONEq(t, `{"rows":[1]}`, string(second.Data()))
	require.NoError(t, first.Begin(t.Context(), fsm.Task{ID: "subtask_2", Text: "do more", From: &givesAfter{before: 2}}))
	along()
	require.NoError(t, first.Begin(t.Context(), fsm.Task{ID: "subtask_3", Text: "do more", From: &givesAfter{before: 3}}))
	assert.Contains(t, changesOf(t, first), `"before":{"from":2,"add":["s2"]}`, "only what came to it")
}

// givesAfter hands a task over, behind others.
type givesAfter struct {
	fsm.Agent
	before int
}

func (g *givesAfter) Subtasks() []blackboard.Subtask {
	list := make([]blackboard.Subtask, g.before)
	for i := range list {
		list[i] = blackboard.Subtask{ID: fmt.Sprint("s", i), Text: "t", Status: "FINISH"}
	}
	return list
}

// The stable form, so that a change to it is seen.
func TestChangesForm(t *testing.T) {
	b := newBench(t,
		m{"Status": "CONTINUE", "Function": "wait", "Args": m{"seconds": 0}, "Plan": []string{"a"}},
		m{"Status": "CONFIRM", "Comment": "shall I?"})
	b.Config.NewID = func() string { return "question-1" }
	agent := b.begun()
	text := changesOf(t, agent) + "\n"
	for range 2 {
		stepOf(t, agent)
		text += changesOf(t, agent) + "\n"
	}
	golden(t, "changes.jsonl", text)
}

func TestSnapshotAndRestoreInBetween(t *testing.T) {
	b := newBench(t, say(fsm.Continue), say(fsm.Continue))
	agent := b.begun()
	stepOf(t, agent)
	snapshot := snapshotOf(t, agent)
	other := b.agent()
	require.NoError(t, other.Restore([]byte(snapshot)))
	assert.Empty(t, changesOf(t, other), "what was restored is no news")
	stepOf(t, agent)
	require.NoError(t, other.Apply([]byte(changesOf(t, agent))), "also what the snapshot had already is told")
	assert.Equal(t, snapshotOf(t, agent), snapshotOf(t, other))
	require.NoError(t, agent.Restore([]byte(snapshot)))
	assert.Empty(t, changesOf(t, agent))
}

func TestApplyRefuses(t *testing.T) {
	for name, changes := range map[string]string{
		"no JSON":       "nothing",
		"list":          "[]",
		"more":          `{"version":1} {}`,
		"no version":    `{}`,
		"newer version": `{"version":2}`,
		"type":          `{"version":1,"set":{"task":7}}`,
		"memory":        `{"version":1,"set":{"steps":9},"memory":{"from":7,"add":[{}]}}`,
		"answers":       `{"version":1,"set":{"steps":9},"answers":{"from":7}}`,
		"before":        `{"version":1,"set":{"steps":9},"before":{"from":7}}`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, say(fsm.Continue))
			agent := b.begun()
			stepOf(t, agent)
			changesOf(t, agent)
			before := snapshotOf(t, agent)
			require.ErrorIs(t, agent.Apply([]byte(changes)), appagent.ErrChanges)
			assert.Equal(t, before, snapshotOf(t, agent))
			assert.Empty(t, changesOf(t, agent))
		})
	}
}

func TestApplyIgnoresUnknownFields(t *testing.T) {
	b := newBench(t)
	agent := b.agent()
	require.NoError(t, agent.Apply(nil))
	require.NoError(t, agent.Apply([]byte(`{"version":1,"later":1,"set":{"later":2,"answer":"x"},"unset":["never"]}`)))
	assert.Equal(t, "x", agent.Answer())
}

// looper is an agent in a conversation without end: work takes a step, tell returns
// what changed in it.
func looper(t testing.TB) (work func(), tell func() []byte) {
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: `{"Status": "CONTINUE", "Thought": "on", "Function": "noop", "Args": {"n": 1}}`}, nil
	})
	agent, err := appagent.New(appagent.Config{Model: model, Desktop: noop{}, NoImages: true})
	require.NoError(t, err)
	agent.SetStatus(fsm.Continue)
	require.NoError(t, agent.Begin(context.Background(), fsm.Task{Text: "go on"}))
	agent.Board().LogOps()
	state := agent.States().Bind(fsm.Continue)
	work = func() {
		if err := state.Handle(context.Background(), agent); err != nil {
			t.Fatal(err)
		}
		agent.SetStatus(fsm.Continue)
	}
	return work, func() []byte {
		mine, err := agent.Changes()
		if err != nil {
			t.Fatal(err)
		}
		ops, err := agent.Board().TakeOps()
		if err != nil {
			t.Fatal(err)
		}
		board, err := json.Marshal(ops)
		if err != nil {
			t.Fatal(err)
		}
		return append(mine, board...)
	}
}

// spent is what something allocates.
type spent struct{ count, bytes float64 }

func (s *spent) by(do func()) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	s.count += float64(after.Mallocs - before.Mallocs)
	s.bytes += float64(after.TotalAlloc - before.TotalAlloc)
}

func (s *spent) flat(t *testing.T, what string, few spent) {
	t.Helper()
	t.Logf("%s: %.0f bytes in %.0f allocations, then %.0f in %.0f", what, few.bytes, few.count, s.bytes, s.count)
	assert.LessOrEqual(t, s.count, 1.2*few.count, "allocations of %s", what)
	assert.LessOrEqual(t, s.bytes, 1.2*few.bytes, "bytes of %s", what)
}

// What a step changed costs the same after many as after few, though the memory is
// cut meanwhile, to tell and to keep. So does the step, once its prompt is as long as
// it gets.
func TestChangesAreFlat(t *testing.T) {
	work, tell := looper(t)
	var steps int
	cost := func(after int) (working, telling, kept spent) {
		for ; steps < after; steps++ {
			work()
			tell()
		}
		for range 50 {
			working.by(work)
			telling.by(func() { kept.bytes += float64(len(tell())) })
			steps++
		}
		return working, telling, kept
	}
	_, fewTelling, fewKept := cost(50)
	fewWorking, _, _ := cost(140)
	working, telling, kept := cost(sample.Of(5000, 500))
	telling.flat(t, "changes", fewTelling)
	kept.flat(t, "their text", fewKept)
	working.flat(t, "a step", fewWorking)
}

var unasked = llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return nil, fmt.Errorf("nobody asks") })

// FuzzApply: any changes either fit an agent, which then has a snapshot, or leave it
// as it was.
func FuzzApply(f *testing.F) {
	first := func(t testing.TB) *appagent.Agent {
		agent, err := appagent.New(appagent.Config{Model: unasked, Desktop: noop{}})
		require.NoError(t, err)
		return agent
	}
	f.Add([]byte(`{"version":1,"set":{"status":"CONTINUE","plan":["a"],"approval":{"id":"1","act":{"command":{"tool_name":"x","parameters":{"n":1e3}}}}},"unset":["answer"]}`))
	f.Add([]byte(`{"version":1,"memory":{"from":0,"add":[{"decision":{"a":"<"}}],"dropped":0},"answers":{"from":0,"add":[{"id":"1"}]},"before":{"from":0,"add":["a"]}}`))
	f.Add([]byte(`{"version":1,"set":{"memory":{"items":[{}]},"before":["x"],"Status":1}}`))
	f.Fuzz(func(t *testing.T, changes []byte) {
		agent := first(t)
		before := snapshotOf(t, agent)
		if err := agent.Apply(changes); err != nil {
			require.ErrorIs(t, err, appagent.ErrChanges)
			require.Equal(t, before, snapshotOf(t, agent))
			return
		}
		assert.Empty(t, changesOf(t, agent))
		again := first(t)
		require.NoError(t, again.Restore([]byte(snapshotOf(t, agent))))
		require.Equal(t, snapshotOf(t, agent), snapshotOf(t, again))
	})
}

// BenchmarkChanges is what it costs to tell what a step changed, in the agent and on
// its blackboard. The step is not counted.
func BenchmarkChanges(b *testing.B) {
	work, tell := looper(b)
	for range 300 {
		work()
		tell()
	}
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		work()
		b.StartTimer()
		b.ReportMetric(float64(len(tell())), "bytes/step")
	}
}
