package llm

import (
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/internal/repair"
)

// kinds are the kinds of repairs in the order of a report.
var kinds = [...]string{
	repair.Fence, repair.Tags, repair.Prose, repair.Thoughts, repair.BOM, repair.Quoted, repair.Repeated, repair.Space, repair.Comment,
	repair.Comma, repair.Single, repair.Typographic, repair.FullWidth, repair.BareName, repair.Control, repair.Escape, repair.Literal,
	repair.NoComma, repair.Fraction, repair.Listed, repair.SameName,
	repair.Name, repair.Alias, repair.Unknown, repair.Text, repair.Number, repair.Boolean,
	repair.List, repair.ListText, repair.ObjectText, repair.Empty, repair.Null,
}

// Repair is what one kind of repair did to a reply. It quotes no values: only
// names as the reply has them.
type Repair struct {
	Kind string `json:"kind"` // the package comment has all of them
	// Where is the place of the first: a path such as Actions[1].args, or "byte
	// 12", counted from the start of the reply. What was repaired inside a string
	// has the place of that string.
	Where string `json:"where,omitempty"`
	Count int    `json:"count"` // how often, at least once
}

// String returns "trailing comma at byte 12" or "name at current_subtask, 3 times".
func (r Repair) String() string {
	s := r.Kind
	if r.Where != "" {
		s += " at " + r.Where
	}
	if r.Count > 1 {
		s += fmt.Sprintf(", %d times", r.Count)
	}
	return s
}

// log collects repairs, each kind once. A nil one drops them.
type log struct {
	made  [len(kinds)]Repair
	shape []Repair // of a Reshaper
}

// add counts repairs of one kind. first is the entry of a kind that was not there.
func (l *log) add(kind string, count int) (first *Repair) {
	r := &l.made[slices.Index(kinds[:], kind)]
	r.Count += count
	if r.Count > count {
		return nil
	}
	r.Kind = kind
	return r
}

// note adds repairs at a place.
func (l *log) note(kind string, count int, at *place) {
	if l == nil {
		return
	}
	if first := l.add(kind, count); first != nil {
		first.Where = at.String()
	}
}

// take adds the repairs in a string.
func (l *log) take(notes loosejson.Notes, at *place) {
	for _, n := range notes {
		l.note(n.Kind, n.Count, at)
	}
}

// takeText adds the repairs of the whole text.
func (l *log) takeText(notes loosejson.Notes) {
	if l == nil {
		return
	}
	for _, n := range notes {
		if first := l.add(n.Kind, n.Count); first != nil {
			first.Where = fmt.Sprintf("byte %d", n.Offset)
		}
	}
}

// list is the report.
func (l *log) list() (list []Repair) {
	for _, r := range l.made {
		if r.Count > 0 {
			list = append(list, r)
		}
	}
	return append(list, l.shape...)
}
