package plan

import (
	"fmt"
	"strings"

	cut "github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// row is an entry in JSON. The last two are derived, for prompts.
type row struct {
	fields
	Status    Status   `json:"status"`
	Subtask   string   `json:"subtask,omitempty"`
	Ready     bool     `json:"ready,omitempty"`
	BlockedBy []string `json:"blocked_by,omitempty"`
}

// MarshalJSON writes {id, task, application, depends_on, status, subtask}, and a
// note as a string.
func (e Entry) MarshalJSON() ([]byte, error) { return Shown{Entry: e}.MarshalJSON() }

// UnmarshalJSON reads what MarshalJSON writes. An object without a status is
// planned.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var r row
	if err := decode(data, &r.Task, &r); err != nil {
		return err
	}
	in := Entry{Item: Item(r.fields), Status: r.Status, Subtask: r.Subtask}
	switch in.Status {
	case Planned, Assigned, Finished, Failed, Dropped:
	case "":
		if !in.Note() {
			in.Status = Planned
		}
	default:
		return fmt.Errorf("plan: no item has the status %q", clip(string(in.Status)))
	}
	*e = in
	return nil
}

// Shown is an entry as a prompt shows it.
type Shown struct {
	Entry
	Ready     bool     // it can be begun now
	BlockedBy []string // what it waits for, as [Plan.Blocked] says
}

// MarshalJSON writes the entry with the members ready and blocked_by, where there
// is something to say in them, and a note as a string.
func (s Shown) MarshalJSON() ([]byte, error) {
	if s.Note() {
		return plainjson.Encode(s.Task)
	}
	return plainjson.Encode(row{fields(s.Item), s.Status, s.Subtask, s.Ready, s.BlockedBy})
}

// Show returns the plan as a prompt shows it: with what can be begun now and what
// the rest waits for, without what was dropped, and with long texts cut: names
// behind 120 bytes, tasks behind 2048. As JSON it can be read into a Plan again.
func (p Plan) Show() []Shown {
	kept := p.kept().Clone()
	list := make([]Shown, len(kept))
	for i, e := range kept {
		if e.Status == Planned {
			list[i].BlockedBy = clipped(p.missing(e))
			list[i].Ready = len(list[i].BlockedBy) == 0
		}
		e.ID, e.Task, e.Application = short(e.ID), cut.Text(e.Task, promptsize.PlanTask), short(e.Application)
		e.DependsOn = clipped(e.DependsOn)
		list[i].Entry = e
	}
	return list
}

// clipped shortens the ids of a list in place.
func clipped(ids []string) []string {
	for i, id := range ids {
		ids[i] = short(id)
	}
	return ids
}

// short is the beginning of a long name. It is for prompts alone, which no step has.
func short(name string) string {
	if len(name) <= promptsize.PlanName {
		return name
	}
	return strings.ToValidUTF8(name[:promptsize.PlanName], "") + "…"
}
