package runtask

import (
	"cmp"
	"encoding/json"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/round"
)

// Result is what a task came to that ended in FINISH.
type Result struct {
	round.Result
	// Warning says that the session could not be closed. The task is done all the
	// same.
	Warning error

	maxData int // 0: defaultMaxData
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
		entry := subtask{Subtask: s, Data: s.Result}
		if most >= 0 && len(s.Result) > most {
			entry.Data, entry.DataBytes = nil, len(s.Result)
		}
		out.Subtasks = append(out.Subtasks, entry)
	}
	if r.Warning != nil {
		out.Warning = r.Warning.Error()
	}
	return json.Marshal(out)
}
