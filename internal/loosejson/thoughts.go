package loosejson

import (
	"strings"

	"github.com/agentfsm/agentfsm/internal/repair"
)

// thoughtsInFront drops the thoughts that a reply begins with: drafts of it may
// be in there.
func (f *finder) thoughtsInFront() error {
	for {
		rest := strings.TrimLeft(f.text[f.gap:], blank)
		if rest == "" {
			return nil
		}
		start := len(f.text) - len(rest)
		t, ok := readTag(f.text, start)
		if !ok || !t.thought && (t.name != "channel" || !t.wrapper) {
			return nil
		}
		before := f.thoughts
		if err := f.tag(start); err != nil || f.thoughts == before {
			return err
		}
	}
}

// channel reads <|channel|>analysis<|message|>…<|end|>.
func (f *finder) channel(t tag) error {
	f.pos = t.end
	const message = "<|message|>"
	const longest = 64
	rest := f.text[t.end:min(t.end+longest, len(f.text))]
	at := strings.Index(rest, message)
	if at < 0 || strings.ContainsAny(rest[:at], "{｛\n") {
		return nil
	}
	named, ok := nameTag(strings.TrimSpace(rest[:at]), t.start, t.end+at+len(message))
	if !ok || !named.thought {
		return nil
	}
	return f.think(t, named.end)
}

// think skips the thoughts that a tag opens.
func (f *finder) think(open tag, from int) error {
	shut, ok := f.closing(open, from)
	switch {
	case !ok:
		return &Error{Offset: open.start, Reason: "the thoughts are not closed: close them, as with </think>, and write the JSON object behind that"}
	case f.found != nil && f.thoughts > 0:
		return &Error{Offset: open.start, Reason: "there are thoughts before the object and behind it: write the object last"}
	}
	f.flush(open.start)
	if strings.Trim(f.text[:open.start], blank) != "" { // else the tag is the model's own, surely
		if err := f.drafts(from, shut.start); err != nil {
			return err
		}
	}
	f.around(f.gap, open.start)
	f.end(open.start, shut.end)
	return nil
}

// closing finds the tag that closes open.
func (f *finder) closing(open tag, from int) (tag, bool) {
	first := f.text[open.start : open.start+1]
	for at := from; ; at++ {
		next := strings.Index(f.text[at:], first)
		if next < 0 {
			f.work += len(f.text) - from
			return tag{}, false
		}
		at += next
		t, ok := readTag(f.text, at)
		if open.name != "channel" {
			ok = ok && t.closes && t.name == open.name
		} else if ok = ok && t.wrapper; ok {
			switch t.name {
			case "start", "channel":
				t.end = t.start // it opens what is next
			case "end", "return", "call":
			default:
				ok = false
			}
		}
		if ok {
			f.work += t.end - from
			return t, true
		}
	}
}

// end goes on behind the thoughts that begin at start.
func (f *finder) end(start, end int) {
	f.notes.add(repair.Thoughts, start)
	f.pos, f.gap = end, end
	f.thoughts++
}

// stray reads a tag that closes what was opened nowhere. A template may have opened
// it: then all before it is a thought. A quoted page may also have it: then the
// reply may be before it.
func (f *finder) stray(t tag) {
	f.flush(t.start)
	switch {
	case f.found == nil:
	case len(f.free) > 0:
		alone := strings.Trim(f.text[:f.begin], blank) == "" && strings.Trim(f.text[f.gap:t.start], blank) == ""
		f.keep(f.found, alone)
	case f.quoted || f.named:
		f.keep(f.found, false)
	default:
		f.dropped = t.end
	}
	f.found, f.array, f.free, f.quoted = nil, false, nil, false
	f.named, f.refused, f.called, f.said = false, false, false, nil
	f.notes = f.notes[:0]
	f.end(t.start, t.end)
}

// keep remembers a draft that may be the reply.
func (f *finder) keep(v *Value, first bool) {
	if f.draft != nil && !equal(*f.draft, *v, &f.work) {
		f.differ = true
	}
	f.draft, f.first = v, first
}

// drafts looks for what may be the reply in thoughts of which nobody knows who
// wrote the tags: text that the model quotes may have them, before the reply and
// behind it.
func (f *finder) drafts(from, to int) error {
	p := parser{text: f.text[:to], quiet: true}
	for at := from; ; {
		next := strings.IndexAny(f.text[at:to], "{｛")
		if next < 0 {
			f.work += to - at
			return nil
		}
		f.work += next + 1
		start := at + next
		if prose(f.text[start:to]) {
			at = start + 1
			continue
		}
		v, err := f.attempt(&p, start)
		switch {
		case err != nil && f.spent > mostSpent*len(f.text):
			return &Error{Offset: start, Reason: reasonBraces}
		case err != nil && (p.certain || p.named): // the reply may have the closing tag in a string
			return &Error{Offset: start, Reason: "an object breaks off in thoughts that begin or end in an odd place"}
		case err != nil:
			if opensEscaped(f.text[start:]) {
				f.escaped = append(f.escaped, start)
			}
			at = start + 1
			continue
		}
		line := at
		if n := strings.LastIndexByte(f.text[at:start], '\n'); n >= 0 {
			line += n
		}
		behind := f.text[p.pos:to]
		if n := strings.IndexAny(behind, "\n{"); n >= 0 {
			behind = behind[:n]
		}
		if f.covered < 0 {
			f.covered = f.covers(&p)
		}
		if f.introduced() || !weighed(f.text[line:start], behind, line == from) {
			f.keep(&v, false)
		}
		at = p.pos
	}
}

// introduced reports whether there are words before the object that was found: it may be
// a quotation, and the reply in what looks like thoughts behind it.
func (f *finder) introduced() bool {
	if f.found == nil {
		return false
	}
	before, _ := cleaned(f.text[:f.begin])
	f.work += len(before)
	_, words := firstWord(before)
	return words
}
