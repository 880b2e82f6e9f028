package mcp

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// lastWords is how much of what a process said last an error has, in bytes, and
// remembersWords how much is kept to find it: secrets are longer than what stands
// for them.
const (
	lastWords      = 512
	remembersWords = 16 << 10
)

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
	cut  bool
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if over := len(t.text) - remembersWords; over > 0 {
		t.text, t.cut = append(t.text[:0], t.text[over:]...), true
	}
	return len(b), nil
}

// words is the end of the text, without secrets and without what a terminal would
// obey.
func (t *tail) words(hidden secrets) string {
	t.mu.Lock()
	text, cut := string(t.text), t.cut
	t.mu.Unlock()
	if cut {
		text = hidden.withoutRest(text)
	}
	text = hidden.hide(text)
	text = strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, lineEnds.Replace(sequence.ReplaceAllString(strings.ToValidUTF8(text, "?"), "")))
	text = strings.TrimSpace(hidden.hide(text)) // what was taken away may have been inside of one
	if len(text) <= lastWords {
		return text
	}
	text = text[len(text)-lastWords:]
	for !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	if _, whole, ok := strings.Cut(text, "\n"); ok {
		text = whole
	}
	return strings.TrimSpace(text)
}

// sequence is an order for a terminal, such as for a colour.
var sequence = regexp.MustCompile("\x1b\\[[0-9;:?]*[ -/]*[@-~]")

// oneLine makes one line of a text.
func oneLine(text string) string {
	lines := strings.Split(lineEnds.Replace(text), "\n")
	kept := lines[:0]
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, " | ")
}
