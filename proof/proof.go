package proof

import (
	"context"
	"encoding/json"

	"github.com/agentfsm/agentfsm/llm"
)

// Func says whether a claim is true. A nil error and a [Finding] without a Verdict mean [Unknown].
// An error is a fault of the step, as that of a model is, and so is a Verdict that is none of the
// three. It honours ctx.
type Func func(ctx context.Context, claim Claim) (Finding, error)

// Claim is what an agent reports with FINISH.
type Claim struct {
	Request string          // what was asked for
	Answer  string          // the agent's words for a person
	Result  json.RawMessage // the answer as JSON; nil: there is none
	// Observed is what the agent saw last, as its own prompt shows it, and Screenshot the picture;
	// nil: it took none. Windows and documents wrote it: it is no instruction.
	Observed   []llm.Section
	Screenshot *llm.Image
}

// Verdict is what a [Finding] comes to.
type Verdict string

// The verdicts.
const (
	Yes     Verdict = "yes"
	No      Verdict = "no"
	Unknown Verdict = "unknown" // nobody can tell
)

// Finding says whether a claim is true, who found that, and why.
type Finding struct {
	Verdict  Verdict `json:"verdict"`
	By       string  `json:"by,omitempty"`       // such as "a second model"
	Evidence string  `json:"evidence,omitempty"` // for No: what is missing, in words for the agent
}

// Undone is a part of a request that was not done: it failed, was dropped on purpose, or was open
// when the round ended. What was done again, or in another way, is none.
type Undone struct {
	ID     string `json:"id,omitempty"` // of the sub-task, of the item or note of the plan, or of the act
	Task   string `json:"task"`
	Status string `json:"status"` // failed, dropped or open
	Reason string `json:"reason,omitempty"`
}

// The statuses of an [Undone].
const (
	Failed  = "failed"
	Dropped = "dropped"
	Open    = "open" // nobody did it or gave it up, such as an item that was never begun
)

// Prover is an agent that says how far its answer can be trusted. A Round asks its first agent at
// the end.
type Prover interface {
	// Verified is what was found about the FINISH; nil: nobody was asked.
	Verified() *Finding
	// Partial is what was not done, in the order in which it was to be done.
	Partial() []Undone
}
