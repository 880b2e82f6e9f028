package loosejson

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// thoughtTags are in what models think in before they reply.
var thoughtTags = []string{"think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad"}

// thoughtsInFront drops the thoughts that a reply begins with: drafts of it may
// be in there.
func (f *finder) thoughtsInFront() error {
	for {
		rest := strings.TrimLeft(f.text[f.gap:], blank)
		if rest == "" || rest[0] != '<' && rest[0] != '[' {
			return nil
		}
		if thought, err := f.thought(len(f.text) - len(rest)); !thought || err != nil {
			return err
		}
	}
}

// thought reads the tag of a thought at start and skips what it opens. A tag
// that closes what was opened nowhere (a template may have opened it) makes all
// before it a thought.
func (f *finder) thought(start int) (bool, error) {
	rest := f.text[start:]
	if len(rest) < 2 || rest[1] != '/' && (rest[1]|0x20 < 'a' || rest[1]|0x20 > 'z') {
		return false, nil // a text may have a million
	}
	end := strings.IndexAny(rest[1:min(len(rest), 16)], ">]")
	if end < 0 {
		return false, nil
	}
	tag := rest[:1+end+1]
	name, closes := strings.CutPrefix(tag[1:1+end], "/")
	known := false
	for _, t := range thoughtTags {
		known = known || strings.EqualFold(name, t)
	}
	if !known || (tag[0] == '<') != (tag[len(tag)-1] == '>') {
		return false, nil
	}
	if closes {
		f.found, f.array = nil, false
		f.notes.clear()
		f.end(start, start+len(tag))
		return true, nil
	}
	length := strings.Index(rest, tag[:1]+"/"+tag[1:])
	if length < 0 {
		f.work += len(rest)
		return false, &Error{Offset: start, Reason: "the thoughts are not closed"}
	}
	f.work += length
	f.around(f.gap, start)
	f.end(start, start+length+1+len(tag))
	return true, nil
}

// end goes on behind the thoughts that begin at start.
func (f *finder) end(start, end int) {
	f.notes.add(Thoughts, start)
	f.pos, f.gap = end, end
}

// around notes what stands around the object.
func (f *finder) around(from, to int) {
	f.work += to - from
	if strings.HasPrefix(f.text[from:to], string(bom)) && from == 0 {
		f.notes.add(ByteOrderMark, 0)
	}
	for line := range strings.Lines(f.text[from:to]) {
		at := from
		from += len(line)
		if line = strings.TrimFunc(line, func(r rune) bool { return unicode.IsSpace(r) || invisible(r) }); line == "" {
			continue
		}
		before, behind, fenced := cutFence(line)
		switch {
		case fenced:
			f.notes.add(Fence, at)
			if before+behind != "" {
				f.notes.add(Prose, at)
			}
		case isTag(line):
			f.notes.add(Tags, at)
		default:
			f.notes.add(Prose, at)
		}
	}
}

// cutFence cuts a line at its fence, and drops the name of the language behind
// that.
func cutFence(line string) (before, behind string, ok bool) {
	at := strings.Index(line, "```")
	if at < 0 {
		at = strings.Index(line, "~~~")
	}
	if at < 0 && strings.Trim(line, "`") == "" {
		at = 0 // of code in a line
	}
	if at < 0 {
		return line, "", false
	}
	behind = strings.TrimLeft(line[at:], line[at:at+1])
	if word := strings.TrimSpace(behind); len(word) <= 16 && strings.IndexFunc(word, notInName) < 0 {
		behind = ""
	}
	return strings.TrimSpace(line[:at]), behind, true
}

func notInName(r rune) bool {
	return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '.' && r != '+'
}

// isTag reports whether a line is <answer>, </tool_call> or several of them.
func isTag(line string) bool {
	return len(line) <= 128 && line[0] == '<' && line[len(line)-1] == '>' && !strings.ContainsAny(line, " \t")
}
