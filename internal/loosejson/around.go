package loosejson

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/repair"
)

// around notes what stands around the object.
func (f *finder) around(from, to int) {
	f.work += to - from
	f.said = append(f.said, f.text[from:to])
	if strings.HasPrefix(f.text[from:to], string(bom)) && from == 0 {
		f.notes.add(repair.BOM, 0)
	}
	for line := range strings.Lines(f.text[from:to]) {
		at := from
		from += len(line)
		if line = strings.TrimFunc(line, func(r rune) bool { return unicode.IsSpace(r) || invisible(r) }); line == "" {
			continue
		}
		f.refused = f.refused || refusing.MatchString(line)
		before, behind, fenced := cutFence(line)
		switch {
		case fenced:
			f.notes.add(repair.Fence, at)
			if before+behind != "" {
				f.notes.add(repair.Prose, at)
			}
		case isTag(line):
			f.notes.add(repair.Tags, at)
		default:
			f.notes.add(repair.Prose, at)
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
	if at < 0 && strings.Trim(line, "`") == "" && line != "" {
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

// unfence returns a text without the fence around it.
func unfence(text string) (string, bool) {
	if !strings.HasPrefix(text, "```") && !strings.HasPrefix(text, "~~~") {
		return text, false
	}
	first, rest, ok := strings.Cut(text, "\n")
	if _, behind, _ := cutFence(strings.TrimSpace(first)); !ok || behind != "" {
		return text, false
	}
	return strings.TrimSpace(strings.TrimRight(strings.TrimRight(rest, blank), text[:1])), true
}
