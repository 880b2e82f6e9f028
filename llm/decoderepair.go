package llm

import (
	"fmt"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// ofText are the kinds that loosejson's repairs are.
var ofText = [loosejson.NumRepairs]string{
	loosejson.Fence: repair.Fence, loosejson.Tags: repair.Tags, loosejson.Prose: repair.Prose,
	loosejson.Thoughts: repair.Thoughts, loosejson.ByteOrderMark: repair.BOM, loosejson.Quoted: repair.Quoted,
	loosejson.Repeated: repair.Repeated, loosejson.OddSpace: repair.Space, loosejson.Comment: repair.Comment,
	loosejson.TrailingComma: repair.Comma, loosejson.SingleQuotes: repair.Single,
	loosejson.TypographicQuotes: repair.Typographic, loosejson.FullWidth: repair.FullWidth,
	loosejson.BareName: repair.BareName, loosejson.RawControl: repair.Control, loosejson.Escape: repair.Escape,
	loosejson.Literal: repair.Literal, loosejson.SameName: repair.SameName,
	loosejson.MissingComma: repair.NoComma, loosejson.Fraction: repair.Fraction, loosejson.Listed: repair.Listed,
}

// ofFields are the kinds that filling a type makes, in the order of a report.
var ofFields = [...]string{
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

// log collects repairs. A nil one is of somebody who does not want to know.
// However long a reply is, its report has each kind once.
type log struct {
	text   loosejson.Notes
	inner  [loosejson.NumRepairs]entry // in strings, which have paths
	fields [len(ofFields)]entry
	any    bool     // of inner and fields
	shape  []Repair // of a Reshaper
}

type entry struct {
	count int
	where string
}

func (e *entry) add(count int, at *place) {
	if e.count == 0 {
		e.where = at.String()
	}
	e.count += count
}

func (l *log) note(kind string, at *place) {
	if l == nil {
		return
	}
	l.any = true
	if kind == repair.SameName {
		l.inner[loosejson.SameName].add(1, at)
		return
	}
	for i, k := range ofFields {
		if k == kind {
			l.fields[i].add(1, at)
		}
	}
}

// take adds the repairs in a string.
func (l *log) take(notes *loosejson.Notes, at *place) {
	if l == nil || !notes.Any() {
		return
	}
	l.any = true
	for i := range l.inner {
		if n := notes.Of(loosejson.Repair(i)).Count; n > 0 {
			l.inner[i].add(n, at)
		}
	}
}

// list is the report.
func (l *log) list() []Repair {
	if !l.any && !l.text.Any() {
		return l.shape
	}
	var list []Repair
	for i, kind := range ofText {
		note, inner := l.text.Of(loosejson.Repair(i)), l.inner[i]
		if count := note.Count + inner.count; count > 0 {
			where := inner.where
			if note.Count > 0 {
				where = fmt.Sprintf("byte %d", note.Offset)
			}
			list = append(list, Repair{Kind: kind, Where: where, Count: count})
		}
	}
	for i, kind := range ofFields {
		if e := l.fields[i]; e.count > 0 {
			list = append(list, Repair{Kind: kind, Where: e.where, Count: e.count})
		}
	}
	return append(list, l.shape...)
}
