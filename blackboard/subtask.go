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
	s, err := newSubtask(s.ID, s.App, s.Text, s.DependsOn)
	if err != nil {
		return Subtask{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.opened() + 1
	if s.ID == "" {
		// A caller may have used such an id of its own; then the number is
		// passed over, so that subtask_7 always has subtask_result_7.
		for s.ID = idPrefix + strconv.Itoa(n); b.byID[s.ID] != nil; s.ID = idPrefix + strconv.Itoa(n) {
			n++
		}
	}
	if err := b.doOpen(&subtask{n, s}); err != nil {
		return Subtask{}, err
	}
	return s.clone(), nil
}

// newSubtask returns an open one that shares nothing with its caller.
func newSubtask(id, app, text string, dependsOn []string) (Subtask, error) {
	s := Subtask{ID: valid(id), App: valid(app), Text: valid(text), DependsOn: append([]string(nil), dependsOn...)} // nil where it is empty, as it is stored
	for i, id := range s.DependsOn {
		s.DependsOn[i] = valid(id)
	}
	if strings.TrimSpace(s.Text) == "" {
		return Subtask{}, &opError{"open", s.ID, fmt.Errorf("%w: a sub-task without a text", ErrInvalid)}
	}
	return s, nil
}

func (b *Board) doOpen(s *subtask) error {
	var err error
	switch {
	case s.ID == "":
		err = fmt.Errorf("%w: a sub-task without an id", ErrInvalid)
	case b.byID[s.ID] != nil, s.N <= b.opened():
		err = errExists
	default:
		err = b.room(s.size())
	}
	if err != nil {
		return &opError{"open", s.ID, err}
	}
	b.addSubtask(s)
	b.log.add(&boarddata.Op{Kind: boarddata.OpOpen, Name: s.ID, N: s.N, App: s.App, Text: s.Text, DependsOn: s.DependsOn})
	return nil
}

// Close records how a sub-task ended and writes subtask_result_N. Result is
// its outcome as JSON, nil for none; it is copied. The first close counts: a
// later one gives [ErrClosed]. The error is over that,
// [ErrNotFound], [ErrInvalid] when the status is empty, [ErrNotSerialisable]
// when result is not valid JSON, or [ErrFull], and the sub-task is as it was.
// Without a result, a full board is no obstacle: what was begun can be ended.
func (b *Board) Close(id, status string, result json.RawMessage, reason string) error {
	id = valid(id)
	end, err := newEnd(id, status, result, reason)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.doClose(id, end)
}

// newEnd returns the last three members of a sub-task, which share nothing with its caller.
func newEnd(id, status string, result json.RawMessage, reason string) (Subtask, error) {
	end := Subtask{Status: valid(status), Reason: valid(reason)}
	if end.Status == "" {
		return Subtask{}, &opError{"close", id, fmt.Errorf("%w: empty status", ErrInvalid)}
	}
	if len(result) > 0 {
		data, err := normal(result)
		if err != nil {
			return Subtask{}, &opError{"close", id, err}
		}
		end.Result = data
	}
	return end, nil
}

func (b *Board) doClose(id string, end Subtask) error {
	old := b.byID[id]
	switch {
	case old == nil:
		return &opError{"close", id, ErrNotFound}
	case old.Status != "":
		return &opError{"close", id, ErrClosed}
	}
	closed := &subtask{old.N, old.Subtask}
	closed.Status, closed.Result, closed.Reason = end.Status, end.Result, end.Reason
	name, record := closed.resultName(), closed.record()
	if len(closed.Result) > 0 {
		if err := b.room(len(name) + len(record)); err != nil {
			return &opError{"close", id, err}
		}
	}
	at, _ := slices.BinarySearchFunc(b.subtasks, old.N, func(s *subtask, n int) int { return s.N - n })
	b.subtasks[at] = closed
	b.byID[id] = closed
	b.set(name, entry{raw: record}, len(name)+len(record))
	b.log.add(&boarddata.Op{Kind: boarddata.OpClose, Name: id, Value: closed.Result, Status: closed.Status, Reason: closed.Reason})
	return nil
}

// Subtasks returns copies of all sub-tasks of the session, open and closed, in
// order of opening.
func (b *Board) Subtasks() []Subtask {
	b.mu.RLock()
	defer b.mu.RUnlock()
	list := b.subtasks
	size := 0
	for _, s := range list {
		size += len(s.Result)
	}
	all, results := make([]Subtask, len(list)), make([]byte, 0, size) // one piece for all
	for i, s := range list {
		all[i] = s.Subtask
		all[i].DependsOn = slices.Clone(s.DependsOn)
		if s.Result != nil {
			from := len(results)
			results = append(results, s.Result...)
			all[i].Result = results[from:len(results):len(results)]
		}
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

func (c *contents) addSubtask(s *subtask) {
	if c.byID == nil {
		c.byID = make(map[string]*subtask)
	}
	c.subtasks = append(c.subtasks, s)
	c.byID[s.ID] = s
	c.size += s.size()
}

// record builds the value of subtask_result_N. The sub-task's Result becomes a
// part of it, so that a large result is held once.
func (s *subtask) record() json.RawMessage {
	out := append(make([]byte, 0, len(s.Result)+len(s.Text)+256), `{"id":`...)
	out = appendQuoted(out, s.ID)
	out = appendQuoted(append(out, `,"application":`...), s.App)
	out = appendQuoted(append(out, `,"task":`...), s.Text)
	out = appendQuoted(append(out, `,"status":`...), s.Status)
	from, to := 0, 0
	if len(s.Result) > 0 {
		out = append(out, `,"data":`...)
		from = len(out)
		out = append(out, s.Result...)
		to = len(out)
	}
	if s.Reason != "" {
		out = appendQuoted(append(out, `,"reason":`...), s.Reason)
	}
	out = append(out, '}')
	if to > 0 {
		s.Result = json.RawMessage(out[from:to:to])
	}
	return out
}

// size counts what Open stores; the record of Close is a value of its own.
func (s *Subtask) size() int {
	n := len(s.ID) + len(s.App) + len(s.Text)
	for _, id := range s.DependsOn {
		n += len(id)
	}
	return n
}

func (s *Subtask) clone() Subtask {
	c := *s
	c.DependsOn, c.Result = slices.Clone(s.DependsOn), slices.Clone(s.Result)
	return c
}

// resultNumber returns N of subtask_result_N, or 0.
func resultNumber(name string) int {
	digits, ok := strings.CutPrefix(name, resultPrefix)
	if !ok || digits == "" || digits[0] < '1' || digits[0] > '9' {
		return 0
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// valid makes text what it would be after a round trip through JSON.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
