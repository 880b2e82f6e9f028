package builtin

import (
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/fsm"
)

// Lists of an agent's data are logs of what it saves: a step adds to them, and is
// recorded by what it added.

// Logs are the lists that both kinds have. Its zero value is that of a new agent.
type Logs struct{ answers List[acting.Entry] }

// Save returns them by name. Whoever has State from d leaves them out there: see
// [Data.WithoutLogs].
func (l *Logs) Save(d *Data) (map[string]fsm.Log, error) {
	memory, err := d.Memory.Save()
	if err != nil {
		return nil, err
	}
	answers, err := l.answers.Save(d.Answers)
	if err != nil {
		return nil, err
	}
	return map[string]fsm.Log{"memory": memory, "answers": answers}, nil
}

// WithoutLogs is the data without what [Logs.Save] returns.
func (d *Data) WithoutLogs() Data {
	rest := *d
	rest.Memory, rest.Answers = acting.Memory{}, nil
	return rest
}

// LoadLogs puts into d what [Logs.Save] returned.
func (d *Data) LoadLogs(logs map[string]fsm.Log) (err error) {
	if err := d.Memory.Load(logs["memory"]); err != nil {
		return err
	}
	d.Answers, err = LoadList[acting.Entry](logs["answers"])
	return err
}

// List encodes the items of a list once. Its zero value has encoded nothing. Items of
// what it is given must not be changed in their place; appending, or another list, is well.
type List[T comparable] struct {
	items []T
	saved []json.RawMessage
}

// Save returns the list as a log.
func (l *List[T]) Save(list []T) (fsm.Log, error) {
	same := 0
	if n := len(l.items); n > 0 && len(list) >= n && &list[0] == &l.items[0] {
		same = n // it was appended to at most, and need not be compared
	}
	for same < min(len(list), len(l.items)) && list[same] == l.items[same] {
		same++
	}
	saved := l.saved[:same:same] // what was returned stays what it is
	for _, item := range list[same:] {
		raw, err := json.Marshal(item)
		if err != nil {
			return fsm.Log{}, err
		}
		saved = append(saved, raw)
	}
	l.items, l.saved = list, saved
	return fsm.Log{Items: saved}, nil
}

// LoadList returns the list that a log has.
func LoadList[T any](log fsm.Log) ([]T, error) {
	if log.Dropped != 0 {
		return nil, fmt.Errorf("the first %d items of a list are missing", log.Dropped)
	}
	var list []T
	for i, raw := range log.Items {
		var item T
		if err := json.Unmarshal(raw, &item); err != nil {
			return nil, fmt.Errorf("item %d of a list: %w", i+1, err)
		}
		list = append(list, item)
	}
	return list, nil
}
