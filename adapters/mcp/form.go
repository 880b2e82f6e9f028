package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentfsm/agentfsm/adapters/mcp/internal/secretask"
)

// Bounds of a form.
const (
	maxFields  = 50
	maxOptions = 100  // of what may be chosen, that a person is shown
	maxWords   = 4000 // bytes of a text of the server, that a person is shown
)

// field is a question of a form: a property of the schema that a server sends.
type field struct {
	name     string
	required bool
	*jsonschema.Schema
	rules *jsonschema.Resolved
}

// formOf reads the schema of a form. Required fields come first, then the others, both by name.
func formOf(schema any) ([]field, error) {
	raw, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var form struct {
		Properties map[string]*jsonschema.Schema `json:"properties"`
		Required   []string                      `json:"required"`
	}
	if err := json.Unmarshal(raw, &form); err != nil {
		return nil, err
	}
	if len(form.Properties) > maxFields {
		return nil, fmt.Errorf("it has more than %d fields", maxFields)
	}
	var fields []field
	for name, schema := range form.Properties {
		if schema == nil {
			return nil, fmt.Errorf("the field %q has no schema", name)
		}
		// The SDK fills in a default, which would be an answer that the person did not give.
		f := field{name: name, required: schema.Default != nil || slices.Contains(form.Required, name), Schema: schema}
		if f.rules, err = schema.Resolve(nil); err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	slices.SortFunc(fields, func(a, b field) int {
		if a.required != b.required {
			return map[bool]int{true: -1, false: 1}[a.required]
		}
		return strings.Compare(a.name, b.name)
	})
	return fields, nil
}

// isSecret reports whether a field seems to want a secret. What is chosen from a list is none.
func (f field) isSecret() bool {
	switch f.Type {
	case "string":
		return len(f.options()) == 0 && (secretask.Field(f.name) || secretask.Field(f.Title) || secretask.Asks(f.Description))
	case "integer", "number":
		return secretask.Asks(f.name) || secretask.Asks(f.Title)
	}
	return false
}

// option is what may be chosen, and how it is called.
type option struct{ value, title string }

func (f field) options() (options []option) {
	from := f.Schema
	if f.Items != nil {
		from = f.Items
	}
	titles, _ := from.Extra["enumNames"].([]any)
	for i, value := range from.Enum {
		o := option{value: fmt.Sprint(value)}
		if i < len(titles) {
			o.title = fmt.Sprint(titles[i])
		}
		options = append(options, o)
	}
	for _, choice := range slices.Concat(from.OneOf, from.AnyOf) {
		if choice.Const != nil {
			options = append(options, option{fmt.Sprint(*choice.Const), choice.Title})
		}
	}
	return options
}

// question is a field as a person reads it.
func (f field) question() string {
	text := flat(f.name)
	if f.Title != "" && f.Title != f.name {
		text += " (" + flat(f.Title) + ")"
	}
	if f.Description != "" {
		text += ": " + flat(f.Description)
	}
	text += "\nWanted: " + flat(f.wanted())
	switch {
	case f.Default != nil:
		text += "; the server proposes " + flat(string(f.Default))
	case !f.required:
		text += "; may be left empty"
	}
	return text + "."
}

var kinds = map[string]string{
	"boolean": "yes or no", "integer": "a whole number", "number": "a number",
	"date": "a date, such as 1999-12-31", "date-time": "a date and time, such as 1999-12-31T23:59:59Z",
	"email": "an email address", "uri": "a web address or other URI, such as https://example.org",
}

func (f field) wanted() string {
	var names []string
	for i, o := range f.options() {
		if i == maxOptions {
			names = append(names, "and more")
			break
		}
		if o.title != "" && o.title != o.value {
			o.value += " (" + o.title + ")"
		}
		names = append(names, o.value)
	}
	switch {
	case f.Type == "array":
		return "some of these" + within(f.MinItems, f.MaxItems, "") + ", with commas: " + strings.Join(names, ", ")
	case len(names) > 0:
		return "one of " + strings.Join(names, ", ")
	case f.Type != "string":
		return kinds[f.Type] + within(f.Minimum, f.Maximum, "")
	case kinds[f.Format] != "":
		return kinds[f.Format]
	}
	return "a text" + within(f.MinLength, f.MaxLength, " characters")
}

// within says which bounds there are, "" for none.
func within[N int | float64](least, most *N, unit string) string {
	switch {
	case least != nil && most != nil:
		return fmt.Sprintf(" (%v to %v%s)", *least, *most, unit)
	case least != nil:
		return fmt.Sprintf(" (at least %v%s)", *least, unit)
	case most != nil:
		return fmt.Sprintf(" (at most %v%s)", *most, unit)
	}
	return ""
}

// parse makes a value of an answer; nil for an empty one, if the field may be left out.
func (f field) parse(answer string) (value any, err error) {
	switch {
	case answer == "" && f.required:
		return nil, errors.New("an answer is required")
	case answer == "":
		return nil, nil
	case f.Type == "boolean":
		yes, ok := parseBool(answer)
		if !ok {
			return nil, errors.New("it is neither yes nor no")
		}
		value = yes
	case f.Type == "integer", f.Type == "number":
		n, err := strconv.ParseFloat(answer, 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return nil, errors.New("it is no number")
		}
		value = n
	case f.Type == "array":
		var list []any
		for part := range strings.SplitSeq(answer, ",") {
			if chosen := choose(f.options(), strings.TrimSpace(part)); !slices.Contains(list, any(chosen)) {
				list = append(list, chosen)
			}
		}
		value = list
	case len(f.options()) > 0:
		value = choose(f.options(), answer)
	default:
		if well := formats[f.Format]; well != nil && !well(answer) {
			return nil, fmt.Errorf("it is not %s", kinds[f.Format])
		}
		value = answer
	}
	return value, f.rules.Validate(value)
}

var formats = map[string]func(text string) bool{
	"date":      func(text string) bool { _, err := time.Parse(time.DateOnly, text); return err == nil },
	"date-time": func(text string) bool { _, err := time.Parse(time.RFC3339, text); return err == nil },
	"email": func(text string) bool {
		address, err := mail.ParseAddress(text)
		return err == nil && address.Address == text
	},
	"uri": func(text string) bool {
		u, err := url.Parse(text)
		return err == nil && u.Scheme != "" && u.Host+u.Opaque+u.Path != "" && !strings.ContainsAny(text, " \t\n<>\"")
	},
}

// choose finds an answer among the values, and then among what they are called. What it does not find fits no rule.
func choose(options []option, answer string) string {
	for _, same := range []func(option) bool{
		func(o option) bool { return o.value == answer },
		func(o option) bool { return strings.EqualFold(o.value, answer) },
		func(o option) bool { return strings.EqualFold(o.title, answer) },
	} {
		if i := slices.IndexFunc(options, same); i >= 0 {
			return options[i].value
		}
	}
	return answer
}

func parseBool(answer string) (yes, ok bool) {
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "yes", "y", "true", "ok":
		return true, true
	case "no", "n", "false":
		return false, true
	}
	return false, false
}

// quoted are the words of a server. Lines behind the first are marked: they could
// look like words of the agent, or of another question.
func quoted(text string) string { return strings.ReplaceAll(shorten(text), "\n", "\n| ") }

// flat is a text of a server on one line.
func flat(text string) string { return strings.Join(strings.Fields(shorten(text)), " ") }

func shorten(text string) string {
	text = strings.TrimSpace(lineEnds.Replace(text))
	if len(text) <= maxWords {
		return text
	}
	return strings.ToValidUTF8(text[:maxWords], "") + " [...]"
}
