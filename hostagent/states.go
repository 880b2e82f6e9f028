package hostagent

import (
	"sync"

	"github.com/agentfsm/agentfsm/fsm"
)

// kind is the name of this kind of agent.
const kind = "HostAgent"

// Assign is the status in which the host hands a sub-task to an AppAgent.
const Assign fsm.Status = "ASSIGN"

var (
	once   sync.Once
	states *fsm.Manager[*Agent]
)

// States returns the shared registry of the seven states of a HostAgent.
// Customise a copy: States().With(…), and put it into Config.States.
func States() *fsm.Manager[*Agent] {
	once.Do(func() {
		states = fsm.Table(kind, []fsm.Row[*Agent]{
			{Status: fsm.Continue, Handle: (*Agent).process},
			{Status: Assign, Handle: (*Agent).assign, NextState: (*Agent).entry, NextAgent: (*Agent).assigned}, // to what choose found in CONTINUE
			{Status: fsm.Finish, RoundEnd: true},
			{Status: fsm.Fail, RoundEnd: true, NextState: fsm.To[*Agent](fsm.Finish)},
			{Status: fsm.Error, RoundEnd: true, NextState: fsm.To[*Agent](fsm.Finish)},
			{Status: fsm.Pending, Handle: (*Agent).pending},
			{Status: fsm.Confirm, Handle: (*Agent).confirm},
		},
			fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
			fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel | fsm.BySystem},
			fsm.Edge{From: fsm.Continue, To: Assign, By: fsm.ByModel},
			fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
			fsm.Edge{From: fsm.Continue, To: fsm.Error, By: fsm.BySystem},
			fsm.Edge{From: fsm.Continue, To: fsm.Pending, By: fsm.ByModel},
			fsm.Edge{From: fsm.Continue, To: fsm.Confirm, By: fsm.ByModel | fsm.BySystem},
			fsm.Edge{From: Assign, Kind: fsm.AnyKind, By: fsm.BySystem}, // to its start
			fsm.Edge{From: fsm.Fail, To: fsm.Finish, By: fsm.BySystem},
			fsm.Edge{From: fsm.Error, To: fsm.Finish, By: fsm.BySystem},
			fsm.Edge{From: fsm.Pending, To: fsm.Continue, By: fsm.ByUser},
			fsm.Edge{From: fsm.Pending, To: fsm.Fail, By: fsm.ByTimeout | fsm.BySystem},
			fsm.Edge{From: fsm.Confirm, To: fsm.Continue, By: fsm.ByUser | fsm.BySystem},
			fsm.Edge{From: fsm.Confirm, To: fsm.Fail, By: fsm.ByUser | fsm.ByTimeout | fsm.BySystem},
		)
	})
	return states
}

// statesAlone are [States] where nobody can be asked: the model may give up.
var statesAlone = sync.OnceValue(func() *fsm.Manager[*Agent] {
	return States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel})
})
