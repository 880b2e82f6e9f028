package llm

import (
	"fmt"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// RepairKind is one kind of what [Decode] repairs.
type RepairKind string

// What may be repaired. The first ones are about the text of a reply, those from
// RepairName on about how it fits the type that was asked for. Those from RepairWrapper
// on are not Decode's own: the built-in agents and deciding.Ask report them.
const (
	RepairFence       RepairKind = "fence"              // a Markdown fence, or backticks, around the object
	RepairTags        RepairKind = "tags"               // <answer> or other tags around it
	RepairProse       RepairKind = "prose"              // other text around it
	RepairThoughts    RepairKind = "thoughts"           // <think>…</think>, dropped
	RepairBOM         RepairKind = "byte order mark"    // at the start
	RepairQuoted      RepairKind = "quoted reply"       // the whole object inside a JSON string
	RepairRepeated    RepairKind = "repeated object"    // the same object once more
	RepairSpace       RepairKind = "odd space"          // white space that JSON does not know, or an invisible mark
	RepairComment     RepairKind = "comment"            // //, /* */ or #
	RepairComma       RepairKind = "trailing comma"     // behind the last element
	RepairSingle      RepairKind = "single quotes"      // 'x' where "x" should be
	RepairTypographic RepairKind = "typographic quotes" // “x” or ‘x’
	RepairFullWidth   RepairKind = "full-width sign"    // ： for a colon, ， for a comma
	RepairBareName    RepairKind = "bare name"          // a name without quotes
	RepairControl     RepairKind = "raw control"        // a line break, or another control character, as it is in a string
	RepairEscape      RepairKind = "escape"             // \' in double quotes
	RepairLiteral     RepairKind = "literal"            // True, False or None, or true, false or null in other letters
	RepairNoComma     RepairKind = "missing comma"      // at the end of a line, before a name
	RepairFraction    RepairKind = "fraction"           // .5 for 0.5
	RepairListed      RepairKind = "list of one"        // the object as the one element of a list
	RepairSameName    RepairKind = "same name"          // a name twice, or two names of one field, with the same value
	RepairName        RepairKind = "name"               // another spelling of a field's name
	RepairAlias       RepairKind = "alias"              // another name of a field
	RepairUnknown     RepairKind = "unknown name"       // a name that no field has; it is left out
	RepairText        RepairKind = "text"               // a number where a string should be
	RepairNumber      RepairKind = "number"             // a string that is a number, where a number should be
	RepairBoolean     RepairKind = "boolean"            // a string that is true or false, where a boolean should be
	RepairList        RepairKind = "list"               // one element without its list
	RepairListText    RepairKind = "list in text"       // a list as a string with JSON in it
	RepairObjectText  RepairKind = "object in text"     // an object as a string with JSON in it
	RepairEmpty       RepairKind = "empty text"         // an empty string for an empty list or no object
	RepairNull        RepairKind = "null"               // null for nothing, where it should not be
	RepairWrapper     RepairKind = "wrapper"            // the decision as the one value of another object
	RepairCall        RepairKind = "call"               // a call in another form, such as {"name": …, "arguments": …}
	RepairArgument    RepairKind = "argument"           // a number or boolean as a string, or a number for a string, in the arguments of a tool
	RepairStatus      RepairKind = "status"             // a full stop behind the status
	RepairMoved       RepairKind = "moved"              // a call, or a status, in an action where the decision itself should have it
	RepairTool        RepairKind = "tool name"          // another name of a tool, such as select_application
)

// ofText are the kinds that loosejson's repairs are.
var ofText = [loosejson.NumRepairs]RepairKind{
	loosejson.Fence: RepairFence, loosejson.Tags: RepairTags, loosejson.Prose: RepairProse,
	loosejson.Thoughts: RepairThoughts, loosejson.ByteOrderMark: RepairBOM, loosejson.Quoted: RepairQuoted,
	loosejson.Repeated: RepairRepeated, loosejson.OddSpace: RepairSpace, loosejson.Comment: RepairComment,
	loosejson.TrailingComma: RepairComma, loosejson.SingleQuotes: RepairSingle,
	loosejson.TypographicQuotes: RepairTypographic, loosejson.FullWidth: RepairFullWidth,
	loosejson.BareName: RepairBareName, loosejson.RawControl: RepairControl, loosejson.Escape: RepairEscape,
	loosejson.Literal: RepairLiteral, loosejson.SameName: RepairSameName,
	loosejson.MissingComma: RepairNoComma, loosejson.Fraction: RepairFraction, loosejson.Listed: RepairListed,
}

// ofFields are the kinds that filling a type makes, in the order of a report.
var ofFields = [...]RepairKind{
	RepairName, RepairAlias, RepairUnknown, RepairText, RepairNumber, RepairBoolean,
	RepairList, RepairListText, RepairObjectText, RepairEmpty, RepairNull,
}

// Repair is what one kind of repair did to a reply. It quotes no values: only
// names as the reply has them.
type Repair struct {
	Kind RepairKind `json:"kind"`
	// Where is the place of the first: a path such as Actions[1].args, or "byte
	// 12", counted from the start of the reply. What was repaired inside a string
	// has the place of that string.
	Where string `json:"where,omitempty"`
	Count int    `json:"count"` // how often, at least once
}

// String returns "trailing comma at byte 12" or "name at current_subtask, 3 times".
func (r Repair) String() string {
	s := string(r.Kind)
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

func (l *log) note(kind RepairKind, at *place) {
	if l == nil {
		return
	}
	l.any = true
	if kind == RepairSameName {
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
