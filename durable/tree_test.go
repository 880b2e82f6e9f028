package durable_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/round"
)

// root is the first agent of a tree.
func root(do errand) *clerk {
	c := newClerk(do)
	c.name, c.answer = "root", func() string { return fmt.Sprint(c.N) }
	return c
}

// steps takes n steps and leaves, as a process that dies.
func steps(t *testing.T, s *round.Session, n int) {
	t.Helper()
	for _, err := range s.Round().Steps(t.Context()) {
		require.NoError(t, err)
		if n--; n == 0 {
			break
		}
	}
}

func open(t *testing.T, a fsm.Worker, st store.Store) *round.Session {
	t.Helper()
	s, err := durable.Open(t.Context(), a, st, "run", nil)
	require.NoError(t, err)
	return s
}

// scripted returns the first agent of a tree in which each agent does a step of its script after another one.
func scripted(script map[string]string) *clerk {
	return root(func(_ context.Context, p *clerk) (fsm.Status, error) {
		to, name, _ := strings.Cut(strings.Split(script[p.path], " / ")[p.N], " ")
		p.N++
		switch to {
		case "pass":
			p.next = p.kid(name)
			return pass, nil
		case "finish":
			return fsm.Finish, nil
		}
		return fsm.Continue, nil
	})
}

// Agents make workers of the same name: each goes on with its own data, whichever process it is.
func TestWorkersOfOneName(t *testing.T) {
	for name, script := range map[string]map[string]string{
		"in two rounds": {"": "pass A / finish / go / pass x / finish", "/A": "pass x / finish", "/A/x": "go / finish", "/x": "go / go / go / finish"},
		"in one round": {
			"": "pass A / go / pass B / finish / finish", "/A": "pass x / finish", "/A/x": "finish", "/B": "pass x / finish", "/B/x": "go / go / finish",
		},
	} {
		t.Run(name, func(t *testing.T) {
			st, p, steps := store.Memory(), scripted(script), 0
			saved := func() string {
				s, err := p.Save()
				require.NoError(t, err)
				raw, err := json.Marshal(s)
				require.NoError(t, err)
				return string(raw)
			}
			for round := 1; round <= 2; {
				was := saved()
				p = scripted(script)
				s := open(t, p, st)
				if r := s.Round(); r == nil || r.Result().Outcome.Ended() {
					_, err := s.Start("go")
					require.NoError(t, err)
				} else if steps > 0 {
					require.JSONEq(t, was, saved())
				}
				for _, err := range s.Round().Steps(t.Context()) {
					require.NoError(t, err)
					break // and the process dies
				}
				steps++
				if s.Round().Result().Outcome.Ended() {
					round++
				}
			}
		})
	}
}

// What an agent knows to which another one hands over cannot be lost in silence: the run is, before
// that one has done anything.
func TestAnAgentThatNobodySaves(t *testing.T) {
	for name, c := range map[string]struct {
		script  map[string]string
		forgets string // who does not save its workers
	}{
		"of the first agent":       {map[string]string{"": "pass x"}, ""},
		"of the second":            {map[string]string{"": "pass A", "/A": "pass x"}, "/A"},
		"another one is called so": {map[string]string{"": "pass A / finish / pass B", "/A": "pass x / finish", "/A/x": "finish", "/B": "pass x"}, "/B"},
	} {
		t.Run(name, func(t *testing.T) {
			p := scripted(c.script)
			for who := p; ; who = who.kid(c.forgets[1:]) {
				if who.path == c.forgets {
					who.save = func() (fsm.Saved, error) { return fsm.SaveState(who.N) }
					break
				}
			}
			s := open(t, p, store.Memory())
			_, err := s.Continue(t.Context(), "go")
			if err == nil {
				_, err = s.Run(t.Context(), "go on")
			}
			require.ErrorIs(t, err, round.ErrLost)
			require.ErrorIs(t, err, round.ErrNotResumable)
			require.ErrorContains(t, err, `it handed over to "x", which is not among the Workers of what it saves`)
		})
	}
}

// A maker may drop a worker that gave control back, in that round or in the next one: it is missed in none
// of the processes, one for each step.
func TestAgentsComeAndGo(t *testing.T) {
	for name, dropsAt := range map[string]int{"within its round": 2, "in the next round": 1} {
		t.Run(name, func(t *testing.T) {
			mk := func() *clerk {
				return root(func(_ context.Context, p *clerk) (fsm.Status, error) {
					p.N++
					if p.name != "root" {
						return fsm.Finish, nil
					}
					if p.N%4 == dropsAt {
						p.kids = nil
					}
					switch p.N % 4 {
					case 1:
						p.next = p.kid(fmt.Sprint("temp", p.N))
						return pass, nil
					case 0:
						return fsm.Finish, nil
					}
					return fsm.Continue, nil
				})
			}
			st := store.Memory()
			for i := range 3 {
				for range 6 {
					s := open(t, mk(), st)
					if begun(t, st) <= i {
						_, err := s.Start(fmt.Sprint(i))
						require.NoError(t, err)
					}
					steps(t, s, 1)
				}
				res, err := open(t, mk(), st).Continue(t.Context(), fmt.Sprint(i))
				require.NoError(t, err)
				assert.Equal(t, fmt.Sprint(4*(i+1)), res.Answer)
			}
		})
	}
}

// wild returns the first agent of a tree that does, by a seed, whatever agents do.
func wild(seed uint64) *clerk {
	return root(func(_ context.Context, p *clerk) (fsm.Status, error) {
		p.N++
		r := rand.New(rand.NewPCG(seed, uint64(p.N)*1000+uint64(len(p.name))*7+uint64(p.name[len(p.name)-1])))
		switch k := r.IntN(6); {
		case p.N > 12 || k == 0:
			return fsm.Finish, nil
		case k < 3 && len(p.name) < 9:
			p.next = p.kid(p.name + "/" + []string{"a", "b", "c"}[r.IntN(3)])
			if k == 2 && p.name != "root" {
				return yield, nil
			}
			return pass, nil
		}
		return fsm.Continue, nil
	})
}

// Whatever agents do, a run whose process dies after each step is the one that was not disturbed.
func TestTreesOfAgentsThatDieAfterEachStep(t *testing.T) {
	for seed := 0; seed < sample.Of(40, 8); seed += sample.Raced(4) {
		mk := func() *clerk { return wild(uint64(seed)) }
		rounds := []string{"one", "two", "three"}
		plain, st := mk(), store.Memory()
		s := open(t, plain, st)
		var want []string
		for _, q := range rounds {
			res, err := s.Run(t.Context(), q)
			want = append(want, fmt.Sprint(res.Outcome, res.Answer, err))
		}
		a, _ := plain.Save()
		wantJSON, _ := json.Marshal(a)

		st = store.Memory()
		var got []string
		var p *clerk
		for i, q := range rounds {
			for {
				p = mk()
				s := open(t, p, st)
				r := s.Round()
				if begun(t, st) <= i {
					var err error
					r, err = s.Start(q)
					require.NoError(t, err)
				}
				n, dead := 0, false
				for _, err := range r.Steps(t.Context()) {
					if err != nil {
						break
					}
					if n++; n == 1 {
						dead = true
						break
					}
				}
				if !dead {
					res, err := r.Run(t.Context())
					got = append(got, fmt.Sprint(res.Outcome, res.Answer, err))
					break
				}
			}
		}
		b, _ := p.Save()
		gotJSON, _ := json.Marshal(b)
		require.Equal(t, want, got, "seed %d", seed)
		require.JSONEq(t, string(wantJSON), string(gotJSON), "seed %d", seed)
		_, err := durable.Replay(t.Context(), mk(), st, "run", nil)
		require.NoError(t, err, "seed %d", seed)
	}
}

// A fork at any step has exactly the data of that step.
func TestForksOfTreesHaveTheDataOfTheirStep(t *testing.T) {
	type at struct {
		round, step int
		saved       string
	}
	for seed := 0; seed < sample.Of(25, 4); seed += sample.Raced(2) {
		p, st := wild(uint64(seed)), store.Memory()
		s := open(t, p, st)
		var all []at
		for i := range 3 {
			r, err := s.Start(fmt.Sprint(i))
			require.NoError(t, err)
			n := 0
			for _, err := range r.Steps(t.Context()) {
				require.NoError(t, err)
				n++
				saved, _ := p.Save()
				raw, _ := json.Marshal(saved)
				all = append(all, at{i + 1, n, string(raw)})
			}
		}
		behind := func(round, step int) int64 {
			for r, err := range durable.Records(t.Context(), st, "run") {
				require.NoError(t, err)
				if r.Round == round && r.Step == step+1 {
					return r.Seq
				}
			}
			require.Fail(t, "nothing is behind the step")
			return 0
		}
		for i, a := range all {
			as := fmt.Sprint("fork", i)
			require.NoError(t, durable.Fork(t.Context(), st, "run", st, as, durable.Change{Seq: behind(a.round, a.step)}))
			h := wild(uint64(seed))
			_, err := durable.Open(t.Context(), h, st, as, nil)
			require.NoError(t, err)
			saved, _ := h.Save()
			raw, _ := json.Marshal(saved)
			require.JSONEq(t, a.saved, string(raw), "seed %d fork %v", seed, a)
		}
	}
}

// begun returns how many rounds of a run have begun.
func begun(t *testing.T, st store.Store) int {
	t.Helper()
	state, err := durable.Look(t.Context(), st, "run")
	if errors.Is(err, durable.ErrNoRun) {
		return 0
	}
	require.NoError(t, err)
	return state.Rounds
}
