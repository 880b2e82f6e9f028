package hostagent_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/internal/savetest"
	"github.com/agentfsm/agentfsm/round"
)

// follower is another process, which loads what the first one saves.
type follower struct {
	t     *testing.T
	cfg   hostagent.Config
	host  *hostagent.Agent // the first one's
	other *hostagent.Agent
	blobs map[string][]byte
	steps int
}

// follow starts from all that there is.
func follow(t *testing.T, cfg hostagent.Config, host *hostagent.Agent) *follower {
	f := &follower{t: t, cfg: cfg, host: host, blobs: map[string][]byte{}}
	host.Board().Inside().LogOps()
	board, err := json.Marshal(host.Board())
	require.NoError(t, err)
	f.cfg.Board = blackboard.New(nil)
	require.NoError(t, json.Unmarshal(board, f.cfg.Board))
	f.other, err = hostagent.New(f.cfg)
	require.NoError(t, err)
	savetest.Load(t, f.other, savetest.JSON(t, host))
	return f
}

// step brings over what there is after a step, and compares everything.
func (f *follower) step() {
	f.t.Helper()
	f.steps++
	saved := savetest.JSON(f.t, f.host)
	savetest.Load(f.t, f.other, saved)
	assert.Equal(f.t, saved, savetest.JSON(f.t, f.other))

	ops, err := f.host.Board().Inside().TakeOps()
	require.NoError(f.t, err)
	for _, op := range ops {
		if op.Kind == boarddata.OpPutBlob {
			require.NotContains(f.t, f.blobs, op.Name, "each image is new once")
			f.blobs[op.Name] = op.Data
		}
	}
	require.NoError(f.t, f.cfg.Board.Inside().Replay(ops))
	want, err := json.Marshal(f.host.Board())
	require.NoError(f.t, err)
	got, err := json.Marshal(f.cfg.Board)
	require.NoError(f.t, err)
	require.Equal(f.t, string(want), string(got))
	assert.Equal(f.t, f.host.Board().Size(), f.cfg.Board.Size())
	if f.t.Failed() {
		f.t.FailNow()
	}
}

// In whatever conversation, another process that loads what the first one saved has the
// same data and the same blackboard after each step, and can take over after any.
func TestSaveInRandomConversations(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(sample.Of(8, 2)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c := newChance(seed)
			c.seen = seen
			cfg := c.stage(t)
			host, err := hostagent.New(cfg)
			require.NoError(t, err)
			f := follow(t, cfg, host)
			for f.steps < sample.Of(80, 40) {
				s, err := round.NewSession(f.host, &round.Options{MaxSteps: -1, MaxTransitions: 60, MaxRepeats: -1})
				require.NoError(t, err)
				for range 3 {
					drive(t, c, s, f)
				}
				f.takeOver(c)
			}
		})
	}
	if testing.Short() {
		return // some conversations need not have everything
	}
	for _, what := range []string{
		"ASSIGN", "CONFIRM", "CONTINUE", "FINISH", "PENDING", "SCREENSHOT", "broken", "large", "list", "note", "select_application_window",
		"set_edit_text", "suspended", "taken over", "unknown", "wipe",
	} {
		assert.Positive(t, seen[what], "%s never came up", what)
	}
}

// drive runs a round to its end, step by step.
func drive(t *testing.T, c *chance, s *round.Session, f *follower) {
	t.Helper()
	r, err := s.Start(c.word())
	require.NoError(t, err)
	for range 4 { // a run that is suspended goes on
		for _, err = range r.Steps(t.Context()) {
			f.step()
		}
		if err == nil {
			break
		}
	}
	f.step() // what the end of the round changed
}

// takeOver has the other process go on, with a third one behind it. The agents that
// it asks for by name are there.
func (f *follower) takeOver(c *chance) {
	f.t.Helper()
	var d struct {
		Workers map[string]struct{ Name string } `json:"workers"`
	}
	before := savetest.JSON(f.t, f.other)
	require.NoError(f.t, savetest.Read(f.t, before).LoadState(&d))
	for _, key := range slices.Sorted(maps.Keys(d.Workers)) {
		w := d.Workers[key]
		if c.in(50) {
			continue
		}
		worker, err := f.other.Worker(f.t.Context(), w.Name)
		require.NoError(f.t, err)
		require.Equal(f.t, w.Name, worker.Name())
		require.Same(f.t, worker, f.other.App(key))
		c.seen["taken over"]++
	}
	require.Equal(f.t, before, savetest.JSON(f.t, f.other))
	steps := f.steps
	*f = *follow(f.t, f.cfg, f.other)
	f.steps = steps
}

// A plan that binds comes over with how far it has come, and binds there.
func TestSaveAPlan(t *testing.T) {
	ordered := []m{{"id": "a", "task": "first"}, {"id": "b", "task": "second", "depends_on": []string{"a"}}}
	b := newBench(t, assignPlanned("0", "a", ordered), m{"Status": "FINISH", "Result": "r"}, assign("0", "b"), m{"Status": "FAIL"},
		say(fsm.Finish), assignPlanned("0", "b", ordered))
	host := b.begun()
	f := follow(t, b.Config, host)
	var agent fsm.Agent = host
	for range 6 {
		agent = step(t.Context(), t, agent)
		if agent != fsm.Agent(host) && agent.States().Bind(agent.Status()).Terminal() {
			agent = host
			host.SetStatus(fsm.Continue)
		}
		f.step()
		assert.Equal(t, planOf(host), planOf(f.other))
	}
	require.True(t, planOf(f.other).Enforced())
	require.NoError(t, host.CloseSubtasks(fsm.Fail, "it is over"))
	f.step()
	assert.Equal(t, planOf(host), planOf(f.other))
	assert.Equal(t, host.Subtasks(), f.other.Subtasks())
	f.other.SetStatus(fsm.Continue)
	step(t.Context(), t, f.other)
	assert.Equal(t, hostagent.Assign, f.other.Status(), "it may not finish with an item that failed, but plan it again")
}

// Who came back counts, also where the host is another process's and the agent that it
// handed over to was never made there. No host closes it twice.
func TestReturnedElsewhere(t *testing.T) {
	b := newBench(t, assign("0", "x"))
	host := b.begun()
	f := follow(t, b.Config, host)
	walkTo(t, host, 2)
	f.step()
	other := &foreign{name: "Another"}
	other.SetStatus(fsm.Fail)
	other.Decide(fsm.Fail, fsm.BySystem, "no paper")
	f.other.Returned(other)
	require.NoError(t, f.other.CloseSubtasks(fsm.Error, "it is over"))
	require.Len(t, f.other.Subtasks(), 1)
	assert.Equal(t, "FAIL", f.other.Subtasks()[0].Status)
	assert.Equal(t, "no paper", f.other.Subtasks()[0].Reason)
	assert.NotContains(t, savetest.JSON(t, f.other), `"open"`)
}
