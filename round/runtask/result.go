package runtask

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/round"
)

// Result is what a task came to that ended in FINISH.
type Result struct {
	round.Result
	// Warning says that the session could not be closed. The task is done all the same.
	Warning error

	maxData int // 0: the default
}

// MarshalJSON writes the JSON of the [round.Result], in which data longer than
// [Options].MaxData is left out, and the text of the Warning.
func (r Result) MarshalJSON() ([]byte, error) {
	// A name that is given here hides that of what is embedded.
	type subtask struct {
		blackboard.Subtask
		Data      json.RawMessage `json:"data,omitempty"`
		DataBytes int             `json:"data_bytes,omitempty"`
	}
	out := struct {
		round.Result
		Subtasks []subtask `json:"subtasks,omitempty"`
		Warning  string    `json:"warning,omitempty"`
	}{Result: r.Result}
	most := cmp.Or(r.maxData, defaultMaxData)
	for _, s := range r.Subtasks {
		if most >= 0 && len(s.Result) > most {
			out.Subtasks = append(out.Subtasks, subtask{Subtask: s, DataBytes: len(s.Result)})
		} else {
			out.Subtasks = append(out.Subtasks, subtask{Subtask: s, Data: s.Result})
		}
	}
	if r.Warning != nil {
		out.Warning = r.Warning.Error()
	}
	return json.Marshal(out)
}

// errNoSession says that there is no Session to run the task: the func or the Session is nil, as in a zero Tool, or
// the func returned neither a Session nor an error.
var errNoSession = errors.New("runtask: there is no session")

// Error says that a task did not end in FINISH. errors.Is finds the errors of package round in it, such as
// round.ErrFailed. Its text says how far the task got, because it is often all that another model is told.
type Error struct {
	// Result is as far as the round got. With [New] its sub-tasks and its plan are those
	// of after the session was closed; with [Shared] one may be open: its Status is "".
	Result round.Result
	err    error // what the Session's Run returned
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "runtask: the task did not finish: %v", e.err)
	lead := "; sub-tasks: "
	for _, s := range e.Result.Subtasks {
		fmt.Fprintf(&b, "%s%s (%s): %s", lead, s.Text, s.App, cmp.Or(s.Status, "not finished"))
		if s.Reason != "" {
			b.WriteString(", " + s.Reason)
		}
		lead = "; "
	}
	return b.String()
}

// Unwrap returns what the Session's Run returned.
func (e *Error) Unwrap() error { return e.err }
