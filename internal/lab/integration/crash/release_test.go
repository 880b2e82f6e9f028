package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs"
)

// auditor counts, asks a person in some runs, and, since its second release, has its work audited in a state of its own.
type auditor struct {
	fsm.Position
	release int
	asks    bool

	did struct {
		Counted, Audited int
		Answered         bool
	}
}

const auditing fsm.Status = "AUDITING"

// auditors are the tables of the releases. The second one has another state, and another step on the way to the end.
var auditors = map[int]fsm.Set{
	1: fsm.Table("Auditor",
		[]fsm.Row[*auditor]{
			{Status: fsm.Continue, Handle: (*auditor).count},
			{Status: fsm.Finish, RoundEnd: true},
			{Status: fsm.Error, RoundEnd: true},
		},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	),
	2: fsm.Table("Auditor",
		[]fsm.Row[*auditor]{
			{Status: fsm.Continue, Handle: (*auditor).count},
			{Status: auditing, Handle: (*auditor).audit},
			{Status: fsm.Finish, RoundEnd: true},
			{Status: fsm.Error, RoundEnd: true},
		},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: auditing, By: fsm.BySystem},
		fsm.Edge{From: auditing, To: fsm.Finish, By: fsm.BySystem},
	),
}

// counts is how many steps of an auditor count; each takes a moment.
const counts = 60

func (a *auditor) Name() string                          { return "auditor" }
func (a *auditor) States() fsm.Set                       { return auditors[a.release] }
func (a *auditor) Begin(context.Context, fsm.Task) error { return nil }
func (a *auditor) Save() (fsm.Saved, error)              { return fsm.SaveState(a.did) }
func (a *auditor) Load(saved fsm.Saved) error            { return saved.LoadState(&a.did) }
func (a *auditor) Answer() string {
	return fmt.Sprintf("%d counted, %d audited", a.did.Counted, a.did.Audited)
}

func (a *auditor) count(ctx context.Context) error {
	if a.asks && !a.did.Answered && a.did.Counted == counts/2 {
		if _, err := people.Ask(ctx, people.Later(), people.Question{Agent: "auditor", Text: "Go on?"}, 0); err != nil {
			return err
		}
		a.did.Answered = true
	}
	pause(ctx, 20*time.Millisecond)
	if a.release == 1 && a.did.Counted == counts-1 { // however long it takes until the release comes
		a.Decide(fsm.Continue, fsm.BySystem, "")
		return nil
	}
	a.did.Counted++
	to := fsm.Continue
	if a.did.Counted == counts {
		to = auditing
	}
	a.Decide(to, fsm.BySystem, "")
	return nil
}

func (a *auditor) audit(context.Context) error {
	a.did.Audited++
	a.Decide(fsm.Finish, fsm.BySystem, "")
	return nil
}

// TestRelease rolls out a release with a new state while 20 runs are suspended and 20 are under way, on each engine that needs
// no program of others.
func TestRelease(t *testing.T) {
	for _, name := range append([]string{""}, engineNames()...) {
		if name != "" && engines[name].real {
			continue
		}
		t.Run("on "+name, func(t *testing.T) { testRelease(t, name, "", storeSQLite, filepath.Join(t.TempDir(), "runs.db")) })
	}
}

// On PostgreSQL, which has the journals and what DBOS keeps.
func TestRealReleaseOnPostgreSQL(t *testing.T) {
	for _, name := range []string{"", "dbos"} {
		t.Run("on "+name, func(t *testing.T) { testRelease(t, name, "", storePostgres, realpartstest.Postgres(t).DSN("")) })
	}
}

// On a Temporal server, which make temporal-server builds.
func TestRealReleaseOnTemporal(t *testing.T) {
	address, namespace := realpartstest.Temporal(t)
	testRelease(t, "temporal", address+" "+namespace, storeSQLite, filepath.Join(t.TempDir(), "runs.db"))
}

func engineNames() (names []string) {
	for name := range engines {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// testRelease has the engine at a place; "": it starts what the engine needs. The journals are in a store of a kind.
func testRelease(t *testing.T, engineName, at, kind, place string) {
	t.Helper()
	const each = 20
	st, closeStore, err := openStore(t.Context(), kind, place)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, closeStore()) })
	if at == "" {
		var closeServer func() error
		at, closeServer, err = startEngine(t.Context(), engineName, t.TempDir(), kind, place)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, closeServer()) })
	}

	release := func(n int) (svc *runs.Service, end func()) {
		engine, closeEngine, err := openEngine(t.Context(), job{Store: kind, Place: place, Engine: engineName, At: at, Name: fmt.Sprintf("release-%d", n)})
		require.NoError(t, err)
		svc, err = runs.New(st, runs.Config{
			Engine: engine, Poll: 50 * time.Millisecond, MaxRuns: 2 * each,
			Round: &round.Options{MaxTransitions: -1},
			Agent: func(_ context.Context, run durable.State) (fsm.Worker, func(), error) {
				return &auditor{release: n, asks: string(run.Meta) == "true"}, nil, nil
			},
		})
		require.NoError(t, err)
		done := make(chan error, 1)
		go func() { done <- svc.Work(t.Context()) }()
		return svc, func() {
			assert.NoError(t, svc.Close(t.Context()))
			assert.ErrorIs(t, <-done, runs.ErrClosed)
			assert.NoError(t, closeEngine())
		}
	}
	stand := func(svc *runs.Service, q durable.Query) (states []durable.State) {
		for state, err := range svc.List(t.Context(), q) {
			require.NoError(t, err)
			states = append(states, state)
		}
		return states
	}

	old, end := release(1)
	for i := range each {
		_, err := old.Start(t.Context(), fmt.Sprintf("suspended %d", i), "count", &durable.StartOptions{Meta: []byte("true")})
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool { return len(stand(old, durable.Query{Asks: true})) == each }, 2*time.Minute, 10*time.Millisecond)
	for i := range each {
		_, err := old.Start(t.Context(), fmt.Sprintf("under way %d", i), "count", nil)
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool {
		for i := range each { // a list shows no steps of a run that is driven
			state, err := old.Get(t.Context(), fmt.Sprintf("under way %d", i))
			require.NoError(t, err)
			if state.Transitions == 0 {
				return false
			}
		}
		return true
	}, 2*time.Minute, 20*time.Millisecond)
	end()
	under := stand(old, durable.Query{Prefix: "under way", Stages: []durable.Stage{durable.Ready}})
	require.Len(t, under, each, "all are under way when the release comes")

	svc, end := release(2)
	defer end()
	for _, state := range stand(svc, durable.Query{Asks: true}) {
		given, err := svc.Answer(t.Context(), state.Run, state.Waits[0].ID, people.Answer{Approved: true})
		require.NoError(t, err)
		assert.True(t, given)
	}
	require.Eventually(t, func() bool { return len(stand(svc, durable.Query{Stages: []durable.Stage{durable.Ended}})) == 2*each }, 2*time.Minute, 50*time.Millisecond)
	audited := 0
	for _, state := range stand(svc, durable.Query{}) {
		assert.Equal(t, "FINISH", string(state.Outcome), "%s: %s", state.Run, state.Reason)
		if state.Answer == "60 counted, 1 audited" {
			audited++
		}
	}
	assert.Equal(t, 2*each, audited, "all went through the new state")
}
