package fsm_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

// silent says nothing about success: it has no method IsSuccess.
type silent struct {
	name fsm.Status
	end  bool
}

func (s silent) Name() fsm.Status                     { return s.name }
func (s silent) Handle(context.Context, *agent) error { return nil }
func (s silent) NextState(a *agent) fsm.Status        { return a.Decision().To }
func (s silent) NextAgent(a *agent) fsm.Agent         { return a }
func (s silent) IsRoundEnd() bool                     { return s.end }
func (s silent) IsSubtaskEnd() bool                   { return s.end }

// Success is what the end of a table says it is, in a row or in a state of one's own;
// what cannot be a success is found.
func TestSuccess(t *testing.T) {
	const none = "fsm: Kind: no end is a success: register FINISH, or set Success in the row of a state that ends"
	type row = fsm.Row[*agent]
	for name, c := range map[string]struct {
		end  fsm.State[*agent]
		want bool
		says []string
	}{
		"FINISH":                      {row{Status: fsm.Finish, RoundEnd: true}.State(), true, nil},
		"FINISH of one's own":         {silent{fsm.Finish, true}, true, nil},
		"DONE, marked":                {row{Status: "DONE", RoundEnd: true, Success: true}.State(), true, nil},
		"DONE, marked, of a sub-task": {row{Status: "DONE", SubtaskEnd: true, Success: true}.State(), true, nil},
		"a state that says so":        {&plain{name: "END", end: true}, true, nil},
		"DONE, not marked":            {row{Status: "DONE", RoundEnd: true}.State(), false, []string{none}},
		"a state that does not say":   {silent{"DONE", true}, false, []string{none}},
		"FAIL, marked": {row{Status: fsm.Fail, RoundEnd: true, Success: true}.State(), false, []string{
			none, "fsm: Kind: FAIL: it is marked as a success, which it never is"}},
		"DONE, marked, which goes on": {row{Status: "DONE", Success: true}.State(), false, []string{
			none, "fsm: Kind: DONE: it does not end, and no edge leads out of it", "fsm: Kind: DONE: it is marked as a success, and does not end"}},
	} {
		t.Run(name, func(t *testing.T) {
			end := c.end.Name()
			m := fsm.NewManager[*agent]("Kind", fsm.Edge{To: "A", By: fsm.BySystem}, fsm.Edge{From: "A", To: end, By: fsm.BySystem})
			register(t, m, "A")
			require.NoError(t, m.AddState(end, c.end))
			assert.Equal(t, c.want, m.Bind(end).IsSuccess())
			assert.Equal(t, c.says, findings(t, m.Validate()))
		})
	}
}
