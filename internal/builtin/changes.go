package builtin

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/acting"
)

// changesVersion is raised when the form of Changes is another one, which older
// code would misread.
const changesVersion = 1

// Changes is what changed in an agent's data, in its stable JSON form. Both kinds
// embed it in theirs, which has a Tail for each list of its own. What grows with
// every step is in it by what was added; of everything else, which is small, the
// fields that are not what they were.
type Changes struct {
	Version int                        `json:"version"`
	Set     map[string]json.RawMessage `json:"set,omitempty"`   // fields of the snapshot
	Unset   []string                   `json:"unset,omitempty"` // fields that are not in it any more
	Memory  *memories                  `json:"memory,omitempty"`
	Answers *Tail[acting.Entry]        `json:"answers,omitempty"`
}

// Empty reports whether nothing changed.
func (c *Changes) Empty() bool {
	return len(c.Set)+len(c.Unset) == 0 && c.Memory == nil && c.Answers == nil
}

// Told is what an agent's changes have told so far. Its zero value knows nothing;
// Reset says what is known. A copy is independent.
type Told struct {
	fields  map[string][sha256.Size]byte // never changed once it is here
	memory  int                          // steps, the dropped ones included
	answers Grown[acting.Entry]
}

// Known reports whether Reset was called.
func (t *Told) Known() bool { return t.fields != nil }

// Reset makes the data what is told. rest is the agent's data without its lists.
func (t *Told) Reset(rest any, d *Data) error {
	members, err := fields(rest)
	if err != nil {
		return err
	}
	t.keep(members, d)
	return nil
}

func (t *Told) keep(members map[string]json.RawMessage, d *Data) {
	t.fields = make(map[string][sha256.Size]byte, len(members))
	for name, raw := range members {
		t.fields[name] = sha256.Sum256(raw)
	}
	t.memory = remembered(&d.Memory)
	t.answers.Keep(d.Answers)
}

// Diff returns what is to be told, and takes it for told. rest is as in Reset.
func (t *Told) Diff(rest any, d *Data) (Changes, error) {
	members, err := fields(rest)
	if err != nil {
		return Changes{}, err
	}
	c := Changes{Version: changesVersion, Memory: newMemories(&d.Memory, t.memory), Answers: t.answers.Diff(d.Answers)}
	for name, raw := range members {
		if sum, told := t.fields[name]; told && sum == sha256.Sum256(raw) {
			continue
		}
		if c.Set == nil {
			c.Set = make(map[string]json.RawMessage)
		}
		c.Set[name] = raw
	}
	for name := range t.fields {
		if members[name] == nil {
			c.Unset = append(c.Unset, name)
		}
	}
	slices.Sort(c.Unset)
	t.keep(members, d)
	return c, nil
}

// Apply returns rest with the fields that changed and with the lists of old, which
// are not in rest, as they are after the changes. Nothing that it is given is
// changed. of finds the Data in a T.
func Apply[T any](c *Changes, rest T, old *Data, of func(*T) *Data) (T, error) {
	var none T
	if c.Version != changesVersion {
		return none, fmt.Errorf("version %d of the changes is not %d", c.Version, changesVersion)
	}
	members, err := fields(rest)
	if err != nil {
		return none, err
	}
	maps.Copy(members, c.Set)
	for _, name := range c.Unset {
		delete(members, name)
	}
	raw, err := json.Marshal(members)
	if err != nil {
		return none, err
	}
	now, err := DecodeSnapshot[T](raw)
	if err != nil {
		return none, err
	}
	d := of(&now)
	if d.Memory, err = c.Memory.apply(old.Memory); err != nil {
		return none, fmt.Errorf("memory: %w", err)
	}
	if d.Answers, err = c.Answers.Apply(old.Answers); err != nil {
		return none, fmt.Errorf("answers: %w", err)
	}
	return now, nil
}

// fields returns the members of a struct's JSON form, without the memory.
func fields(rest any) (map[string]json.RawMessage, error) {
	raw, err := json.Marshal(rest)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	delete(members, "memory") // it has no "nothing" of its own
	return members, nil
}
