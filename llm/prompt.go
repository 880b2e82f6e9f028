package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/internal/section"
)

// Section is a part of a prompt: a name and something that has a JSON form.
type Section struct {
	Name  string // letters, digits, _, -, . and spaces
	Value any
}

// Prompt writes sections one after another, each as a heading and its value as
// JSON in a fence. A longer list or object has a line for each entry:
//
//	## request
//	```json
//	"draw a chart"
//	```
//
// Whatever a value holds, it cannot end its fence or begin a section: inside
// JSON a string has no line break. So text from windows, documents and tools
// belongs in sections. An empty or odd name, a name used twice and a value
// without a JSON form are errors.
func Prompt(sections ...Section) (string, error) {
	var out strings.Builder
	out.Grow(8 << 10) // of most prompts
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // models read <, not \u003c
	seen := make(map[string]bool, len(sections))
	for _, s := range sections {
		if err := checkName(s.Name); err != nil {
			return "", badSection(s.Name, err)
		}
		if seen[s.Name] {
			return "", badSection(s.Name, errors.New("the name is used twice"))
		}
		seen[s.Name] = true
		buf.Reset()
		if err := enc.Encode(s.Value); err != nil {
			return "", badSection(s.Name, err)
		}
		out.WriteString(section.Heading + s.Name + "\n" + section.Open + "\n")
		writeEntries(&out, bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
		out.WriteString("\n" + section.Close + "\n\n")
	}
	return out.String(), nil
}

// shortValue is what stands on one line, in bytes.
const shortValue = 100

// writeEntries writes the JSON of a section. A longer list or object has a line for each
// of its entries, so that one of them can be found.
func writeEntries(out *strings.Builder, text []byte) {
	if len(text) <= shortValue || text[0] != '[' && text[0] != '{' {
		section.WriteLine(out, text)
		return
	}
	depth, quoted, from := 0, false, 0
	line := func(end int) {
		section.WriteLine(out, text[from:end])
		out.WriteByte('\n')
		from = end
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
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
	section.WriteLine(out, text[from:])
}

func badSection(name string, err error) error { return fmt.Errorf("llm: section %q: %w", name, err) }

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

// FindSection returns the JSON of the section of that name, of several the
// last, and whether there is one. It reads the text of system and user
// messages only: what a model wrote earlier is no section.
func FindSection(req *Request, name string) (json.RawMessage, bool) {
	if req == nil {
		return nil, false
	}
	var found string
	ok := false
	for _, m := range req.Messages {
		if m.Role != System && m.Role != User {
			continue
		}
		for n, body := range section.All(m.Text()) {
			if n == name {
				found, ok = body, true
			}
		}
	}
	if !ok {
		return nil, false
	}
	return json.RawMessage(found), true
}
