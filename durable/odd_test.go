package durable_test

import (
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
				p := root(func(context.Context, *clerk) (fsm.Status, error) { return fsm.Continue, nil })
				p.save = func() (fsm.Saved, error) { return c.saved, nil }
				p.load = func(s fsm.Saved) error { got = s; return nil }
				return p
			}
			st := store.Memory()
			s := open(t, mk(), st)
			_, err := s.Start("one")
			require.NoError(t, err)
			var stopped error
			n := 0
			for _, err := range s.Round().Steps(t.Context()) {
				if stopped = err; n == 2 {
					break
				}
				n++
			}
			if c.lost != "" {
				require.ErrorIs(t, stopped, round.ErrLost)
				require.ErrorContains(t, stopped, c.lost)
				return
			}
			require.NoError(t, stopped)
			open(t, mk(), st)
			was, err := json.Marshal(c.saved)
			require.NoError(t, err)
			is, err := json.Marshal(got)
			require.NoError(t, err)
			assert.Equal(t, string(was), string(is))
		})
	}
}

// deep is a desktop whose results are nested.
type deep string

func (d deep) Tools(context.Context) ([]desktop.Tool, error) { return nil, nil }
func (d deep) Execute(_ context.Context, c desktop.Command) (desktop.Result, error) {
	return desktop.Result{Status: desktop.Success, CallID: c.CallID, Content: []desktop.Content{{JSON: json.RawMessage(d)}}}, nil
}

// A result may be valid JSON that is nested too deep inside of its record. Its act fails, and the run can
// still be opened.
func TestResultsThatAreNestedTooDeep(t *testing.T) {
	for depth := 9990; depth <= 10000; depth++ {
		st := store.Memory()
		var failed error
		mk := func() *clerk {
			return root(func(ctx context.Context, p *clerk) (fsm.Status, error) {
				if p.N++; p.N == 2 {
					d := deep(strings.Repeat("[", depth) + strings.Repeat("]", depth))
					_, failed = desktop.Execute(ctx, d, desktop.Command{ToolName: "dig"})
				}
				return fsm.Continue, nil
			})
		}
		s := open(t, mk(), st)
		_, err := s.Start("one")
		require.NoError(t, err)
		steps(t, s, 3)
		if depth == 10000 {
			require.ErrorContains(t, failed, "nested too deep")
		}
		_, err = durable.Open(t.Context(), mk(), st, "run", nil)
		require.NoError(t, err, depth)
	}
}
