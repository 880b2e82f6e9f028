package llm

import (
	"encoding/json"
	"fmt"

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
// JSON a string has no line break, and marks of chat templates are escaped. So text from windows, documents and tools
// belongs in sections. An empty or odd name, a name used twice and a value
// without a JSON form are errors.
func Prompt(sections ...Section) (string, error) {
	w := &section.Writer{}
	for _, s := range sections {
		raw, err := section.Encode(s.Value)
		if err == nil {
			err = w.Add(s.Name, raw)
		}
		if err != nil {
			return "", fmt.Errorf("llm: section %q: %w", s.Name, err)
		}
	}
	return string(w.Text()), nil
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
