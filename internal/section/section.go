// Package section reads the sections of a prompt: a heading with the name,
// then JSON in a fence.
package section

import (
	"encoding/json"
	"iter"
	"strings"
)

// What a section consists of, line by line.
const (
	Heading = "## "
	Open    = "```json"
	Close   = "```"
)

// All yields name and JSON of each section in text, in order. A heading without
// a fence, a fence that is not closed and a body that is not JSON are no
// sections. It takes time linear in the text.
func All(text string) iter.Seq2[string, string] {
	return func(yield func(name, body string) bool) {
		for text != "" {
			var line string
			line, text, _ = strings.Cut(text, "\n")
			name, ok := strings.CutPrefix(line, Heading)
			if !ok {
				continue
			}
			inside, ok := opened(text)
			if !ok {
				continue
			}
			text = inside
			body, rest, ok := closed(inside)
			if !ok || !json.Valid([]byte(body)) {
				continue // a heading may follow inside
			}
			text = rest
			if !yield(strings.TrimSpace(name), strings.TrimSpace(body)) {
				return
			}
		}
	}
}

// opened returns what follows an opening fence, which blank lines may precede.
func opened(text string) (string, bool) {
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		if line = strings.TrimRight(line, " \t\r"); line != "" {
			return text, line == Open
		}
	}
	return "", false
}

// closed splits at the closing fence. JSON has no line that begins with one,
// so the first such line decides.
func closed(text string) (body, rest string, ok bool) {
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		if line := text[at : at+end]; strings.HasPrefix(line, Close) {
			return text[:at], text[min(at+end+1, len(text)):], strings.TrimRight(line, " \t\r") == Close
		}
		at += end + 1
	}
	return "", "", false
}
