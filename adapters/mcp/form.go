package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// field is a question of a form: a property of the schema that a server sends.
type field struct {
	name     string
	required bool

	Type        string   `json:"type"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Default     any      `json:"default"`
	Format      string   `json:"format"`
	Minimum     *float64 `json:"minimum"`
	Maximum     *float64 `json:"maximum"`
	MinLength   *int     `json:"minLength"`
	MaxLength   *int     `json:"maxLength"`
	MinItems    *int     `json:"minItems"`
	MaxItems    *int     `json:"maxItems"`
	EnumNames   []string `json:"enumNames"`
	choices
	Items *choices `json:"items"`
}

// choices are the values of an enum, with or without titles.
type choices struct {
	Enum  []string `json:"enum"`
	OneOf []choice `json:"oneOf"`
	AnyOf []choice `json:"anyOf"`
}

type choice struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

// maxFields is how many fields a form may have, and maxOptions how many of what may
// be chosen a person is shown.
const (
	maxFields  = 50
	maxOptions = 100
)

// formOf reads the schema of a form. Required fields come first, in the order in
// which the schema lists them, then the others by name.
func formOf(schema any) ([]field, error) {
	raw, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var form struct {
		Properties map[string]field `json:"properties"`
		Required   []string         `json:"required"`
	}
	if err := json.Unmarshal(raw, &form); err != nil {
		return nil, err
	}
	rank := func(f field) int {
		if i := slices.Index(form.Required, f.name); i >= 0 {
			return i
		}
		return len(form.Required)
	}
	if len(form.Properties) > maxFields {
		return nil, fmt.Errorf("it has more than %d fields", maxFields)
	}
	var fields []field
	for name, f := range form.Properties {
		f.name, f.required = name, slices.Contains(form.Required, name)
		fields = append(fields, f)
	}
	slices.SortFunc(fields, func(a, b field) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a.name, b.name)
	})
	return fields, nil
}

// options are what may be chosen, and how each is called.
func (f field) options() []choice {
	from := f.choices
	if f.Items != nil {
		from = *f.Items
	}
	out := slices.Concat(from.OneOf, from.AnyOf)
	for i, value := range from.Enum {
		c := choice{Const: value}
		if i < len(f.EnumNames) {
			c.Title = f.EnumNames[i]
		}
		out = append(out, c)
	}
	return out
}

// parse makes a value of an answer. An empty one gives none: fill takes the default,
// or leaves it out.
func (f field) parse(answer string) (value any, given bool, err error) {
	if answer == "" {
		if f.required && f.Default == nil {
			return nil, false, errors.New("it is required")
		}
		return nil, false, nil
	}
	switch f.Type {
	case "boolean":
		yes, ok := parseBool(answer)
		if !ok {
			return nil, false, errors.New("it is neither yes nor no")
		}
		return yes, true, nil
	case "integer":
		n, err := strconv.ParseInt(answer, 10, 64)
		if err != nil {
			return nil, false, errors.New("it is no whole number")
		}
		return n, true, f.between(float64(n))
	case "number":
		n, err := strconv.ParseFloat(answer, 64)
		if err != nil || n-n != 0 { // infinite ones are no JSON
			return nil, false, errors.New("it is no number")
		}
		return n, true, f.between(n)
	case "array":
		list, err := f.several(answer)
		return list, true, err
	}
	if options := f.options(); len(options) > 0 {
		chosen, err := choose(options, answer)
		return chosen, true, err
	}
	if err := f.length(answer); err != nil {
		return nil, false, err
	}
	return answer, true, f.formed(answer)
}

func (f field) between(n float64) error {
	switch {
	case f.Minimum != nil && n < *f.Minimum:
		return fmt.Errorf("it is below %s", decimal(*f.Minimum))
	case f.Maximum != nil && n > *f.Maximum:
		return fmt.Errorf("it is above %s", decimal(*f.Maximum))
	}
	return nil
}

func (f field) length(text string) error {
	n := utf8.RuneCountInString(text)
	switch {
	case f.MinLength != nil && n < *f.MinLength:
		return fmt.Errorf("it is shorter than %d", *f.MinLength)
	case f.MaxLength != nil && n > *f.MaxLength:
		return fmt.Errorf("it is longer than %d", *f.MaxLength)
	}
	return nil
}

func (f field) several(answer string) ([]any, error) {
	list := []any{}
	for part := range strings.SplitSeq(answer, ",") {
		chosen, err := choose(f.options(), strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		if !slices.Contains(list, any(chosen)) {
			list = append(list, chosen)
		}
	}
	switch {
	case f.MinItems != nil && len(list) < *f.MinItems:
		return nil, fmt.Errorf("it has fewer than %d", *f.MinItems)
	case f.MaxItems != nil && len(list) > *f.MaxItems:
		return nil, fmt.Errorf("it has more than %d", *f.MaxItems)
	}
	return list, nil
}

// choose finds an answer among the values, and then among what they are called.
func choose(options []choice, answer string) (string, error) {
	for _, same := range []func(choice) bool{
		func(c choice) bool { return c.Const == answer },
		func(c choice) bool { return strings.EqualFold(c.Const, answer) },
		func(c choice) bool { return strings.EqualFold(c.Title, answer) },
	} {
		if i := slices.IndexFunc(options, same); i >= 0 {
			return options[i].Const, nil
		}
	}
	return "", errors.New("it is none of what may be chosen")
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
