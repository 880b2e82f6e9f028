package program

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

// check is a status of our own: the host has its result checked before it answers. The model may write it, because the
// table says so, and sees it among its allowed_statuses.
const check fsm.Status = "CHECK"

// checked is where the outcome is, for the model to read: agree, or what differs.
var checked = blackboard.NewKey[string](checkedName)

const checkedName = "checked"

const agree = "the books agree"

// auditor is the state. It has what it works with, the shop, and no data of a run: one instance may serve every host.
type auditor struct{ shop *shop }

func (auditor) Name() fsm.Status { return check }

// Handle does what the state does: here no model is asked, code compares. An error would be a fault; that something
// does not add up is none, it goes back to the model.
func (a auditor) Handle(_ context.Context, host *hostagent.Agent) error {
	verdict := a.compare(host.Subtasks())
	if err := checked.Put(host.Board(), verdict); err != nil {
		return err
	}
	host.Decide(fsm.Continue, fsm.BySystem, verdict)
	return nil
}

func (a auditor) compare(done []blackboard.Subtask) string {
	var claimed order
	if len(done) == 0 || json.Unmarshal(done[len(done)-1].Result, &claimed) != nil {
		return "there is nothing to check"
	}
	booked, err := a.shop.order(claimed.Number)
	if err != nil || booked != claimed {
		return fmt.Sprintf("the books differ: %+v", booked)
	}
	return agree
}

// NextState and NextAgent are pure: they say what Handle decided.
func (auditor) NextState(host *hostagent.Agent) fsm.Status { return host.Decision().To }
func (auditor) NextAgent(host *hostagent.Agent) fsm.Agent  { return host }
func (auditor) IsRoundEnd() bool                           { return false }
func (auditor) IsSubtaskEnd() bool                         { return false }

// withCheck runs a host with the state.
func (o *office) withCheck(ctx context.Context) (round.Result, error) {
	states, err := o.checkedStates()
	if err != nil {
		return round.Result{}, err
	}
	r, err := o.round("look up order 1002", setup{states: states})
	if err != nil {
		return round.Result{}, err
	}
	return r.Run(ctx)
}

// checkedStates is the host's table with one state more. With makes a copy of the shared one with more edges, AddState
// puts the state into that copy; every other host stays what it was. hostagent.New validates the table: a state that
// cannot be reached, or left, is an error there.
func (o *office) checkedStates() (*fsm.Manager[*hostagent.Agent], error) {
	states := hostagent.States().With(
		fsm.Edge{From: fsm.Continue, To: check, By: fsm.ByModel},
		fsm.Edge{From: check, To: fsm.Continue, By: fsm.BySystem},
	)
	return states, states.AddState(check, auditor{o.shop})
}
