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

// Open records a new sub-task and returns it as it is stored. An empty ID
// becomes subtask_N, where N counts on through the session. Status, Result and
// Reason of s are ignored. The error is over [ErrInvalid] when the id was used
// before or the text is blank, or over [ErrFull].
func (b *Board) Open(s Subtask) (Subtask, error) {
	op := &boarddata.Op{Kind: boarddata.OpOpen, Name: s.ID, App: s.App, Text: s.Text, DependsOn: s.DependsOn}
	if err := newSubtask(op); err != nil {
		return Subtask{}, &opError{"open", op.Name, err}
	}
	if err := b.change(op); err != nil {
		return Subtask{}, err
	}
	return Subtask{ID: op.Name, App: op.App, Text: op.Text, DependsOn: slices.Clone(op.DependsOn)}, nil
}

// newSubtask makes the texts of a sub-task valid, in a copy.
func newSubtask(op *boarddata.Op) error {
	var dependsOn []string // nil if there are none, as it is stored
	for _, id := range op.DependsOn {
		dependsOn = append(dependsOn, valid(id))
	}
	op.Name, op.App, op.Text, op.DependsOn = valid(op.Name), valid(op.App), valid(op.Text), dependsOn
	if strings.TrimSpace(op.Text) == "" {
		return fmt.Errorf("%w: a sub-task without a text", ErrInvalid)
	}
	return nil
}

// open gives the sub-task the next number, unless op has one.
func (b *Board) open(op *boarddata.Op) error {
	n, id := op.N, op.Name
	if n == 0 {
		n = b.opened() + 1
		// A caller may have used such an id of its own; then the number is
		// passed over, so that subtask_7 always has subtask_result_7.
		for op.Name == "" && b.byID[idPrefix+strconv.Itoa(n)] != nil {
			n++
		}
		if op.Name == "" {
			id = idPrefix + strconv.Itoa(n)
		}
	}
	s := &subtask{n, Subtask{ID: id, App: op.App, Text: op.Text, DependsOn: op.DependsOn}}
	size := len(s.ID) + len(s.App) + len(s.Text) + len(strings.Join(s.DependsOn, ""))
	switch {
	case id == "":
		return fmt.Errorf("%w: a sub-task without an id", ErrInvalid)
	case b.byID[id] != nil, n <= b.opened():
		return errExists
	}
	if err := b.room(size); err != nil {
		return err
	}
	if b.byID == nil {
		b.byID = make(map[string]*subtask)
	}
	op.N, op.Name = n, id
	b.subtasks, b.byID[id] = append(b.subtasks, s), s
	b.size += size
	return nil
}

// Close records how a sub-task ended and writes subtask_result_N. Result is
// its outcome as JSON, nil for none; it is copied. The first close counts: a
// later one gives [ErrClosed]. The error is over that,
// [ErrNotFound], [ErrInvalid] when the status is empty, [ErrNotSerialisable]
// when result is not valid JSON, or [ErrFull], and the sub-task is as it was.
// Without a result, a full board is no obstacle: what was begun can be ended.
func (b *Board) Close(id, status string, result json.RawMessage, reason string) error {
	op := &boarddata.Op{Kind: boarddata.OpClose, Name: id, Value: result, Status: status, Reason: reason}
	if err := newEnd(op); err != nil {
		return &opError{"close", op.Name, err}
	}
	return b.change(op)
}

// newEnd makes the texts and the result of a sub-task valid, in a copy.
func newEnd(op *boarddata.Op) (err error) {
	op.Name, op.Status, op.Reason = valid(op.Name), valid(op.Status), valid(op.Reason)
	if op.Status == "" {
		return fmt.Errorf("%w: empty status", ErrInvalid)
	}
	if len(op.Value) > 0 {
		op.Value, err = normal(op.Value)
	} else {
		op.Value = nil
	}
	return err
}

func (b *Board) close(op *boarddata.Op) error {
	old := b.byID[op.Name]
	switch {
	case old == nil:
		return ErrNotFound
	case old.Status != "":
		return ErrClosed
	}
	closed := &subtask{old.N, old.Subtask}
	closed.Status, closed.Result, closed.Reason = op.Status, op.Value, op.Reason
	shown := closed.Subtask
	shown.DependsOn = nil
	record, err := text(shown)
	if err != nil {
		return err
	}
	name := closed.resultName()
	if len(closed.Result) > 0 {
		if err := b.room(len(name) + len(record)); err != nil {
			return err
		}
	}
	b.subtasks[slices.Index(b.subtasks, old)], b.byID[op.Name] = closed, closed
	b.set(name, entry{raw: record}, len(name)+len(record))
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
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || strconv.Itoa(n) != digits {
		return 0
	}
	return n
}

// valid makes text what it would be after a round trip through JSON.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
