package loosejson

import (
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/repair"
)

// Find returns the one object that a model's reply holds, whatever stands
// around it. Objects that are equal count as one; thoughts (<think>…</think>)
// count as nothing. Refused, with an [*Error]: no object, objects that differ, an
// object that is part of a sentence or of a foreign tag, an array of several, a
// scalar, thoughts that do not end or hide what may be the reply, and a text in
// which an object begins and then breaks: what stands inside or behind it may not
// be what was meant. It also
// returns what it repaired.
func Find(text string) (Value, Notes, error) {
	f := newFinder(text)
	v, err := f.find()
	return v, f.notes, err
}

// finder looks for the object of a reply, from left to right. Whoever quotes a
// stranger's text writes it between its own words, so the stranger decides what
// stands before and behind the reply, but never what the reply is: everything
// that could be an object is looked at, and nothing that could be the reply is
// dropped unless it equals what is returned.
type finder struct {
	text  string
	notes Notes
	pos   int // what is before it was looked at
	gap   int // where the text begins that is no value and no thought
	work  int // see parser
	spent int // of work, on braces that began nothing

	found    *Value   // of the stretch behind the last thoughts
	begin    int      // where it stands, for the first time
	last     spot     // and for the last time
	free     []int    // where it stands on lines of its own
	quoted   bool     // it stands between quotes
	named    bool     // words above it name a tool, or who says it
	refused  bool     // words around it refuse to do something
	called   bool     // a mark of calls is there
	said     []string // what stands around it, of which
	above    int      // so many are above it
	covered  int      // where something in it may be the reply instead; -1: nowhere
	array    bool
	thoughts int            // how many there were
	open     map[string]int // where the elements begin that are open, such as <page>

	// draft is an object in thoughts that may be the reply all the same, as nobody
	// knows who wrote the tags.
	draft   *Value
	first   bool // the draft is all that was there
	differ  bool // there are several of them
	dropped int  // where thoughts end in which objects were part of sentences; 0: nowhere

	escaped []int // where objects begin whose quotes are escaped

	// suspect is where a brace with a name behind it begins no object, -1: nowhere.
	// Prose seldom has that.
	suspect int
}

// spot is where an object stands.
type spot struct{ start, end, before int }

func newFinder(text string) finder {
	return finder{text: text, suspect: -1, covered: -1, last: spot{start: -1}}
}

const (
	reasonSecond  = "there is a second object, different from the first: write only one"
	reasonEscape  = "there is a second object, whose quotes are escaped: write only one"
	reasonArray   = "the reply has an array: write one JSON object instead"
	reasonBraces  = "too many braces and brackets that begin nothing"
	reasonQuoted  = "the object stands in a sentence, between quotes or inside a tag: write it alone, on lines of its own"
	reasonNamed   = "above the object stands the name of a tool, or who says it: write your decision alone"
	reasonRefused = "the words around the object refuse to act: write your decision alone"
)

func (f *finder) find() (Value, error) {
	if err := f.thoughtsInFront(); err != nil {
		return Value{}, err
	}
	if v, ok := f.unquote(); ok {
		return v, nil
	}
	p := parser{text: f.text, quiet: true} // one for all: a text may have a million braces
	for {
		start := strings.IndexAny(f.text[f.pos:], "{[<◁｛")
		if start < 0 {
			f.work += len(f.text) - f.pos
			break
		}
		f.work += start + 1
		start += f.pos
		f.pos = start + 1
		if c := f.text[start]; c != '{' && !strings.HasPrefix(f.text[start:], wideOpen) {
			if err := f.tag(start); err != nil {
				return Value{}, err
			}
			if f.pos > start+1 || c != '[' {
				continue
			}
		}
		if prose(f.text[start:]) {
			if f.suspect < 0 && statesStatus(f.text[start:]) {
				f.suspect = start
			}
			continue
		}
		v, err := f.attempt(&p, start)
		switch {
		case err != nil && p.certain:
			f.notes.take(p.notes, -1)
			return Value{}, err
		case err != nil:
			if f.suspect < 0 && (p.named || statesStatus(f.text[start:])) {
				f.suspect = start
			}
			if opensEscaped(f.text[start:]) {
				f.escaped = append(f.escaped, start)
			}
			if f.spent > mostSpent*len(f.text) {
				return Value{}, &Error{Offset: start, Reason: reasonBraces}
			}
			continue // a brace in prose; what was read in vain may hold the reply
		}
		if err := f.take(v, start, &p); err != nil {
			return Value{}, err
		}
	}
	return f.result()
}

// mostSpent is how often each byte may be read in vain.
const mostSpent = 4

// attempt reads the value at start.
func (f *finder) attempt(p *parser, start int) (Value, error) {
	p.reset(start)
	v, err := p.value(0)
	f.work += p.work
	if err != nil {
		f.spent += p.work
	}
	return v, err
}

// take keeps the value at start, which ends where the parser is.
func (f *finder) take(v Value, start int, p *parser) error {
	listed := false
	if v.Kind == Array {
		f.work += len(v.Items)
		if !holdsObject(v) {
			f.array = true // [1] in prose, unless nothing else is there
			if raw := f.text[start:p.pos]; strings.IndexByte(raw, '{') < 0 && strings.IndexByte(raw, '<') < 0 {
				f.pos = p.pos
			}
			f.spent += p.work
			if f.spent > mostSpent*len(f.text) {
				return &Error{Offset: start, Reason: reasonBraces}
			}
			return nil
		}
		if len(v.Items) != 1 || v.Items[0].Kind != Object {
			return &Error{Offset: start, Reason: reasonArray}
		}
		v, listed = v.Items[0], true
	}
	f.pos = p.pos
	f.flush(start)
	before := f.gap
	f.around(f.gap, start)
	f.gap = f.pos
	switch {
	case f.found == nil:
		f.found, f.begin, f.above = &v, start, len(f.said)
		f.notes.take(p.notes, -1)
		if listed {
			f.notes.add(repair.Listed, start)
		}
	case !equal(*f.found, v, &f.work) && listed:
		return &Error{Offset: start, Reason: reasonArray}
	case !equal(*f.found, v, &f.work):
		return &Error{Offset: start, Reason: reasonSecond}
	default:
		f.notes.add(repair.Repeated, start)
	}
	if f.covered < 0 {
		f.covered = f.covers(p)
	}
	f.last = spot{start, f.pos, before}
	return nil
}

// flush decides whether the last object stands on lines of its own. What is behind
// it ends at next.
func (f *finder) flush(next int) {
	s := f.last
	if s.start < 0 {
		return
	}
	f.last.start = -1
	f.work += s.start - s.before + next - s.end
	before, behind := f.text[s.before:s.start], f.text[s.end:next]
	switch {
	case !inSentence(before, behind):
		if f.named = announced(before, behind, *f.found); !f.named {
			f.free = append(f.free, s.start)
		}
	case inQuotes(before, behind): // a whole reply may be a string
		f.quoted = true
	}
}

func (f *finder) result() (Value, error) {
	f.flush(len(f.text))
	if f.found != nil {
		f.around(f.gap, len(f.text))
		return f.decide()
	}
	rest := f.text[f.gap:]
	switch {
	case f.draft != nil && f.first && strings.TrimSpace(rest) == "":
		return *f.draft, nil // and a closing tag that closes nothing
	case f.array:
		return Value{}, &Error{Offset: -1, Reason: reasonArray}
	case strings.TrimSpace(rest) == "" && f.gap > 0:
		return Value{}, &Error{Offset: -1, Reason: "there is nothing behind the thoughts"}
	case strings.TrimSpace(rest) == "":
		return Value{}, &Error{Offset: -1, Reason: "the text is empty"}
	}
	scalar := parser{text: rest}
	v, err := scalar.whole()
	f.work += scalar.work
	if err == nil {
		return Value{}, &Error{Offset: -1, Reason: "the reply is " + v.Kind.String() + ": write one JSON object"}
	}
	if f.suspect >= 0 {
		return Value{}, f.broken()
	}
	return Value{}, &Error{Offset: -1, Reason: "there is no JSON object"}
}

// decide says whether the object that was found is the reply.
func (f *finder) decide() (Value, error) {
	switch {
	case f.suspect >= 0:
		return Value{}, f.broken() // it may be the reply
	case f.draft != nil && (f.differ || !equal(*f.draft, *f.found, &f.work)):
		return Value{}, &Error{Offset: -1, Reason: "there is a second object, different from the first, in thoughts that begin or end in an odd place: write only one"}
	case len(f.free) == 0 && f.named, f.called && !acts(*f.found):
		return Value{}, &Error{Offset: f.begin, Reason: reasonNamed}
	case len(f.free) == 0:
		return Value{}, &Error{Offset: f.begin, Reason: reasonQuoted}
	case f.refused && !stops(*f.found), acts(*f.found) && doubted(f.said[:f.above], f.said[f.above:]):
		return Value{}, &Error{Offset: f.begin, Reason: reasonRefused}
	case f.notes.has(repair.Prose) && len(f.found.Members) > 1 && nestsReply(*f.found): // one member is a wrapper
		return Value{}, &Error{Offset: f.begin, Reason: "an object with a status stands inside another one: write one JSON object and nothing else"}
	case f.dropped > 0 && f.spoken(f.dropped):
		return Value{}, &Error{Offset: -1, Reason: "an object stands in the thoughts, and words behind them: write one JSON object and nothing else"}
	case f.covered >= 0 && (f.notes.has(repair.Prose) || f.notes.has(repair.Thoughts) || f.beginsLine(f.covered)):
		return Value{}, &Error{Offset: f.covered, Reason: "an object stands in a string or beside a comment: write one JSON object and nothing else"}
	}
	if at := f.otherEscaped(); at >= 0 {
		return Value{}, &Error{Offset: at, Reason: reasonEscape}
	}
	return *f.found, nil
}

// spoken reports whether there are words around the object, from there on.
func (f *finder) spoken(from int) bool {
	before, _ := cleaned(f.text[from:f.begin])
	behind, _ := cleaned(f.text[f.gap:])
	_, one := firstWord(before)
	_, other := firstWord(behind)
	f.work += len(before) + len(behind)
	return one || other
}

// broken says what is wrong at the suspect brace.
func (f *finder) broken() error {
	p := parser{text: f.text, pos: f.suspect}
	_, err := p.value(0)
	f.work += p.work
	if err == nil { // read as a value, but no object in JSON
		err = &Error{Offset: f.suspect, Reason: "what begins like an object is none: write one JSON object and nothing else"}
	}
	return err
}

// beginsLine reports whether nothing but blanks is before a place on its line, which is
// not the first.
func (f *finder) beginsLine(at int) bool {
	line := strings.LastIndexAny(f.text[:at], "\n\r")
	return line >= 0 && strings.Trim(f.text[line:at], blank) == ""
}

// prose tells most braces that begin no object by the character behind them,
// because a text may have a million: {{ and {1.
func prose(text string) bool {
	if text[0] != '{' || len(text) == 1 {
		return false
	}
	c := text[1]
	return c > ' ' && c < utf8.RuneSelf && !('a' <= c|0x20 && c|0x20 <= 'z') && strings.IndexByte(`"'_$/#}\`, c) < 0
}

// statesStatus reports whether what begins here is meant as an object with a status, in no
// form that can be read: { **Status**: FAIL }.
func statesStatus(text string) bool {
	const longest = 200
	text = text[1:min(len(text), longest)]
	if end := strings.IndexAny(text, "{}"); end >= 0 {
		text = text[:end]
	}
	at := strings.Index(strings.ToLower(text), "status")
	if at < 0 || len(strings.ToLower(text)) != len(text) {
		return false
	}
	behind := strings.TrimLeftFunc(text[at+len("status"):], func(r rune) bool { return strings.ContainsRune(" \t*_`'\"»”’", r) })
	return strings.HasPrefix(behind, ":") || strings.HasPrefix(behind, "=")
}

const blank = " \t\r\n\ufeff"

// unquote reads a reply that is a JSON string with the object inside, with or
// without the quotes around it. Nothing else may be there: what is escaped beside
// other words is a quotation.
func (f *finder) unquote() (Value, bool) {
	rest := strings.Trim(f.text[f.gap:], blank)
	at := strings.Index(f.text[f.gap:], rest) + f.gap
	body, fenced := unfence(rest)
	if !strings.HasPrefix(body, `"`) {
		if end := strings.TrimLeft(strings.TrimPrefix(body, "{"), blank); !strings.HasPrefix(body, "{") ||
			!strings.HasPrefix(end, `\"`) && !strings.HasPrefix(end, `\n`) || strings.Contains(strings.ReplaceAll(body, `\"`, ""), `"`) {
			return Value{}, false
		}
		body = `"` + body + `"`
	}
	outer := parser{text: body}
	text, err := outer.whole()
	f.work += outer.work
	if err != nil || text.Kind != String {
		return Value{}, false
	}
	inner := parser{text: text.Text}
	v, err := inner.whole()
	f.work += inner.work
	if err != nil || v.Kind != Object {
		return Value{}, false
	}
	if fenced {
		f.notes.add(repair.Fence, at)
	}
	f.notes.add(repair.Quoted, at)
	f.notes.take(outer.notes, at)
	f.notes.take(inner.notes, at)
	return v, true
}

func holdsObject(v Value) bool {
	for i := range v.Items {
		if v.Items[i].Kind == Object || holdsObject(v.Items[i]) {
			return true
		}
	}
	return false
}
