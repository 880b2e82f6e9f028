package section

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/internal/plainjson"
)

// Writer writes sections. Its zero value has written nothing.
type Writer struct {
	text  []byte
	names []string // of the sections
}

// Encode returns the JSON of a value as sections have it.
func Encode(v any) ([]byte, error) {
	text, err := plainjson.Encode(v)
	return Escape(text), err
}

// Add writes a section of JSON. A longer list or object has a line for each entry. The error
// says what is wrong with the name.
func (w *Writer) Add(name string, value []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	if slices.Contains(w.names, name) {
		return errors.New("the name is used twice")
	}
	w.names = append(w.names, name)
	const frame = 64 // heading and fences
	w.text = slices.Grow(w.text, len(name)+len(value)+len(value)/16+frame)
	w.text = append(append(append(w.text, Heading...), name...), "\n"+Open+"\n"...)
	w.entries(value)
	w.text = append(w.text, "\n"+Close+"\n\n"...)
	return nil
}

// Text returns what was written, until the next call of Add or Cut.
func (w *Writer) Text() []byte { return w.text }

// Cut forgets the text, and keeps the names.
func (w *Writer) Cut() { w.text = w.text[:0] }

// shortValue is what stands on one line, in bytes.
const shortValue = 100

// entries writes the JSON of a section. A longer list or object has a line for each
// of its entries, so that one of them can be found.
func (w *Writer) entries(text []byte) {
	if len(text) <= shortValue || text[0] != '[' && text[0] != '{' {
		w.text = appendLine(w.text, text)
		return
	}
	depth, from := 0, 0
	line := func(end int) {
		w.text = appendLine(w.text, text[from:end])
		w.text = append(w.text, '\n')
		from = end
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			i = stringEnd(text, i)
		case c == '{' || c == '[':
			if depth++; depth == 1 {
				line(i + 1)
			}
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				line(i)
			}
		case c == ',' && depth == 1:
			line(i + 1)
		}
	}
	w.text = appendLine(w.text, text[from:])
}

// stringEnd returns where the string ends that begins at from, as JSON has it: the place of its quote. Most of a
// section is in strings, so they are not read byte by byte.
func stringEnd(text []byte, from int) int {
	for at := from; ; {
		n := bytes.IndexByte(text[at+1:], '"')
		if n < 0 {
			return len(text)
		}
		at += n + 1
		escapes := 0
		for text[at-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at
		}
	}
}

func checkName(name string) error {
	if strings.TrimSpace(name) == "" || strings.TrimSpace(name) != name {
		return errors.New("the name is empty or begins or ends with a space")
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-. ", r) {
			return fmt.Errorf("the name may not have %q", r)
		}
	}
	return nil
}
