package closedtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/internal/jsonschema"
	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// Reply writes a decision as a model writes it that is held to this schema. For example, an AppAgent says
//
//	{"Actions": [{"Function": "click", "Args": {"id": "3", "twice": null}}], "Open": [], "Result": ""}
//
// for {"Function": "click", "Args": {"id": "3"}}. The error says for what there is no place.
func Reply(schema json.RawMessage, open loosejson.Value) (json.RawMessage, error) {
	root, err := loosejson.Parse(string(schema))
	if err != nil {
		return nil, err
	}
	w := &writer{root: root}
	text := w.decision(open).Append(nil)
	if w.err != nil {
		return nil, w.err
	}
	return text, Fits(schema, text)
}

// Fits checks a reply, or the arguments of a call, against the schema that they are held to.
func Fits(schema, text json.RawMessage) error {
	fits, known := compiled.Load(string(schema))
	if !known {
		made, err := jsonschema.Compile(schema)
		if err != nil {
			return err
		}
		fits, _ = compiled.LoadOrStore(string(schema), made)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	if problems := fits.(*jsonschema.Schema).Validate(value); len(problems) > 0 {
		first, _, _ := strings.Cut(problems[0], " (") // of each alternative
		return errors.New(first)
	}
	return nil
}

var compiled sync.Map // from the text of a schema to its *jsonschema.Schema

// Args writes the arguments of a call as a model writes them that is held to the tool. Those of a status are fields
// of a decision. What the tool requires and the call does not have stays away.
func Args(tool json.RawMessage, args loosejson.Value, status bool) (json.RawMessage, error) {
	root, err := loosejson.Parse(string(tool))
	if err != nil {
		return nil, err
	}
	w := &writer{root: root}
	write := w.argument
	if status {
		write = w.field
	}
	for _, p := range propertiesOf(root) {
		if value, said := write(p, args); said {
			args = args.With(p.Name, value)
		}
	}
	return args.Append(nil), nil
}

// writer knows the parts that a schema shares, and the first thing for which it has no place.
type writer struct {
	root loosejson.Value
	err  error
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// decision has its fields in the order of the schema: so a model writes them that is held to it.
func (w *writer) decision(open loosejson.Value) loosejson.Value {
	said := loosejson.Value{Kind: loosejson.Object}
	known := map[string]bool{}
	for _, p := range propertiesOf(w.root) {
		known[p.Name] = true
		switch p.Name {
		case "Call":
			known["Function"], known["Args"] = true, true
			said = said.With(p.Name, w.call(p.Value, open))
		case "Actions":
			for name := range acts {
				known[name] = has(open, "Function")
			}
			said = said.With(p.Name, w.actions(p.Value, open))
		default:
			if value, ok := w.field(p, open); ok {
				said = said.With(p.Name, value)
			}
		}
	}
	for _, m := range open.Members {
		if !known[m.Name] {
			w.fail("there is no %s", m.Name)
		}
	}
	return said
}

// acts are the fields of a call beside others.
var acts = map[string]bool{"Function": true, "Args": true, "ControlLabel": true, "ControlText": true}

// actions are the calls of a reply: those of a list, or the one beside its other fields.
func (w *writer) actions(schema, open loosejson.Value) loosejson.Value {
	list := loosejson.Value{Kind: loosejson.Array}
	actions, _ := open.Get("Actions")
	items, _ := schema.Get("items")
	if has(open, "Function") {
		one := loosejson.Value{Kind: loosejson.Object}
		for _, m := range open.Members {
			if acts[m.Name] {
				one = one.With(m.Name, m.Value)
			}
		}
		if has(open, "Actions") {
			w.fail("there is no Function beside Actions")
		}
		actions.Items = append(actions.Items, one)
	}
	for _, action := range actions.Items {
		list.Items = append(list.Items, w.action(w.of(items), action))
	}
	return list
}

// action is a call, or a call and its control.
func (w *writer) action(schema, open loosejson.Value) loosejson.Value {
	properties := propertiesOf(schema)
	said := loosejson.Value{Kind: loosejson.Object}
	known := map[string]bool{"Function": true, "Args": true}
	switch {
	case open.Kind != loosejson.Object:
		w.fail("an action is no object")
	case !slices.ContainsFunc(properties, func(p loosejson.Member) bool { return p.Name == "Call" }):
		said = w.call(schema, open)
	default:
		for _, p := range properties {
			known[p.Name] = true
			if p.Name == "Call" {
				said = said.With(p.Name, w.call(p.Value, open))
			} else if value, ok := w.field(p, open); ok {
				said = said.With(p.Name, value)
			}
		}
	}
	for _, m := range open.Members {
		if !known[m.Name] {
			w.fail("an action has no %s", m.Name)
		}
	}
	return said
}

// call is the call of a reply or an action, null for none.
func (w *writer) call(choice, open loosejson.Value) loosejson.Value {
	function, called := open.Get("Function")
	args, given := open.Get("Args")
	if !called {
		if given {
			w.fail("there are Args without a Function")
		}
		return loosejson.Value{}
	}
	if !given || args.Kind == loosejson.Null {
		args = loosejson.Value{Kind: loosejson.Object}
	}
	call := loosejson.Value{Kind: loosejson.Object}.With("Function", function)
	for _, branch := range w.branches(choice) {
		words, _ := w.of(propertyOf(branch, "Function")).Get("enum")
		if !slices.ContainsFunc(words.Items, func(word loosejson.Value) bool { return loosejson.Equal(word, function) }) {
			continue
		}
		takes := w.of(propertyOf(branch, "Args"))
		if typed(takes) == "string" {
			return call.With("Args", loosejson.Text(string(args.Append(nil))))
		}
		if label, ok := open.Get("ControlLabel"); ok && !has(args, "id") && w.needs(takes, "id") {
			args = args.With("id", label) // of the control
		}
		w.takes(function.Text, takes, args)
		return call.With("Args", w.value(takes, args, false))
	}
	w.fail("there is no tool %s", function.Append(nil))
	return call
}

// field is a field of a decision, or what stands for none. false: the model must say it, and does not.
func (w *writer) field(p loosejson.Member, open loosejson.Value) (loosejson.Value, bool) {
	value, given := open.Get(p.Name)
	schema := w.of(p.Value)
	switch {
	case p.Name == "Open" && value.Kind == loosejson.Object:
		list := loosejson.Value{Kind: loosejson.Array}
		for _, m := range value.Members {
			list.Items = append(list.Items, loosejson.Text(m.Name+": "+m.Value.Text))
		}
		return list, true
	case given && typed(schema) == "string" && (p.Name == "Result" || p.Name == "Context" || p.Name == "SaveScreenshot"):
		if value.Kind == loosejson.String && strings.TrimSpace(value.Text) != "" && !json.Valid([]byte(value.Text)) {
			return value, true
		}
		return loosejson.Text(string(value.Append(nil))), true
	}
	return w.part(p, open, true)
}

// argument is an argument of a tool, null where it is left out and may be.
func (w *writer) argument(p loosejson.Member, open loosejson.Value) (loosejson.Value, bool) {
	return w.part(p, open, false)
}

// part is a part of an object. Of a decision, a blank one stands for none.
func (w *writer) part(p loosejson.Member, open loosejson.Value, blanks bool) (loosejson.Value, bool) {
	value, given := open.Get(p.Name)
	schema := w.of(p.Value)
	switch {
	case given:
		return w.value(schema, value, blanks), true
	case w.takesNull(schema):
		return loosejson.Value{}, true
	case typed(schema) == "array":
		return loosejson.Value{Kind: loosejson.Array}, blanks
	}
	return loosejson.Text(""), blanks && typed(schema) == "string" && !has(schema, "enum")
}

// value writes objects with all that their schema asks for.
func (w *writer) value(schema, value loosejson.Value, blanks bool) loosejson.Value {
	for _, branch := range w.branches(schema) {
		properties := propertiesOf(branch)
		items, lists := branch.Get("items")
		switch {
		case value.Kind == loosejson.Array && lists:
			value.Items = slices.Clone(value.Items)
			for i := range value.Items {
				value.Items[i] = w.value(items, value.Items[i], blanks)
			}
			return value
		case value.Kind == loosejson.Object && isReference(value) && len(properties) == 1 && properties[0].Name == closed.Reference:
			return loosejson.Value{Kind: loosejson.Object}.With(closed.Reference, value.Members[0].Value)
		case value.Kind == loosejson.Object && typed(branch) == "object" && within(value, properties):
			for _, p := range properties {
				if part, said := w.part(p, value, blanks); said {
					value = value.With(p.Name, part)
				}
			}
			return value
		}
	}
	return value
}

// takes says which argument a tool does not have, or does not get.
func (w *writer) takes(tool string, schema, args loosejson.Value) {
	for _, m := range args.Members {
		if p, _ := schema.Get("properties"); !has(p, m.Name) {
			w.fail("%s has no argument %s", tool, m.Name)
		}
	}
	for _, p := range propertiesOf(schema) {
		if !has(args, p.Name) && w.needs(schema, p.Name) {
			w.fail("%s needs %s", tool, p.Name)
		}
	}
}

// needs reports whether an object must have a property, and not null.
func (w *writer) needs(schema loosejson.Value, name string) bool {
	p := propertyOf(schema, name)
	return p.Kind == loosejson.Object && !w.takesNull(p)
}

func isReference(v loosejson.Value) bool {
	return len(v.Members) == 1 && v.Members[0].Name == closed.Ref
}

// within reports whether an object has no other names.
func within(v loosejson.Value, properties []loosejson.Member) bool {
	return !slices.ContainsFunc(v.Members, func(m loosejson.Member) bool {
		return !slices.ContainsFunc(properties, func(p loosejson.Member) bool { return p.Name == m.Name })
	})
}

// of is a schema, or the shared part that it stands for.
func (w *writer) of(schema loosejson.Value) loosejson.Value {
	ref, _ := schema.Get("$ref")
	name, shared := strings.CutPrefix(ref.Text, "#/$defs/")
	if !shared {
		return schema
	}
	defs, _ := w.root.Get("$defs")
	part, _ := defs.Get(name)
	return part
}

// branches are the schemas of a choice, choices in it among them.
func (w *writer) branches(schema loosejson.Value) (list []loosejson.Value) {
	schema = w.of(schema)
	of, choice := schema.Get("anyOf")
	if !choice {
		return []loosejson.Value{schema}
	}
	for _, branch := range of.Items {
		list = append(list, w.branches(branch)...)
	}
	return list
}

func (w *writer) takesNull(schema loosejson.Value) bool {
	return slices.ContainsFunc(w.branches(schema), func(branch loosejson.Value) bool {
		types, _ := branch.Get("type")
		return types.Text == "null" || slices.ContainsFunc(types.Items, func(t loosejson.Value) bool { return t.Text == "null" })
	})
}

func typed(schema loosejson.Value) string {
	typ, _ := schema.Get("type")
	return typ.Text
}

func propertyOf(schema loosejson.Value, name string) loosejson.Value {
	all, _ := schema.Get("properties")
	p, _ := all.Get(name)
	return p
}

func propertiesOf(schema loosejson.Value) []loosejson.Member {
	all, _ := schema.Get("properties")
	return all.Members
}
