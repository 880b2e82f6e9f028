package loosejson

import (
	"strings"
	"unicode/utf8"
)

// Find returns the one object that a model's reply holds, whatever stands
// around it. Objects that are equal count as one; thoughts (<think>…</think>)
// count as nothing. Refused, with an [*Error]: no object, objects that differ, an
// array (with or without an object in it), a scalar, thoughts that do not end,
// and a text in which an object begins and then breaks: what stands inside or
// behind it may not be what was meant.
func Find(text string) (Value, error) {
	v, _, err := FindNoting(text)
	return v, err
}

// FindNoting is [Find] and says what it repaired.
func FindNoting(text string) (Value, Notes, error) {
	f := newFinder(text)
	v, err := f.find()
	return v, f.notes, err
}

// finder looks for the object of a reply, from left to right.
type finder struct {
	text  string
	notes Notes
	pos   int // what is before it was looked at
	gap   int // where the text begins that is no value and no thought
	work  int // see parser

	found *Value
	array bool

	// suspect is where a brace with a quote behind it begins no object, -1: nowhere.
	// Prose seldom has that.
	suspect int
}

func newFinder(text string) finder {
	return finder{text: text, suspect: -1}
}

func (f *finder) find() (Value, error) {
	if err := f.thoughtsInFront(); err != nil {
		return Value{}, err
	}
	if v, ok := f.unquote(); ok {
		return v, nil
	}
	p := parser{text: f.text, quiet: true} // one for all: a text may have a million braces
	for {
		start := strings.IndexAny(f.text[f.pos:], "{[<")
		if start < 0 {
			f.work += len(f.text) - f.pos
			break
		}
		f.work += start + 1
		start += f.pos
		f.pos = start + 1
		if c := f.text[start]; c != '{' {
			if thought, err := f.thought(start); thought || err != nil {
				if err != nil {
					return Value{}, err
				}
				continue
			}
			if c == '<' {
				continue
			}
		}
		if prose(f.text[start:]) {
			continue
		}
		p.pos, p.inner, p.certain, p.work = start, 0, false, 0
		p.notes.clear()
		v, err := p.value(0)
		f.pos = max(p.pos, f.pos)
		f.work += p.work
		if err != nil {
			if p.certain {
				f.notes.take(&p.notes, -1)
				return Value{}, err
			}
			if f.suspect < 0 && closer(strings.TrimLeft(f.text[start+1:min(start+64, len(f.text))], blank)) != "" {
				f.suspect = start
			}
			continue // a brace in prose
		}
		if err := f.take(v, start, &p.notes); err != nil {
			return Value{}, err
		}
	}
	return f.result()
}

// take keeps the value at start, which ends at f.pos.
func (f *finder) take(v Value, start int, own *Notes) error {
	if v.Kind == Array {
		f.work += len(v.Items)
		if holdsObject(v) {
			return &Error{Offset: start, Reason: "an array where one object should be"}
		}
		f.array = true // [1] in prose, unless nothing else is there
		return nil
	}
	f.around(f.gap, start)
	f.gap = f.pos
	switch {
	case f.found == nil:
		f.found = &v
		f.notes.take(own, -1)
	case !equal(*f.found, v, &f.work):
		return &Error{Offset: start, Reason: "a second object, different from the first"}
	default:
		f.notes.add(Repeated, start)
	}
	return nil
}

func (f *finder) result() (Value, error) {
	rest := f.text[f.gap:]
	switch {
	case f.found != nil:
		f.around(f.gap, len(f.text))
		return *f.found, nil
	case f.array:
		return Value{}, &Error{Offset: -1, Reason: "an array where one object should be"}
	case strings.TrimSpace(rest) == "" && f.gap > 0:
		return Value{}, &Error{Offset: -1, Reason: "there is nothing behind the thoughts"}
	case strings.TrimSpace(rest) == "":
		return Value{}, &Error{Offset: -1, Reason: "the text is empty"}
	}
	scalar := parser{text: rest}
	v, err := scalar.whole()
	f.work += scalar.work
	if err == nil {
		return Value{}, &Error{Offset: -1, Reason: v.Kind.String() + " where one object should be"}
	}
	if f.suspect >= 0 {
		p := parser{text: f.text, pos: f.suspect}
		_, err := p.value(0)
		f.work += p.work
		return Value{}, err
	}
	return Value{}, &Error{Offset: -1, Reason: "there is no JSON object in it"}
}

// prose tells most braces that begin no object by the character behind them,
// because a text may have a million: {{ and {1.
func prose(text string) bool {
	if text[0] != '{' || len(text) == 1 {
		return false
	}
	c := text[1]
	return c > ' ' && c < utf8.RuneSelf && !('a' <= c|0x20 && c|0x20 <= 'z') && strings.IndexByte(`"'_$/#}`, c) < 0
}

const blank = " \t\r\n\ufeff"

// unquote reads a reply that is a JSON string with the object inside.
func (f *finder) unquote() (Value, bool) {
	rest := strings.TrimLeft(f.text[f.gap:], blank)
	if !strings.HasPrefix(rest, `"`) {
		return Value{}, false
	}
	at := len(f.text) - len(rest)
	outer := parser{text: f.text[f.gap:]}
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
	f.notes.add(Quoted, at)
	f.notes.take(&outer.notes, at)
	f.notes.take(&inner.notes, at)
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
