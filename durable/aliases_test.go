package durable_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
)

// threeStepsAreKept takes three steps, and opens the run with another agent.
func threeStepsAreKept(t *testing.T, mk func() *pup) {
	t.Helper()
	st := store.Memory()
	s := open(t, mk(), st)
	_, err := s.Start("go")
	require.NoError(t, err)
	steps(t, s, 3)
	p := mk()
	open(t, p, st)
	require.Equal(t, 3, p.N)
}

// An agent may write its State into the same buffer at each step.
func TestStateInABufferThatIsUsedAgain(t *testing.T) {
	mk := func() *pup {
		var buf []byte
		p := root(func(_ context.Context, p *pup) (fsm.Status, error) {
			p.N++
			if p.N == 5 {
				return fsm.Finish, nil
			}
			return fsm.Continue, nil
		})
		p.save = func(p *pup) (fsm.Saved, error) {
			buf = fmt.Appendf(buf[:0], `{"N":%d}`, p.N)
			return fsm.Saved{State: buf}, nil
		}
		return p
	}
	threeStepsAreKept(t, mk)
}

// An agent may keep the map of its logs.
func TestLogsInAMapThatTheAgentKeeps(t *testing.T) {
	mk := func() *pup {
		own := fsm.Saved{State: json.RawMessage(`{}`), Logs: map[string]fsm.Log{}}
		p := root(func(_ context.Context, p *pup) (fsm.Status, error) {
			l := own.Logs["m"]
			l.Items = append(l.Items, json.RawMessage(fmt.Sprint(len(l.Items)+1)))
			own.Logs["m"] = l
			p.N = len(l.Items)
			return fsm.Continue, nil
		})
		p.save = func(*pup) (fsm.Saved, error) { return own, nil }
		p.load = func(p *pup, s fsm.Saved) error { own = s; p.N = len(s.Logs["m"].Items); return nil }
		return p
	}
	threeStepsAreKept(t, mk)
}

// An agent may go on with the map that it has loaded.
func TestLogsInTheMapThatWasLoaded(t *testing.T) {
	mk := func() *pup {
		own := map[string]fsm.Log{}
		p := root(func(_ context.Context, p *pup) (fsm.Status, error) {
			l := own["m"]
			l.Items = append(slices.Clip(l.Items), json.RawMessage(fmt.Sprint(len(l.Items)+1)))
			own["m"] = l
			p.N = len(l.Items)
			return fsm.Continue, nil
		})
		p.save = func(*pup) (fsm.Saved, error) {
			return fsm.Saved{State: json.RawMessage(`{}`), Logs: maps.Clone(own)}, nil
		}
		p.load = func(p *pup, s fsm.Saved) error {
			if own = s.Logs; own == nil {
				own = map[string]fsm.Log{}
			}
			p.N = len(own["m"].Items)
			return nil
		}
		return p
	}
	st := store.Memory()
	s := open(t, mk(), st)
	_, err := s.Start("go")
	require.NoError(t, err)
	steps(t, s, 2)
	p := mk()
	s = open(t, p, st)
	require.Equal(t, 2, p.N)
	steps(t, s, 2)
	require.Equal(t, 4, p.N)
	p = mk()
	open(t, p, st)
	require.Equal(t, 4, p.N)
}

// A log that is begun anew in the same array, and is as long as before, has other items.
func TestALogThatIsBegunAnewInItsPlace(t *testing.T) {
	var items []json.RawMessage
	mk := func() *pup {
		items = nil
		p := root(func(_ context.Context, p *pup) (fsm.Status, error) {
			p.N++
			if p.N == 3 {
				items = items[:0]
				items = append(items, json.RawMessage(`"c"`), json.RawMessage(`"d"`))
			} else if p.N < 3 {
				items = append(items, json.RawMessage(fmt.Sprintf("%q", []string{"a", "b"}[p.N-1])))
			}
			return fsm.Continue, nil
		})
		p.save = func(p *pup) (fsm.Saved, error) {
			s, err := fsm.SaveState(pupData{N: p.N})
			s.Logs = map[string]fsm.Log{"m": {Items: items}}
			return s, err
		}
		p.load = func(p *pup, s fsm.Saved) error { items = s.Logs["m"].Items; return nil }
		return p
	}
	st := store.Memory()
	s := open(t, mk(), st)
	_, err := s.Start("go")
	require.NoError(t, err)
	steps(t, s, 4)
	require.Equal(t, `["c" "d"]`, fmt.Sprintf("%s", items))
	open(t, mk(), st)
	require.Equal(t, `["c" "d"]`, fmt.Sprintf("%s", items))
}

// What an agent adds to a log that it has loaded is not overwritten by what the record has.
func TestAReplayKeepsTheLogsOfItsAgent(t *testing.T) {
	mk := func(word string, say func(string)) *pup {
		var items []json.RawMessage
		p := root(func(_ context.Context, p *pup) (fsm.Status, error) {
			p.N++
			if p.N%3 == 0 {
				say(fmt.Sprintf("%s", items))
				return fsm.Finish, nil
			}
			w := word
			if p.N < 4 {
				w = `"old"`
			}
			items = append(items, json.RawMessage(w))
			return fsm.Continue, nil
		})
		p.save = func(*pup) (fsm.Saved, error) {
			s, err := fsm.SaveState(map[string]int{"N": p.N})
			s.Logs = map[string]fsm.Log{"m": {Items: items}}
			return s, err
		}
		p.load = func(p *pup, s fsm.Saved) error {
			var m map[string]int
			if err := s.LoadState(&m); err != nil {
				return err
			}
			p.N, items = m["N"], s.Logs["m"].Items
			return nil
		}
		return p
	}
	st := store.Memory()
	s := open(t, mk(`"old"`, func(string) {}), st)
	for i := range 3 {
		_, err := s.Run(t.Context(), fmt.Sprint(i))
		require.NoError(t, err)
	}
	var last string
	_, err := durable.Replay(t.Context(), mk(`"new"`, func(s string) { last = s }), st, "run", nil)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(last, "new"), "the agent in the replay has its own data in its last round")
}
