package hostagent_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/internal/savetest"
)

// elsewhere returns a host as it is in another process: its data has been
// through JSON, and so has its blackboard.
func (b *bench) elsewhere(host *hostagent.Agent) *hostagent.Agent {
	b.t.Helper()
	saved := savetest.JSON(b.t, host)
	board, err := json.Marshal(host.Board())
	require.NoError(b.t, err)
	b.Config.Board = blackboard.New(0)
	require.NoError(b.t, json.Unmarshal(board, b.Config.Board))
	restored := b.host()
	savetest.Load(b.t, restored, saved)
	require.Equal(b.t, saved, savetest.JSON(b.t, restored), "what loaded it saves the same")
	assert.Equal(b.t, host.Status(), restored.Status())
	assert.Equal(b.t, host.Decision(), restored.Decision())
	return restored
}

// begun is a host with a request that is handled by hand.
func (b *bench) begun() *hostagent.Agent {
	b.t.Helper()
	host := b.host()
	host.SetStatus(fsm.Continue)
	require.NoError(b.t, host.Begin(b.t.Context(), fsm.Task{Text: "do it"}))
	return host
}

// Agents of applications come back with what they remember when they are next
// assigned, and the host continues its own conversation.
func TestLoadWithAgents(t *testing.T) {
	b := newBench(t,
		assign("0", "first"), m{"Status": "CONTINUE", "Thought": "page 3"}, m{"Status": "FINISH", "Result": "r1"},
		assign("0", "second"), m{"Status": "FINISH", "Result": "r2"}, m{"Status": "FINISH", "Comment": "done"})
	host := b.begun()
	app := walkTo(t, host, 3) // CONTINUE, ASSIGN, CONTINUE of the application
	handBack(t, host, step(t.Context(), t, app))

	host = b.elsewhere(host)
	assert.Nil(t, host.App("word/report"), "it is made when it is needed")
	app = walkTo(t, host, 2)
	assert.Equal(t, "AppAgent/word/report", app.Name())
	handBack(t, host, step(t.Context(), t, app))
	step(t.Context(), t, host)
	assert.Equal(t, "done", host.Answer())

	history := section[[]acting.Memo](b, 4, "history")
	require.Len(t, history, 2)
	assert.Contains(t, string(history[0].Decision), "page 3")
	previous := section[[]blackboard.Subtask](b, 5, "previous_subtasks")
	require.Len(t, previous, 2)
	assert.JSONEq(t, `"r1"`, string(previous[0].Result))
	assert.JSONEq(t, `"r2"`, string(previous[1].Result))
	assert.Len(t, section[[]acting.Memo](b, 5, "history"), 2, "the host remembers its own steps")
}

// walkTo takes n steps and returns who is next.
func walkTo(t *testing.T, agent fsm.Agent, n int) fsm.Agent {
	t.Helper()
	for range n {
		agent = step(t.Context(), t, agent)
	}
	return agent
}

// handBack returns control to the host, as a Round does.
func handBack(t *testing.T, host *hostagent.Agent, app fsm.Agent) {
	t.Helper()
	require.True(t, app.States().Bind(app.Status()).Terminal(), "it is at %s", app.Status())
	host.SetStatus(fsm.Continue)
}

// A host that was restored while an application was at work closes the sub-task by what its
// agent came to, or says that it was interrupted. The item of its plan has the same end.
func TestLoadWhileAnApplicationWorks(t *testing.T) {
	for name, tc := range map[string]struct {
		worked int
		status string
		result string
		reason string
		item   plan.Status
	}{
		"done":        {2, "FINISH", `"r"`, "", plan.Finished},
		"interrupted": {1, "FAIL", ``, "the agent stopped in CONTINUE, before it had finished", plan.Failed},
		"not begun":   {0, "FAIL", ``, "the agent stopped in CONTINUE, before it had finished", plan.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			replies := []any{assignPlanned("a", two), say(fsm.Continue), m{"Status": "FINISH", "Result": "r"}}[:tc.worked+1]
			b := newBench(t, append(replies, say(fsm.Continue))...)
			host := b.begun()
			walkTo(t, host, 2+tc.worked)
			host = b.elsewhere(host)
			assert.Equal(t, plan.Assigned, hostagent.PlanOf(host)[0].Status)
			host.SetStatus(fsm.Continue)
			step(t.Context(), t, host)
			closed := host.Subtasks()[0]
			assert.Equal(t, tc.status, closed.Status)
			assert.Equal(t, tc.result, string(closed.Result))
			assert.Equal(t, tc.reason, closed.Reason)
			assert.Equal(t, tc.item, hostagent.PlanOf(host)[0].Status)
		})
	}
}

// Who came back counts, also where the host is another process's and the agent that it
// handed over to was never made there.
func TestReturnedElsewhere(t *testing.T) {
	b := newBench(t, assign("0", "x"))
	host := b.begun()
	walkTo(t, host, 2)
	host = b.elsewhere(host)
	other := &foreign{name: "Another"}
	other.SetStatus(fsm.Fail)
	other.Decide(fsm.Fail, fsm.BySystem, "no paper")
	host.Returned(other)
	require.NoError(t, host.CloseSubtasks(fsm.Error, "it is over"))
	require.Len(t, host.Subtasks(), 1)
	assert.Equal(t, "FAIL", host.Subtasks()[0].Status)
	assert.Equal(t, "no paper", host.Subtasks()[0].Reason)
}

func TestLoadFails(t *testing.T) {
	item := fsm.Log{Items: []json.RawMessage{json.RawMessage("7")}}
	for name, saved := range map[string]fsm.Saved{
		"no JSON":      {State: json.RawMessage("nothing")},
		"type":         {State: json.RawMessage(`{"request": 7}`)},
		"open":         {State: json.RawMessage(`{"open": "subtask_1"}`)},
		"plan":         {State: json.RawMessage(`{"plan":[{"id":"a","task":"t","depends_on":["a"],"status":"planned"}]}`)},
		"other window": {State: json.RawMessage(`{"workers":{"word/report":{"name":"f","window":{"root":"excel"}}}}`)},
		"memory":       {State: json.RawMessage("{}"), Logs: map[string]fsm.Log{"memory": item}},
		"launched":     {State: json.RawMessage("{}"), Logs: map[string]fsm.Log{"launched": item}},
		"other agents": {State: json.RawMessage("{}"), Workers: map[string]fsm.Saved{"f": {}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, say(fsm.Finish))
			host, s := b.session()
			_, err := s.Run(t.Context(), "do it")
			require.NoError(t, err)
			before := savetest.JSON(t, host)
			require.ErrorContains(t, host.Load(saved), "hostagent: load: ")
			assert.Equal(t, before, savetest.JSON(t, host))
		})
	}
}

// keeper is a foreign agent that can be saved.
type keeper struct {
	foreign
	state  string
	err    error
	loaded string
}

func (k *keeper) Save() (fsm.Saved, error)   { return fsm.Saved{State: json.RawMessage(k.state)}, k.err }
func (k *keeper) Load(saved fsm.Saved) error { k.loaded = string(saved.State); return k.err }

func TestSaveForeignAgents(t *testing.T) {
	made := func(t *testing.T, worker fsm.Worker) (*bench, *hostagent.Agent) {
		t.Helper()
		b := newBench(t, assign("0", "x"))
		b.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return worker, nil }
		host := b.begun()
		walkTo(t, host, 2)
		return b, host
	}
	t.Run("without", func(t *testing.T) {
		_, host := made(t, &foreign{name: "f"})
		saved, err := host.Save()
		require.NoError(t, err)
		assert.Empty(t, saved.Workers)
	})
	t.Run("fails", func(t *testing.T) {
		cause := errors.New("busy")
		_, host := made(t, &keeper{foreign: foreign{name: "k"}, err: cause})
		_, err := host.Save()
		assert.ErrorIs(t, err, cause)
		assert.ErrorContains(t, err, "hostagent: save: the agent of word/report: ")
	})
	t.Run("one for two applications", func(t *testing.T) {
		b := newBench(t, assign("0", "x"), assign("1", "y"))
		worker := &keeper{foreign: foreign{name: "k"}}
		b.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return worker, nil }
		host := b.begun()
		walkTo(t, host, 2)
		host.SetStatus(fsm.Continue)
		walkTo(t, host, 2)
		_, err := host.Save()
		assert.ErrorContains(t, err, `hostagent: save: two agents of applications are called "k"`)
	})
	t.Run("two of a name", func(t *testing.T) {
		b := newBench(t, assign("0", "x"), assign("1", "y"))
		b.Config.NewApp = func(_ context.Context, cfg appagent.Config) (fsm.Worker, error) {
			if cfg.Window.Root == "word" {
				return &keeper{foreign: foreign{name: "k"}}, nil
			}
			cfg.Name = "k"
			return appagent.New(cfg)
		}
		host := b.begun()
		walkTo(t, host, 2)
		host.SetStatus(fsm.Continue)
		step(t.Context(), t, host)
		for name, host := range map[string]*hostagent.Agent{`of kind "Foreign"`: host, "which is not made again yet": b.elsewhere(host)} {
			err := host.States().Bind(hostagent.Assign).Handle(t.Context(), host)
			assert.EqualError(t, err, `hostagent: the agent of excel/book: hostagent: Config.NewApp made one of kind "AppAgent" that is called "k", as is that of word/report, `+
				name+`: give each a name of its own, such as App.Name`)
		}
	})
	t.Run("comes back", func(t *testing.T) {
		worker := &keeper{foreign: foreign{name: "k"}, state: `{"mine":1}`}
		b, host := made(t, worker)
		host = b.elsewhere(host)
		step(t.Context(), t, host)
		assert.Equal(t, `{"mine":1}`, worker.loaded)
	})
	t.Run("does not come back", func(t *testing.T) {
		worker := &keeper{foreign: foreign{name: "k"}, state: `{"mine":1}`}
		b, host := made(t, worker)
		host = b.elsewhere(host)
		worker.err = errors.New("old format")
		err := host.States().Bind(hostagent.Assign).Handle(t.Context(), host)
		assert.ErrorIs(t, err, worker.err)
		assert.ErrorContains(t, err, "hostagent: the agent of ")
		host.SetStatus(fsm.Continue)
		assert.ErrorIs(t, host.States().Bind(fsm.Continue).Handle(t.Context(), host), worker.err)
	})
}

// noteTool takes anything.
var noteTool = desktoptest.Tool{Name: "note", Schema: `{"type":"object"}`}
