package runs_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs"
)

// edition is an agent of two releases: only the newer one has the state REVIEW.
type edition struct {
	fsm.Position
	newer bool
	memo  struct{ Reviews int }
}

var editions = map[bool]*fsm.Manager[*edition]{
	false: fsm.Table("Edition",
		[]fsm.Row[*edition]{{Status: fsm.Continue, Handle: (*edition).write}, {Status: fsm.Finish, RoundEnd: true}},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem}, fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem}),
	true: fsm.Table("Edition",
		[]fsm.Row[*edition]{
			{Status: fsm.Continue, Handle: (*edition).write}, {Status: "REVIEW", Handle: (*edition).review}, {Status: fsm.Finish, RoundEnd: true},
		},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem}, fsm.Edge{From: fsm.Continue, To: "REVIEW", By: fsm.BySystem},
		fsm.Edge{From: "REVIEW", To: "REVIEW", By: fsm.BySystem}, fsm.Edge{From: "REVIEW", To: fsm.Finish, By: fsm.BySystem}),
}

func (e *edition) Name() string                          { return "edition" }
func (e *edition) States() fsm.Set                       { return editions[e.newer] }
func (e *edition) Begin(context.Context, fsm.Task) error { return nil }
func (e *edition) Answer() string                        { return fmt.Sprint(e.memo.Reviews) }
func (e *edition) Save() (fsm.Saved, error)              { return fsm.SaveState(e.memo) }
func (e *edition) Load(saved fsm.Saved) error            { return saved.LoadState(&e.memo) }

func (e *edition) write(context.Context) error {
	if e.newer {
		e.Decide("REVIEW", fsm.BySystem, "")
	} else {
		e.Decide(fsm.Finish, fsm.BySystem, "")
	}
	return nil
}

func (e *edition) review(context.Context) error {
	time.Sleep(time.Second)
	if e.memo.Reviews++; e.memo.Reviews < 20 {
		e.Decide("REVIEW", fsm.BySystem, "")
	} else {
		e.Decide(fsm.Finish, fsm.BySystem, "")
	}
	return nil
}

// A release that cannot go on with a run leaves it to one that can. That is no failure of the run.
func TestTwoReleases(t *testing.T) {
	for name, older := range map[string]func() (fsm.Worker, error){
		"a state is not there":       func() (fsm.Worker, error) { return &edition{}, nil },
		"it has the name of another": func() (fsm.Worker, error) { return (&world{}).teller("edition").Agent, nil },
		"the program cannot make the agent": func() (fsm.Worker, error) {
			return nil, fmt.Errorf("no review here: %w", round.ErrNotResumable)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, nil)
				process := func(agent func() (fsm.Worker, error)) *runs.Service {
					return w.process(runs.Config{
						MaxRuns: 2, Slice: 3, MaxTries: 4,
						Agent: func(context.Context, durable.State) (fsm.Worker, func(), error) {
							a, err := agent()
							return a, nil, err
						},
					})
				}
				svc := w.works(process(func() (fsm.Worker, error) { return &edition{newer: true}, nil }))
				const many = 8
				for i := range many {
					w.start(svc, fmt.Sprint("run ", i))
				}
				time.Sleep(10 * time.Second) // all are in REVIEW
				w.works(process(older))
				time.Sleep(20 * time.Minute)
				for i := range many {
					run := fmt.Sprint("run ", i)
					assert.Equal(t, `ended FINISH "" "20"`, w.stands(run))
					for r, err := range durable.Records(t.Context(), w.store, run) {
						require.NoError(t, err)
						assert.NotContains(t, []string{"postpone", "retry"}, r.Kind)
					}
				}
			})
		})
	}
}

// A run that no process can go on with stays as it is, and is looked at now and then.
func TestNoReleaseFits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		tried := 0
		w.works(w.process(runs.Config{MaxTries: 2, Agent: func(context.Context, durable.State) (fsm.Worker, func(), error) {
			tried++
			return nil, nil, round.ErrNotResumable
		}}))
		w.start(w.process(runs.Config{}), "a")
		time.Sleep(61 * time.Minute)
		assert.Equal(t, durable.Ready, w.look("a").Stage)
		assert.Zero(t, w.look("a").Tries)
		assert.InDelta(t, 13, tried, 2)
	})
}
