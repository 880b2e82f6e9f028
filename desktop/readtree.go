package desktop

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// readTree reads the list of controls as desktops mostly write it, in a few pieces of memory: a
// window has hundreds of controls, and an agent reads them in every step in which one has changed.
// ok is false where something is unusual, such as a member that no control has, or wrong: then
// encoding/json reads it, or says what is wrong.
func readTree(text string) (list []Control, ok bool) {
	r := treeReader{text: text}
	all := strings.Count(r.text, `"id"`) // nearly
	r.open, r.words = make([]Control, 0, all), make([]string, 0, all)
	list, ok = r.controls(0)
	r.space()
	return list, ok && r.at == len(r.text)
}

// treeReader reads a text from its beginning. Its methods return false where they meet something
// else than they read.
type treeReader struct {
	text  string // what the texts of controls are parts of
	at    int
	open  []Control // of the lists that are not at their end
	words []string  // of all controls
}

const deepestTree = 500

func (r *treeReader) controls(depth int) ([]Control, bool) {
	from := len(r.open)
	ok := depth < deepestTree && r.list(func() bool {
		c, ok := r.control(depth)
		r.open = append(r.open, c)
		return ok
	})
	list := r.open[from:]
	if depth == 0 && len(list) > cap(list)/2 { // most are outermost: no others need the memory
		return list, ok
	}
	r.open = r.open[:from]
	return append(make([]Control, 0, len(list)), list...), ok
}

func (r *treeReader) control(depth int) (c Control, ok bool) {
	if !r.is('{') {
		return c, false
	}
	var members [8]string // that a control has
	seen := members[:0]
	for first := true; !r.is('}'); first = false {
		if !first && !r.is(',') {
			return c, false
		}
		name, ok := r.string()
		if !ok || !r.is(':') || slices.Contains(seen, name) { // of several of one name, json says what counts
			return c, false
		}
		seen = append(seen, name)
		switch name {
		case "id":
			c.ID, ok = r.string()
		case "name":
			c.Name, ok = r.string()
		case "type":
			c.Type, ok = r.string()
		case "value":
			c.Value, ok = r.string()
		case "state":
			c.State, ok = r.strings()
		case "actions":
			c.Actions, ok = r.strings()
		case "bounds":
			c.Bounds, ok = r.bounds()
		case "children":
			c.Children, ok = r.controls(depth + 1)
		default:
			return c, false
		}
		if !ok {
			return c, false
		}
	}
	return c, true
}

func (r *treeReader) strings() ([]string, bool) {
	from := len(r.words)
	ok := r.list(func() bool {
		word, ok := r.string()
		r.words = append(r.words, word)
		return ok
	})
	if from == len(r.words) {
		return []string{}, ok
	}
	return r.words[from:len(r.words):len(r.words)], ok
}

func (r *treeReader) bounds() (b [4]int, ok bool) {
	n := 0
	ok = r.list(func() bool {
		if n == len(b) {
			return false
		}
		b[n], ok = r.number()
		n++
		return ok
	})
	return b, ok && n == len(b)
}

// number reads an integer of a few digits.
func (r *treeReader) number() (n int, ok bool) {
	r.space()
	negative := r.at < len(r.text) && r.text[r.at] == '-'
	if negative {
		r.at++
	}
	from := r.at
	for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		n = 10*n + int(r.text[r.at]-'0')
		r.at++
	}
	if negative {
		n = -n
	}
	digits := r.text[from:r.at]
	return n, len(digits) > 0 && len(digits) < 10 && (digits == "0" || digits[0] != '0')
}

// list reads a list, whose entries entry reads.
func (r *treeReader) list(entry func() bool) bool {
	if !r.is('[') {
		return false
	}
	for first := true; !r.is(']'); first = false {
		if !first && !r.is(',') || !entry() {
			return false
		}
	}
	return true
}

func (r *treeReader) string() (string, bool) {
	if !r.is('"') {
		return "", false
	}
	from, plain := r.at, true
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '"':
			text := r.text[from:r.at]
			r.at++
			if plain && utf8.ValidString(text) {
				return text, true
			}
			return unquoted(r.text[from-1 : r.at])
		case c == '\\':
			plain = false
			r.at++
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

func unquoted(text string) (s string, ok bool) {
	err := json.Unmarshal([]byte(text), &s)
	return s, err == nil
}

// is reads a byte, if it comes next.
func (r *treeReader) is(c byte) bool {
	r.space()
	if r.at == len(r.text) || r.text[r.at] != c {
		return false
	}
	r.at++
	return true
}

func (r *treeReader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}
