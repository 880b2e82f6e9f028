package round

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/proof"
)

// lineVersion is the version of the lines that [JSONL] and [JSONLResult] write. It is raised when a field changes its
// meaning or goes; new fields do not raise it, nor do lines of another kind: a step is a line with seq.
const lineVersion = 1

// line is a step as one line of JSON.
type line struct {
	Version   int             `json:"v"`
	Run       string          `json:"run,omitempty"`
	Round     int             `json:"round,omitempty"`
	Seq       int             `json:"seq"`
	Agent     string          `json:"agent"`
	Kind      string          `json:"kind"`
	From      fsm.Status      `json:"from"`
	NextAgent string          `json:"next_agent"`
	To        fsm.Status      `json:"to"`
	By        fsm.Cause       `json:"by"`
	Reason    string          `json:"reason,omitempty"`
	Attempts  int             `json:"attempts,omitempty"` // only when more than 1
	Calls     int             `json:"calls,omitempty"`
	Usage     llm.Usage       `json:"usage,omitzero"`
	Cost      float64         `json:"cost,omitempty"`
	Model     string          `json:"model,omitempty"`
	Decision  json.RawMessage `json:"decision,omitempty"`
	Repairs   []llm.Repair    `json:"repairs,omitempty"`
	Refused   []string        `json:"refused,omitempty"`
	Verdicts  []Verdict       `json:"verdicts,omitempty"`
	Commands  []Command       `json:"commands,omitempty"`
	Asks      []Ask           `json:"asks,omitempty"`
	Progress  Progress        `json:"progress,omitzero"`
	Started   time.Time       `json:"started,omitzero"`
	Duration  time.Duration   `json:"ns"`
	Phases    []Phase         `json:"phases,omitempty"`
	Error     string          `json:"error,omitempty"`
}

// MarshalJSON writes the step as [JSONL] does.
func (s Step) MarshalJSON() ([]byte, error) {
	l := line{
		Version: lineVersion, Run: s.Run, Round: s.Round, Seq: s.Seq,
		Agent: s.Agent, Kind: s.Kind, From: s.From,
		NextAgent: s.NextAgent, To: s.To,
		By: s.By, Reason: s.Reason,
		Calls: s.Calls, Usage: s.Usage, Cost: s.Cost, Model: s.Model,
		Decision: s.Decision, Repairs: s.Repairs, Refused: s.Refused, Progress: s.Progress, Verdicts: s.Verdicts, Commands: s.Commands, Asks: s.Asks,
		Started: s.Started, Duration: s.Duration, Phases: s.Phases,
	}
	if s.Attempts > 1 {
		l.Attempts = s.Attempts
	}
	if s.Err != nil {
		l.Error = s.Err.Error()
	}
	return json.Marshal(l)
}

// JSONL returns an observer that writes each step as one line of JSON, with one Write for each. Secrets and image bytes
// are left out already. It panics when a write fails, which the Round makes a fault: a run whose record cannot be kept
// does not go on as if it were. It is safe for concurrent use, so that several rounds may share a file.
//
// How the round ended, or that it was put aside, is in no step. [JSONLResult] writes that.
func JSONL(w io.Writer) func(Step) {
	var mu sync.Mutex
	return func(s Step) {
		text, err := json.Marshal(s)
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			_, err = w.Write(append(text, '\n'))
		}
		if err != nil {
			panic(err)
		}
	}
}

// end is a result as one line of JSON.
type end struct {
	Version int     `json:"v"`
	Result  endLine `json:"result"`
}

type endLine struct {
	Run         string     `json:"run,omitempty"`
	Round       int        `json:"round,omitempty"`
	Outcome     Outcome    `json:"outcome"`
	Agent       string     `json:"agent"`
	Status      fsm.Status `json:"status"`
	Reason      string     `json:"reason,omitempty"`
	Steps       int        `json:"steps"`
	Transitions int        `json:"transitions"`
	Calls       int        `json:"calls"`
	Usage       llm.Usage  `json:"usage"`
	Cost        float64    `json:"cost,omitempty"`
	Error       string     `json:"error,omitempty"`

	Partial  []proof.Undone `json:"partial,omitempty"`
	Verified *proof.Finding `json:"verified,omitempty"`
}

// JSONLResult writes what Run returned as one line of JSON, with one Write, behind the steps that [JSONL] wrote:
//
//	{"v":1,"result":{"outcome":"SUSPENDED","agent":"HostAgent","status":"PENDING",…}}
//
// A round that reached a bound, was suspended or was cancelled has no step that says so: without this line its file
// looks like that of a program that crashed. One that goes on has several, each behind the steps of one Run. The
// answer, the plan and the sub-tasks are not in it; what is in it is redacted. The error is that of w.
func JSONLResult(w io.Writer, res Result) error {
	l := end{Version: lineVersion, Result: endLine{
		Run: res.Run, Round: res.Round, Outcome: res.Outcome, Agent: res.Agent, Status: res.Status, Reason: res.Reason,
		Steps: res.Steps, Transitions: res.Transitions, Calls: res.Calls, Usage: res.Usage, Cost: res.Cost,
		Partial: res.Partial, Verified: res.Verified,
	}}
	if res.Err != nil {
		l.Result.Error = res.Err.Error()
	}
	text, err := json.Marshal(l)
	if err != nil {
		return err // a cost that is no number, of a Result that no round made
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
