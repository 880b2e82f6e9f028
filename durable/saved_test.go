package durable_test

import (
	"fmt"
	"maps"
	"slices"

	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// An agent may save nearly what it likes. A run loads it again, or it is lost at the step that saved it:
// never is it recorded and unreadable.
func TestWhatAgentsSaveIsReadAgain(t *testing.T) {
	logs := func(name string, dropped int, items ...json.RawMessage) fsm.Saved {
		return fsm.Saved{State: []byte(`{}`), Logs: map[string]fsm.Log{name: {Dropped: dropped, Items: items}}}
	}
	for name, c := range map[string]struct {
		saved fsm.Saved
		lost  string
	}{
		"nothing":             {fsm.Saved{}, ""},
		"null":                {fsm.Saved{State: []byte(`null`)}, ""},
		"an array":            {fsm.Saved{State: []byte(`[1]`)}, ""},
		"a large number":      {fsm.Saved{State: []byte(`{"a":1e400}`)}, ""},
		"items that are gone": {logs("m", 3, []byte(`1`)), ""},
		"no JSON":             {fsm.Saved{State: []byte(`{"a":`)}, "JSON"},
		"two values":          {fsm.Saved{State: []byte(`{} {}`)}, "invalid character"},
		"deep":                {fsm.Saved{State: []byte(`{"a":` + strings.Repeat("[", 9998) + strings.Repeat("]", 9998) + `}`)}, "nested too deep"},
		"dropped below zero":  {logs("m", -1, []byte(`1`)), `its log "m" has dropped -1 items`},
		"a log's name":        {logs("\xff", 0, []byte(`1`)), `the name of its log "\xff" is no text`},
		"a worker's name":     {fsm.Saved{Workers: map[string]fsm.Saved{"\xff": {}}}, `the name of its worker "\xff" is no text`},
		"a worker's log":      {fsm.Saved{Workers: map[string]fsm.Saved{"x": logs("m", -1)}}, `worker "x": its log "m" has dropped -1 items`},
	} {
		t.Run(name, func(t *testing.T) {
			var got fsm.Saved
			mk := func() *clerk {
				p := root(finishes)
				p.save = func() (fsm.Saved, error) { return c.saved, nil }
				p.load = func(s fsm.Saved) error { got = s; return nil }
				return p
			}
			st := store.Memory()
			s := open(t, mk(), st)
			_, err := s.Run(t.Context(), "one")
			if c.lost != "" {
				require.ErrorIs(t, err, round.ErrLost)
				require.ErrorContains(t, err, c.lost)
				return
			}
			require.NoError(t, err)
			open(t, mk(), st)
			was, err := json.Marshal(c.saved)
			require.NoError(t, err)
			is, err := json.Marshal(got)
			require.NoError(t, err)
			assert.Equal(t, string(was), string(is))
		})
	}
}

// A result may be valid JSON that is nested too deep inside of its record. Its act fails, and the run can
// still be opened.
func TestResultsThatAreNestedTooDeep(t *testing.T) {
	for depth := 9990; depth <= 10000; depth++ {
		y := newTally(t)
		desk := screen(func(desktop.Command) (desktop.Result, error) {
			deep := strings.Repeat("[", depth) + strings.Repeat("]", depth)
			return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: json.RawMessage(deep)}}}, nil
		})
		var failed error
		_, err := y.begin(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
			_, failed = desktop.Execute(ctx, desk, desktop.Command{ToolName: "dig"})
			return "", errAway
		}).Run(t.Context(), "go")
		require.ErrorIs(t, err, round.ErrSuspended)
		if depth == 10000 {
			require.ErrorContains(t, failed, "nested too deep")
		}
		y.resume(finishes)
	}
}

// An agent may save what it goes on writing into, and go on with what it has loaded. What it knew after each
// step is there in the next process.
func TestWhatAgentsSaveIsTheirs(t *testing.T) {
	item := func(n int) json.RawMessage { return json.RawMessage(fmt.Sprint(n)) }
	object := json.RawMessage(`{}`)
	type keeper struct {
		write func(n int)
		save  func() fsm.Saved
		load  func(fsm.Saved)
	}
	for name, mk := range map[string]func() keeper{
		"its State in a buffer that is used again": func() keeper {
			buf := []byte(`0`)
			return keeper{
				write: func(n int) { buf = fmt.Appendf(buf[:0], `%d`, n) },
				save:  func() fsm.Saved { return fsm.Saved{State: buf} },
				load:  func(s fsm.Saved) { buf = append(buf[:0], s.State...) },
			}
		},
		"its logs in a map that it keeps": func() keeper {
			own := fsm.Saved{State: object, Logs: map[string]fsm.Log{}}
			return keeper{
				write: func(n int) { own.Logs["m"] = fsm.Log{Items: append(own.Logs["m"].Items, item(n))} },
				save:  func() fsm.Saved { return own },
				load:  func(s fsm.Saved) { own = s },
			}
		},
		"its logs in the map that it loaded": func() keeper {
			own := map[string]fsm.Log{}
			return keeper{
				write: func(n int) { own["m"] = fsm.Log{Items: append(slices.Clip(own["m"].Items), item(n))} },
				save:  func() fsm.Saved { return fsm.Saved{State: object, Logs: maps.Clone(own)} },
				load:  func(s fsm.Saved) { own = s.Logs },
			}
		},
		"a log that is begun anew in its place": func() keeper {
			var items []json.RawMessage
			return keeper{
				write: func(n int) {
					if n == 3 {
						items = append(items[:0], item(8))
					}
					if items = append(items, item(n)); n > 3 {
						items = items[:2]
					}
				},
				save: func() fsm.Saved { return fsm.Saved{State: object, Logs: map[string]fsm.Log{"m": {Items: items}}} },
				load: func(s fsm.Saved) { items = s.Logs["m"].Items },
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var k keeper
			agent := func() *clerk {
				k = mk()
				n, own := 0, k
				p := root(func(context.Context, *clerk) (fsm.Status, error) {
					n++
					own.write(n)
					return fsm.Continue, nil
				})
				p.save = func() (fsm.Saved, error) {
					saved := own.save()
					saved.Workers = map[string]fsm.Saved{"n": {State: item(n)}}
					return saved, nil
				}
				p.load = func(s fsm.Saved) error {
					own.load(s)
					return s.Workers["n"].LoadState(&n)
				}
				return p
			}
			known := func() string {
				saved := k.save()
				return fmt.Sprintf("%s %s", saved.State, saved.Logs["m"].Items)
			}
			st := store.Memory()
			s := open(t, agent(), st)
			_, err := s.Start("go")
			require.NoError(t, err)
			for _, n := range []int{2, 1, 2} { // steps of a process
				steps(t, s, n)
				want := known()
				s = open(t, agent(), st)
				require.Equal(t, want, known())
			}
		})
	}
}

// What an agent adds to a log that it has loaded is not overwritten by what the record has.
func TestAReplayKeepsTheLogsOfItsAgent(t *testing.T) {
	mk := func(word string, say func(string)) *clerk {
		var items []json.RawMessage
		p := root(func(_ context.Context, p *clerk) (fsm.Status, error) {
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
		p.save = func() (fsm.Saved, error) {
			s, err := fsm.SaveState(map[string]int{"N": p.N})
			s.Logs = map[string]fsm.Log{"m": {Items: items}}
			return s, err
		}
		p.load = func(s fsm.Saved) error {
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
