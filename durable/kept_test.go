package durable_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

var keep = flag.String("keep", "", "the new folder in testdata/journals that TestKeptJournals writes journals to, before a release")

// kept are the runs whose journals are kept, by their ids: how they are made, with what
// agent they are replayed, and what they came to.
var kept = map[string]struct {
	make  func(t *testing.T, st store.Store, run string)
	host  func(t *testing.T) fsm.Worker
	state durable.State // Outcome, Transitions, Calls and Answer
	open  int           // questions
}{
	"report": {
		make: func(t *testing.T, st store.Store, run string) {
			w := newWorld(t)
			_, err := w.keeps(st, run, nil).Run(t.Context(), "make the report")
			require.NoError(t, err)
		},
		host:  replayed,
		state: durable.State{Outcome: round.Finished, Transitions: 40, Calls: 31, Answer: "all is done"},
	},
	"killed": {
		make: func(t *testing.T, st store.Store, run string) {
			w := newWorld(t)
			w.store.Store = st
			for _, at := range []int{20, 3, 11, 5, 2, 8, 30} {
				w.store.start(at, at%2 == 0)
				s := w.keeps(w.store, run, nil)
				var err error
				if s.Round() == nil {
					_, err = s.Run(t.Context(), "make the report")
				} else {
					_, err = s.Round().Run(t.Context())
				}
				require.ErrorIs(t, err, round.ErrLost)
			}
			w.store.start(0, false)
			_, err := w.keeps(st, run, nil).Round().Run(t.Context())
			require.NoError(t, err)
		},
		host:  replayed,
		state: durable.State{Outcome: round.Finished, Answer: "all is done"},
	},
	"suspended": {
		make: func(t *testing.T, st store.Store, run string) {
			w := newWorld(t)
			_, err := w.keeps(st, run, people.Later()).Run(t.Context(), "make the report")
			require.ErrorIs(t, err, round.ErrSuspended)
		},
		host:  replayed,
		state: durable.State{Outcome: round.Suspended, Transitions: 1, Calls: 1},
		open:  2,
	},
	"answered": {
		make: func(t *testing.T, st store.Store, run string) {
			w := newWorld(t)
			_, err := w.keeps(st, run, people.Later()).Run(t.Context(), "make the report")
			for errors.Is(err, round.ErrSuspended) {
				state, look := durable.Look(t.Context(), st, run)
				require.NoError(t, look)
				for _, q := range state.Questions {
					_, err := durable.Answer(t.Context(), st, run, q.ID, people.Answer{Text: "blue", Approved: true})
					require.NoError(t, err)
				}
				_, err = w.keeps(st, run, people.Later()).Round().Run(t.Context())
			}
			require.NoError(t, err)
		},
		host:  replayed,
		state: durable.State{Outcome: round.Finished, Transitions: 40, Calls: 31, Answer: "all is done"},
	},
	"two rounds": {
		make: func(t *testing.T, st store.Store, run string) {
			w := newWorld(t)
			s := w.keeps(st, run, nil)
			for range 2 {
				_, err := s.Run(t.Context(), "make the report")
				require.NoError(t, err)
			}
		},
		host:  replayed,
		state: durable.State{Outcome: round.Finished, Answer: "all is done"},
	},
	"fault": {
		make: func(t *testing.T, st store.Store, run string) {
			w := newWorld(t)
			w.desk.Break("add_row", errBang)
			s := w.keeps(st, run, nil)
			_, err := s.Run(t.Context(), "make the report")
			require.ErrorIs(t, err, round.ErrFault)
		},
		host:  replayed,
		state: durable.State{Outcome: round.Faulted},
	},
	"pictures": {
		make: func(t *testing.T, st store.Store, run string) {
			w := newWorld(t)
			model := &seeing{replies: []string{
				`{"Status":"CONTINUE","Function":"add_row","Args":{"n":"1"}}`, "let me see", `{"Status":"CONTINUE","Function":"add_row","Args":{"n":"2"}}`, `{"Status":"FINISH","Result":{"rows":2}}`,
			}}
			s, err := durable.Open(t.Context(), painting(t, w, model, 0), st, run, nil)
			require.NoError(t, err)
			_, err = s.Run(t.Context(), "add two rows")
			require.NoError(t, err)
		},
		host: func(t *testing.T) fsm.Worker {
			none := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
				t.Error("the model is called")
				return nil, errTouched
			})
			return painting(t, newWorld(t), none, 0)
		},
		state: durable.State{Outcome: round.Finished, Answer: `{"rows":2}`},
	},
}

// careful is the policy of what is kept.
var careful = policies.All(policies.Default, policies.AskUncertain())

func replayed(t *testing.T) fsm.Worker {
	t.Helper()
	return untouched(t, func(c *hostagent.Config) { c.Policy = careful })
}

// keeps returns the session of a run of the world, which is resumed when it is there.
func (w *world) keeps(st store.Store, run string, user people.User) *durable.Session {
	w.t.Helper()
	if user == nil {
		user = people.UserFunc(w.answer)
	}
	host, err := hostagent.New(hostagent.Config{
		Model: llm.ModelFunc(w.think), Desktop: w.desk, User: user, NoImages: true,
		Policy: careful,
	})
	require.NoError(w.t, err)
	s, err := durable.Open(w.t.Context(), host, st, run, &durable.Options{Round: unbounded()})
	require.NoError(w.t, err)
	return s
}

// Journals of each release are read, replayed and resumed by this one.
func TestKeptJournals(t *testing.T) {
	const all = "../testdata/journals"
	if *keep != "" {
		st, err := store.Files(filepath.Join(all, *keep), nil)
		require.NoError(t, err)
		for run, c := range kept {
			c.make(t, st, run)
		}
	}
	releases, err := os.ReadDir(all)
	require.NoError(t, err)
	found := 0
	for _, release := range releases {
		if !release.IsDir() || release.Name() == "newer" {
			continue
		}
		t.Run(release.Name(), func(t *testing.T) {
			dir := t.TempDir() // what is kept is not written to
			require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join(all, release.Name()))))
			st, err := store.Files(dir, nil)
			require.NoError(t, err)
			for run, err := range st.Runs(t.Context()) {
				require.NoError(t, err)
				found++
				t.Run(run, func(t *testing.T) { checkKept(t, st, run) })
			}
		})
	}
	assert.GreaterOrEqual(t, found, len(kept))
}

func checkKept(t *testing.T, st store.Store, run string) {
	c, known := kept[run]
	require.True(t, known, "what is kept has a line in the table")
	state, err := durable.Look(t.Context(), st, run)
	require.NoError(t, err)
	assert.Equal(t, c.state.Outcome, state.Outcome)
	assert.Equal(t, c.state.Answer, state.Answer)
	if c.state.Transitions > 0 {
		assert.Equal(t, c.state.Transitions, state.Transitions)
		assert.Equal(t, c.state.Calls, state.Calls)
	}
	assert.Len(t, state.Questions, c.open)

	res, err := durable.Replay(t.Context(), c.host(t), st, run, nil)
	require.NoError(t, err)
	assert.Equal(t, state.Outcome, res.Outcome)
	assert.Equal(t, state.Answer, res.Answer)
	assert.Equal(t, state.Calls, res.Calls)

	s, err := durable.Open(t.Context(), c.host(t), st, run, &durable.Options{Existing: true})
	require.NoError(t, err)
	assert.Equal(t, state.Outcome, s.Round().Result().Outcome)
	assert.Len(t, s.Round().Result().Waits, c.open)
}

// What a newer version wrote is refused, and says so, before anything is done.
func TestJournalsOfANewerVersion(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../testdata/journals/newer")))
	st, err := store.Files(dir, nil)
	require.NoError(t, err)
	for _, run := range []string{"file", "records"} {
		var newer *store.VersionError
		_, err := durable.Open(t.Context(), untouched(t, nil), st, run, &durable.Options{Existing: true})
		require.ErrorAs(t, err, &newer)
		assert.Equal(t, run, newer.Run)
		assert.Contains(t, err.Error(), "use a newer version of the program")
		_, err = durable.Replay(t.Context(), untouched(t, nil), st, run, nil)
		require.ErrorIs(t, err, store.ErrVersion)
		_, err = durable.Look(t.Context(), st, run)
		require.ErrorIs(t, err, store.ErrVersion)
		_, err = durable.Answer(t.Context(), st, run, "1", people.Answer{})
		require.ErrorIs(t, err, store.ErrVersion)
		require.ErrorIs(t, durable.Fork(t.Context(), st, run, store.Memory(), "as", durable.Change{}), store.ErrVersion)
	}
}
