package round

import (
	"time"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/proof"
)

// Outcome says how a round ended, or why it stopped.
type Outcome string

// The outcomes. Only Finished is success. A round that is Unfinished, OverBudget, Suspended or Cancelled can go on.
const (
	Unfinished Outcome = ""          // not run, or the loop over Steps was left
	Finished   Outcome = "FINISH"    // reached FINISH, or an end that is marked as a success
	Failed     Outcome = "FAIL"      // reached FAIL, or another end that is no success
	Faulted    Outcome = "ERROR"     // an error, a panic or a step that is not in the table
	OverBudget Outcome = "BUDGET"    // a bound was reached
	Suspended  Outcome = "SUSPENDED" // waits for an answer from elsewhere
	Cancelled  Outcome = "CANCELLED" // the context was cancelled
	Lost       Outcome = "LOST"      // its Recorder takes nothing more from this process; Restore goes on
)

func (o Outcome) sentinel() error {
	switch o {
	case Failed:
		return ErrFailed
	case OverBudget:
		return ErrBudget
	case Suspended:
		return ErrSuspended
	case Cancelled:
		return ErrCancelled
	case Lost:
		return ErrLost
	default:
		return ErrFault
	}
}

// Ended reports whether a round came to its end: by Finished, Failed or Faulted.
func (o Outcome) Ended() bool { return o == Finished || o == Failed || o == Faulted }

// final reports whether the round does not go on in this process.
func (o Outcome) final() bool { return o.Ended() || o == Lost }

// Result is what a round came to. It is filled in for every outcome, as far as the round went.
type Result struct {
	Run         string               `json:"run,omitempty"`   // as in Step
	Round       int                  `json:"round,omitempty"` // as in Step
	Outcome     Outcome              `json:"outcome"`
	Agent       string               `json:"agent"`            // the agent at work when the round stopped, redacted
	Status      fsm.Status           `json:"status"`           // where it stood
	Answer      string               `json:"answer,omitempty"` // only of a Finished round
	Reason      string               `json:"reason,omitempty"` // the last decision's or the fault's, redacted
	Steps       int                  `json:"steps"`            // transitions whose Handle called the model
	Transitions int                  `json:"transitions"`
	Calls       int                  `json:"calls"`              // model calls, re-asks included
	Subtasks    []blackboard.Subtask `json:"subtasks,omitempty"` // of this round, in order; what is to be done and why it ended redacted, data not
	Partial     []proof.Undone       `json:"partial,omitempty"`  // of a round that ended: what failed, was dropped on purpose or is open, redacted
	Verified    *proof.Finding       `json:"verified,omitempty"` // of a Finished one: who found that its answer is true, and on what evidence, redacted; nil: nobody was asked
	Usage       llm.Usage            `json:"usage"`
	Cost        float64              `json:"cost,omitempty"`
	Waits       []people.Question    `json:"waits,omitempty"` // of a Suspended round: what is to be answered, by its ids; redacted, Command as it may be shown
	Wakes       time.Time            `json:"wakes,omitzero"`  // likewise: when a wait is over (effects.WaitUntil), the first of several; zero: it has none
	Err         error                `json:"-"`               // what Run returned; nil when Finished or Unfinished
}

// Result returns what the round came to so far.
func (r *Round) Result() Result {
	res := r.result
	res.Run, res.Round = r.meter.id.run, r.meter.id.round
	if !res.Outcome.final() {
		r.fill(&res)
		res.Status = r.pos.bound.Status()
	}
	all := r.board.Subtasks()
	if r.last >= 0 {
		all = all[:min(r.last, len(all))]
	}
	if len(all) > r.first {
		res.Subtasks = all[r.first:]
	}
	for i := range res.Subtasks {
		s := &res.Subtasks[i]
		s.Text, s.Reason = r.scrubber.scrub(s.Text), r.scrubber.brief(s.Reason)
	}
	return res
}

// fill notes who is at work and what was used so far.
func (r *Round) fill(res *Result) {
	res.Agent = named(r.scrubber.scrub(r.pos.agent.Name()))
	res.Steps, res.Transitions = r.meter.steps, r.meter.transitions
	res.Calls, res.Usage, res.Cost = r.meter.calls, r.meter.usage, r.meter.cost
}

// seal makes res final: what happens later, such as another round on the same blackboard, is not in it.
func (r *Round) seal(res Result) {
	r.fill(&res)
	r.result = res
	r.last = r.board.Inside().Progress(0).Total
}
