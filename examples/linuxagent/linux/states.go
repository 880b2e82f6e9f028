package linux

import (
	"sync"

	"github.com/agentfsm/agentfsm/fsm"
)

// Kind is the name of this kind of agent.
const Kind = "LinuxAgent"

// States returns the table that all agents of this kind share. Customise a copy, States().With(…), and put it into
// Config.States.
func States() *fsm.Manager[*Agent] { return states() }

var states = sync.OnceValue(func() *fsm.Manager[*Agent] {
	return fsm.Table(Kind, []fsm.Row[*Agent]{
		{Status: fsm.Continue, Handle: (*Agent).step},
		{Status: fsm.Pending, Handle: (*Agent).pending},
		{Status: fsm.Confirm, Handle: (*Agent).confirm},
		// They end the round of an agent that runs alone; under a host, the sub-task.
		{Status: fsm.Finish, RoundEnd: true, SubtaskEnd: true},
		{Status: fsm.Fail, RoundEnd: true, SubtaskEnd: true},
		{Status: fsm.Error, RoundEnd: true, SubtaskEnd: true},
	},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel | fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Pending, By: fsm.ByModel},
		fsm.Edge{From: fsm.Continue, To: fsm.Confirm, By: fsm.ByModel | fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
		fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel},
		fsm.Edge{From: fsm.Pending, To: fsm.Continue, By: fsm.ByUser},
		fsm.Edge{From: fsm.Pending, To: fsm.Fail, By: fsm.ByTimeout | fsm.BySystem},
		fsm.Edge{From: fsm.Confirm, To: fsm.Continue, By: fsm.ByUser | fsm.BySystem},
		fsm.Edge{From: fsm.Confirm, To: fsm.Fail, By: fsm.ByUser | fsm.ByTimeout | fsm.BySystem},
	)
})
