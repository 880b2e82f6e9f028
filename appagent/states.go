package appagent

import (
	"sync"

	"github.com/agentfsm/agentfsm/fsm"
)

// kind is the name of this kind of agent.
const kind = "AppAgent"

var (
	once   sync.Once
	states *fsm.Manager[*Agent]
)

// States returns the shared registry of the seven states of an AppAgent.
// Customise a copy: States().With(…), and put it into Config.States.
func States() *fsm.Manager[*Agent] {
	once.Do(func() {
		states = fsm.Table(kind, []fsm.Row[*Agent]{
			{Status: fsm.Continue, Handle: (*Agent).process},
			{Status: fsm.Screenshot, Handle: (*Agent).observe, NextState: fsm.To[*Agent](fsm.Continue)},
			{Status: fsm.Pending, Handle: (*Agent).pending},
			{Status: fsm.Confirm, Handle: (*Agent).confirm},
			{Status: fsm.Finish, RoundEnd: true, SubtaskEnd: true},
			{Status: fsm.Fail, RoundEnd: true, SubtaskEnd: true},
			{Status: fsm.Error, RoundEnd: true, SubtaskEnd: true},
		},
			fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
			fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel | fsm.BySystem},
			fsm.Edge{From: fsm.Continue, To: fsm.Pending, By: fsm.ByModel},
			fsm.Edge{From: fsm.Continue, To: fsm.Confirm, By: fsm.ByModel | fsm.BySystem},
			fsm.Edge{From: fsm.Continue, To: fsm.Screenshot, By: fsm.ByModel},
			fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
			fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel | fsm.BySystem},
			fsm.Edge{From: fsm.Continue, To: fsm.Error, By: fsm.BySystem},
			fsm.Edge{From: fsm.Pending, To: fsm.Continue, By: fsm.ByUser},
			fsm.Edge{From: fsm.Pending, To: fsm.Fail, By: fsm.ByTimeout | fsm.BySystem},
			fsm.Edge{From: fsm.Confirm, To: fsm.Continue, By: fsm.ByUser | fsm.BySystem},
			fsm.Edge{From: fsm.Confirm, To: fsm.Fail, By: fsm.ByUser | fsm.ByTimeout | fsm.BySystem},
			fsm.Edge{From: fsm.Screenshot, To: fsm.Continue, By: fsm.BySystem},
		)
	})
	return states
}
