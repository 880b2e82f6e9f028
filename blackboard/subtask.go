package blackboard

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// Subtask is a piece of the user's request, given to one application.
type Subtask struct {
	ID        string          `json:"id"`                   // unique in the session
	App       string          `json:"application"`          // who works on it
	Text      string          `json:"task"`                 // what is to be done
	DependsOn []string        `json:"depends_on,omitempty"` // ids of sub-tasks that it builds on; not checked
	Status    string          `json:"status"`               // how it ended; "": it is open
	Result    json.RawMessage `json:"data,omitempty"`       // what came out of it
	Reason    string          `json:"reason,omitempty"`     // why it ended so
}

// subtask is a Subtask with its number. It is replaced, never changed.
type subtask struct {
	N int `json:"n"`
	Subtask
}

const (
	idPrefix     = "subtask_"
	resultPrefix = "subtask_result_"
)

// SubtaskLister is an agent that hands over sub-tasks. A worker that gets one may
// ask in Begin what was done before: fsm.Task.From is the agent that handed it over.
type SubtaskLister interface {
	// Subtasks returns the sub-tasks of the current request, open and
	// closed, in order of opening.
	Subtasks() []Subtask
}

// Open records a new sub-task and returns it as the board stores it. An empty ID
// becomes subtask_N, where N counts on through the session. Open ignores Status, Result and
// Reason of s. The error is over [ErrInvalid] if the id was used
// before or the text is blank, or over [ErrFull].
func (b *Board) Open(s Subtask) (Subtask, error) {
	op := &boarddata.Op{Kind: boarddata.OpOpen, Name: s.ID, App: s.App, Text: s.Text, DependsOn: s.DependsOn}
	if err := b.change(op); err != nil {
		return Subtask{}, err
	}
	return Subtask{ID: op.Name, App: op.App, Text: op.Text, DependsOn: slices.Clone(op.DependsOn)}, nil
}

// open gives the sub-task the next number, unless op has one.
func (b *Board) open(op *boarddata.Op) error {
	var dependsOn []string // nil if there are none, as it is stored
	for _, id := range op.DependsOn {
		dependsOn = append(dependsOn, valid(id))
	}
	n, id := op.N, valid(op.Name)
	if n == 0 {
		n = b.opened() + 1
		// A caller may have used such an id of its own; then the number is
		// passed over, so that subtask_7 always has subtask_result_7.
		for id == "" && b.subtask(idPrefix+strconv.Itoa(n)) >= 0 {
			n++
		}
		if id == "" {
			id = idPrefix + strconv.Itoa(n)
		}
	}
	s := &subtask{n, Subtask{ID: id, App: valid(op.App), Text: valid(op.Text), DependsOn: dependsOn}}
	switch {
	case strings.TrimSpace(op.Text) == "":
		return fmt.Errorf("%w: a sub-task without a text", ErrInvalid)
	case id == "":
		return fmt.Errorf("%w: a sub-task without an id", ErrInvalid)
	case b.subtask(id) >= 0, n <= b.opened():
		return errExists
	}
	size := len(s.ID) + len(s.App) + len(s.Text) + len(strings.Join(s.DependsOn, ""))
	if err := b.room(size); err != nil {
		return err
	}
	op.N, op.Name, op.App, op.Text, op.DependsOn = n, s.ID, s.App, s.Text, s.DependsOn
	b.subtasks = append(b.subtasks, s)
	b.size += size
	return nil
}

// Close records how a sub-task ended and writes subtask_result_N. Result is
// its outcome as JSON, nil for none; Close copies it. The first close counts: a
// later one gives [ErrClosed]. The error is over that,
// [ErrNotFound], [ErrInvalid] if the status is empty, [ErrNotSerialisable]
// if result is not valid JSON, or [ErrFull], and the sub-task is as it was.
// A full board always accepts a close without a result.
func (b *Board) Close(id, status string, result json.RawMessage, reason string) error {
	return b.change(&boarddata.Op{Kind: boarddata.OpClose, Name: id, Value: result, Status: status, Reason: reason})
}

func (b *Board) close(op *boarddata.Op) (err error) {
	op.Name, op.Status, op.Reason = valid(op.Name), valid(op.Status), valid(op.Reason)
	i := b.subtask(op.Name)
	switch {
	case op.Status == "":
		return fmt.Errorf("%w: empty status", ErrInvalid)
	case i < 0:
		return ErrNotFound
	case b.subtasks[i].Status != "":
		return ErrClosed
	case len(op.Value) == 0:
		op.Value = nil
	default:
		if op.Value, err = normal(op.Value); err != nil {
			return err
		}
	}
	closed := *b.subtasks[i]
	closed.Status, closed.Result, closed.Reason = op.Status, op.Value, op.Reason
	shown := closed.Subtask
	shown.DependsOn = nil
	record, err := text(shown)
	name, e := closed.resultName(), value(record)
	if err == nil && op.Value != nil {
		err = b.room(b.growth(name, e))
	}
	if err != nil {
		return err
	}
	b.subtasks[i] = &closed
	b.set(name, e)
	return nil
}

// Subtasks returns copies of all sub-tasks of the session, open and closed, in
// order of opening.
func (b *Board) Subtasks() []Subtask {
	b.mu.RLock()
	defer b.mu.RUnlock()
	all := make([]Subtask, len(b.subtasks))
	for i, s := range b.subtasks {
		all[i] = s.Subtask
		all[i].DependsOn, all[i].Result = slices.Clone(s.DependsOn), slices.Clone(s.Result)
	}
	return all
}

// subtask returns the index of a sub-task, or -1.
func (c *contents) subtask(id string) int {
	return slices.IndexFunc(c.subtasks, func(s *subtask) bool { return s.ID == id })
}

func (s *subtask) resultName() string { return resultPrefix + strconv.Itoa(s.N) }

// opened returns the number that was given last.
func (c *contents) opened() int {
	if len(c.subtasks) == 0 {
		return 0
	}
	return c.subtasks[len(c.subtasks)-1].N
}

// resultNumber returns N of subtask_result_N, or 0.
func resultNumber(name string) int {
	digits, ok := strings.CutPrefix(name, resultPrefix)
	if !ok {
		return 0
	}
	if n, err := strconv.Atoi(digits); err == nil && n > 0 && strconv.Itoa(n) == digits {
		return n
	}
	return 0
}

// valid makes text what it would be after a round trip through JSON.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
