package closedtest

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/internal/jsonschema"
	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// Reply writes a decision as a model writes it that is held to this schema. For example, an AppAgent says
//
//	{"Actions": [{"Function": "click", "Args": {"id": "3", "twice": null}}], "Open": [], "Result": ""}
//
// for {"Function": "click", "Args": {"id": "3"}}. The error says what does not fit.
func Reply(schema json.RawMessage, open loosejson.Value) (json.RawMessage, error) {
	text, err := Args(schema, open, true)
	if err != nil {
		return nil, err
	}
	return text, Fits(schema, text)
}

// Fits checks a reply, or the arguments of a call, against the schema that they are held to.
func Fits(schema, text json.RawMessage) error {
	held, err := jsonschema.Compile(schema)
	if err != nil {
		return err
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	if problems := held.Validate(value); len(problems) > 0 {
		first, _, _ := strings.Cut(problems[0], " (") // of each alternative
		return errors.New(first)
	}
	return nil
}

// Args writes the arguments of a call as a model writes it that is held to the tool. Those of a status are fields
// of a decision. What the tool requires and the call does not have stays away.
func Args(tool json.RawMessage, args loosejson.Value, status bool) (json.RawMessage, error) {
	root, err := loosejson.Parse(string(tool))
	if err != nil {
		return nil, err
	}
	return writer{root, status}.object(root, args).Append(nil), nil
}

// writer writes values in the closed form of a schema.
type writer struct {
	root     loosejson.Value // it has the shared parts
	decision bool            // not arguments of a tool
}

var emptyObject = loosejson.Value{Kind: loosejson.Object}

// object writes the properties of a schema in its order, and behind them what the schema has no place for.
func (w writer) object(schema, open loosejson.Value) loosejson.Value {
	if w.decision && has(get(schema, "properties"), "Actions") && has(open, "Function") && !has(open, "Actions") {
		action := emptyObject
		for _, m := range open.Members {
			if ofAction(m) {
				action = action.With(m.Name, m.Value)
			}
		}
		open.Members = slices.DeleteFunc(slices.Clone(open.Members), ofAction)
		open = open.With("Actions", loosejson.Value{Kind: loosejson.Array, Items: []loosejson.Value{action}})
	}
	said, known := emptyObject, []string{}
	for _, p := range propertiesOf(schema) {
		known = append(known, p.Name)
		if w.decision && p.Name == "Call" && has(open, "Function") {
			said = said.With("Call", w.call(p.Value, open))
			known = append(known, "Function", "Args")
		} else if value, ok := w.property(p, open); ok {
			said = said.With(p.Name, value)
		}
	}
	return rest(said, open, known...)
}

func ofAction(m loosejson.Member) bool {
	return slices.Contains([]string{"ControlLabel", "ControlText", "Function", "Args"}, m.Name)
}

// rest adds the members of open that are not known.
func rest(said, open loosejson.Value, known ...string) loosejson.Value {
	for _, m := range open.Members {
		if !slices.Contains(known, m.Name) {
			said = said.With(m.Name, m.Value)
		}
	}
	return said
}

// call writes a call in the branch of its tool.
func (w writer) call(choice, open loosejson.Value) loosejson.Value {
	function, args := get(open, "Function"), get(open, "Args")
	if args.Kind == loosejson.Null {
		args = emptyObject
	}
	for _, branch := range w.branches(choice) {
		if !contains(get(of(w.root, propertyOf(branch, "Function")), "enum").Items, function) {
			continue
		}
		takes := of(w.root, propertyOf(branch, "Args"))
		if typed(takes) == "string" {
			args = loosejson.Text(string(args.Append(nil)))
			break
		}
		id := propertyOf(takes, "id")
		if label, ok := open.Get("ControlLabel"); ok && !has(args, "id") && id.Kind == loosejson.Object && !w.takesNull(id) {
			args = args.With("id", label)
		}
		args = writer{root: w.root}.value(takes, args)
	}
	return emptyObject.With("Function", function).With("Args", args)
}

// anyJSON are fields whose JSON is in a text.
var anyJSON = []string{"Result", "Context", "SaveScreenshot"}

// property writes a property, or what stands for none. false: the model must say it, and does not.
func (w writer) property(p loosejson.Member, open loosejson.Value) (loosejson.Value, bool) {
	value, given := open.Get(p.Name)
	schema := of(w.root, p.Value)
	switch {
	case !given && w.takesNull(schema):
		return loosejson.Value{}, true
	case !given && typed(schema) == "array":
		return loosejson.Value{Kind: loosejson.Array}, w.decision
	case !given:
		return loosejson.Text(""), w.decision && typed(schema) == "string" && !has(schema, "enum")
	case w.decision && p.Name == "Open" && value.Kind == loosejson.Object:
		list := loosejson.Value{Kind: loosejson.Array}
		for _, m := range value.Members {
			list.Items = append(list.Items, loosejson.Text(m.Name+": "+m.Value.Text))
		}
		return list, true
	case w.decision && typed(schema) == "string" && slices.Contains(anyJSON, p.Name):
		if value.Kind == loosejson.String && strings.TrimSpace(value.Text) != "" && !json.Valid([]byte(value.Text)) {
			return value, true
		}
		return loosejson.Text(string(value.Append(nil))), true
	}
	return w.value(schema, value), true
}

// value writes a value in the branch of a schema that it fits by its names.
func (w writer) value(schema, value loosejson.Value) loosejson.Value {
	branches := w.branches(schema)
	for _, branch := range branches {
		properties := get(branch, "properties")
		strange := func(m loosejson.Member) bool { return !has(properties, m.Name) }
		fits := len(branches) == 1 || !slices.ContainsFunc(value.Members, strange)
		switch {
		case value.Kind == loosejson.Array && has(branch, "items"):
			value.Items = slices.Clone(value.Items)
			for i := range value.Items {
				value.Items[i] = w.value(get(branch, "items"), value.Items[i])
			}
			return value
		case has(value, closed.Ref) && len(value.Members) == 1 && has(properties, closed.Reference):
			return emptyObject.With(closed.Reference, value.Members[0].Value)
		case w.decision && has(value, "Function") && has(properties, "Function"):
			return rest(w.call(schema, value), value, "Function", "Args")
		case value.Kind == loosejson.Object && typed(branch) == "object" && fits:
			return w.object(branch, value)
		}
	}
	return value
}

// branches are the schemas of a choice, choices in it among them.
func (w writer) branches(schema loosejson.Value) (list []loosejson.Value) {
	schema = of(w.root, schema)
	if !has(schema, "anyOf") {
		return []loosejson.Value{schema}
	}
	for _, branch := range get(schema, "anyOf").Items {
		list = append(list, w.branches(branch)...)
	}
	return list
}

func (w writer) takesNull(schema loosejson.Value) bool {
	for _, branch := range w.branches(schema) {
		if slices.Contains(typesOf(branch), "null") {
			return true
		}
	}
	return false
}
