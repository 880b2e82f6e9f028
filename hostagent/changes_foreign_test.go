package hostagent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
)

// teller is a foreign agent that tells its changes: numbers that it was given.
type teller struct {
	foreign
	numbers []int
	told    int
	err     error
}

func (c *teller) Snapshot() ([]byte, error) { return json.Marshal(c.numbers) }
func (c *teller) Restore(raw []byte) error  { return json.Unmarshal(raw, &c.numbers) }
func (c *teller) Apply(raw []byte) (err error) {
	var more []int
	err = json.Unmarshal(raw, &more)
	c.numbers = append(c.numbers, more...)
	c.told = len(c.numbers)
	return err
}

func (c *teller) Changes() ([]byte, error) {
	if c.err != nil || c.told == len(c.numbers) {
		return nil, c.err
	}
	raw, err := json.Marshal(c.numbers[c.told:])
	c.told = len(c.numbers)
	return raw, err
}

// assigned is a host that has given work to an agent of that kind.
func assigned(t *testing.T, worker fsm.Worker) (*bench, *hostagent.Agent) {
	t.Helper()
	b := newBench(t, assign("0", "x"))
	b.Config.NewApp = func(context.Context, hostagent.App) (fsm.Worker, error) { return worker, nil }
	host := b.begun()
	walkTo(t, host, 2)
	return b, host
}

// The changes of agents of another kind are kept as they are, until one is made that
// understands them.
func TestChangesOfForeignAgents(t *testing.T) {
	first := &teller{foreign: foreign{name: "f"}, numbers: []int{1}}
	b, host := assigned(t, first)
	other := b.host()
	require.NoError(t, other.Apply([]byte(changesOf(t, host))))
	for n := range 3 {
		first.numbers = append(first.numbers, n)
		changes := changesOf(t, host)
		assert.JSONEq(t, fmt.Sprintf(`{"version":1,"apps":{"word/report":{"changes":[%d]}}}`, n), changes)
		require.NoError(t, other.Apply([]byte(changes)))
	}
	third := b.host()
	require.NoError(t, third.Restore([]byte(snapshotOf(t, other))))
	for _, h := range []*hostagent.Agent{other, third} {
		second := &teller{foreign: foreign{name: "f"}}
		h = b.with(t, h, second)
		worker, err := h.Worker(t.Context(), "f")
		require.NoError(t, err)
		require.Same(t, second, worker)
		assert.Equal(t, []int{1, 0, 1, 2}, second.numbers)
		assert.Equal(t, snapshotOf(t, host), snapshotOf(t, h))
	}
}

// with is the host with another factory.
func (b *bench) with(t *testing.T, host *hostagent.Agent, worker fsm.Worker) *hostagent.Agent {
	t.Helper()
	b.Config.NewApp = func(context.Context, hostagent.App) (fsm.Worker, error) { return worker, nil }
	again := b.host()
	require.NoError(t, again.Restore([]byte(snapshotOf(t, host))))
	return again
}

func TestChangesOfAgentsWithSnapshotsOnly(t *testing.T) {
	worker := &keeper{foreign: foreign{name: "k"}, snapshot: `{"mine":1}`}
	b, host := assigned(t, worker)
	assert.Contains(t, changesOf(t, host), `"snapshot":{"mine":1}`)
	assert.Empty(t, changesOf(t, host))
	worker.snapshot = `{"mine":2}`
	assert.JSONEq(t, `{"version":1,"apps":{"word/report":{"snapshot":{"mine":2}}}}`, changesOf(t, host))

	other := b.host()
	require.NoError(t, other.Restore([]byte(snapshotOf(t, host))))
	worker.snapshot = `{"mine":3}`
	require.NoError(t, other.Apply([]byte(changesOf(t, host))))
	_, err := other.Worker(t.Context(), "k")
	require.NoError(t, err)
	assert.Empty(t, changesOf(t, other), "it is what was applied")

	_, host = assigned(t, &foreign{name: "f"})
	changes := changesOf(t, host)
	assert.NotContains(t, changes, `"snapshot"`)
	other = newBench(t).host()
	require.NoError(t, other.Apply([]byte(changes)))
	assert.Equal(t, snapshotOf(t, host), snapshotOf(t, other))
}

// Where one agent fails, nothing is lost that others told.
func TestChangesThatFail(t *testing.T) {
	cause := errors.New("busy")
	worker := &teller{foreign: foreign{name: "f"}, numbers: []int{1}}
	b, host := assigned(t, worker)
	other := b.host()
	require.NoError(t, other.Apply([]byte(changesOf(t, host))))
	worker.numbers, worker.err = []int{1, 2}, cause
	host.SetStatus(fsm.Continue)
	_, err := host.Changes()
	require.ErrorIs(t, err, cause)
	assert.ErrorContains(t, err, "hostagent: changes: the agent of word/report: ")
	worker.err, worker.told = nil, 2 // it takes it for told
	require.NoError(t, other.Apply([]byte(changesOf(t, host))))
	assert.Equal(t, snapshotOf(t, host), snapshotOf(t, other))
}
