package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/internal/plainjson"
)

// Item is a sub-task as a planner writes it. One with a Task and nothing else is
// a note.
type Item struct {
	ID          string   `json:"id" desc:"a short name of your own"`
	Task        string   `json:"task" desc:"what is to be done" bare:"true"`
	Application string   `json:"application,omitempty" desc:"the program that it is done in; empty: any"`
	DependsOn   []string `json:"depends_on,omitempty" desc:"ids of the items that must have finished before"`
}

// Draft is a plan as a planner writes it. A nil one is no plan, an empty one a
// plan of nothing.
type Draft []Item

// Check returns what is wrong with the draft as a graph, as an [*Error], or nil.
// Notes alone are always right.
func (d Draft) Check() error {
	_, err := Plan(nil).Revise(d)
	return err
}

// Note reports whether the item is a text that binds nobody.
func (i Item) Note() bool { return i.ID == "" && i.Application == "" && len(i.DependsOn) == 0 }

// trimmed returns the item without spaces around its words, each dependency
// once. Notes stay as they were written.
func (i Item) trimmed() Item {
	i.ID, i.Application = strings.TrimSpace(i.ID), strings.TrimSpace(i.Application)
	var needs []string
	for _, id := range i.DependsOn {
		if id = strings.TrimSpace(id); id != "" { // a blank one names nothing
			needs = append(needs, id)
		}
	}
	i.DependsOn = unique(needs)
	if !i.Note() {
		i.Task = strings.TrimSpace(i.Task)
	}
	return i
}

// unique keeps the first of each.
func unique(list []string) []string {
	seen := make(map[string]bool, len(list))
	return slices.DeleteFunc(list, func(s string) bool {
		again := seen[s]
		seen[s] = true
		return again
	})
}

// fields are those of an Item, without its methods.
type fields Item

// MarshalJSON writes a note as a string and everything else as an object.
func (i Item) MarshalJSON() ([]byte, error) {
	if i.Note() {
		return plainjson.Encode(i.Task)
	}
	return plainjson.Encode(fields(i))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (i *Item) UnmarshalJSON(data []byte) error {
	var f fields
	if err := decode(data, &f.Task, &f); err != nil {
		return err
	}
	*i = Item(f)
	return nil
}

var errNoItem = errors.New("plan: an item is a text or an object")

// decode reads a text or an object.
func decode(data []byte, text *string, object any) error {
	switch data = bytes.TrimSpace(data); {
	case len(data) > 0 && data[0] == '"':
		return json.Unmarshal(data, text)
	case len(data) > 0 && data[0] == '{':
		return json.Unmarshal(data, object)
	}
	return errNoItem
}
