package builtin

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/internal/loosejson"
)

const (
	callField = "Call" // which only the closed form of a decision has
	openField = "Open"
)

// opened returns a decision in its open form:
//
//	{"Actions": [{"ControlLabel": "3", "Call": {"Function": "click", "Args": {"id": "3"}}}], "Result": "[1]", "Open": []}
//	{"ControlLabel": "3", "Function": "click", "Args": {"id": "3"}, "Result": [1], "Open": []}
//
// Where there are no controls, an action is a call. A host makes one call, and has no Actions.
//
// Only a reply with a Call, or with a list as Open, is in the closed form. In others a text is a
// text, but for a reference and a Context: a model that was only shown the closed form may forget
// both.
func opened(v loosejson.Value) loosejson.Value {
	call, strict := v.Get(callField)
	strict = strict && (call.Kind == loosejson.Null || isCall(call))
	if open, _ := v.Get(openField); open.Kind == loosejson.Array {
		strict = true
	}
	if !strict && !slices.ContainsFunc(v.Members, closedOnly) {
		return v
	}
	members := make([]loosejson.Member, 0, len(v.Members)+1)
	for _, m := range v.Members {
		switch {
		case m.Name == callField && isCall(call):
			members = addCall(members, call)
			continue
		case strict && m.Value.Kind == loosejson.Null:
			continue
		case anyField(m.Name) && m.Value.Kind == loosejson.String:
			inner, ok := inText(m.Value.Text)
			switch {
			case strict && (ok && inner.Kind == loosejson.Null || strings.TrimSpace(m.Value.Text) == ""):
				continue
			case ok && (strict || closedOnly(m)):
				m.Value = inner
			}
		case m.Name == "Actions" && m.Value.Kind == loosejson.Array && (strict || closedOnly(m)):
			items := slices.Clone(m.Value.Items)
			for i := range items {
				items[i].Members = openedAction(items[i])
			}
			if len(items) == 1 && isAction(items[0]) && !slices.ContainsFunc(v.Members, ofCall) {
				members = append(members, items[0].Members...)
				continue
			}
			m.Value.Items = items
		}
		members = append(members, m)
	}
	v.Members = members
	return v
}

// closedOnly reports whether a field says something that the open form says otherwise.
func closedOnly(m loosejson.Member) bool {
	switch {
	case anyField(m.Name) && m.Value.Kind == loosejson.String:
		text := strings.TrimSpace(m.Value.Text)
		if !strings.HasPrefix(text, "{") {
			return false
		}
		inner, ok := inText(text)
		return ok && (m.Name == "Context" || isReference(inner))
	case m.Name == "Actions":
		return slices.ContainsFunc(m.Value.Items, func(item loosejson.Value) bool {
			inner, ok := item.Get(callField)
			return ok && isCall(inner)
		})
	}
	return false
}

// anyField reports whether a field takes any JSON. In the closed form it is a text with JSON in
// it, and a text that is no JSON is that text.
func anyField(name string) bool {
	return name == "Result" || name == "Context" || name == "SaveScreenshot"
}

// isReference reports whether a value is a reference to the blackboard, and nothing else.
func isReference(v loosejson.Value) bool {
	return len(v.Members) == 1 && v.Members[0].Name == closed.Ref && v.Members[0].Value.Kind == loosejson.String
}

// isCall reports whether a value is a call as the closed form has it.
func isCall(v loosejson.Value) bool {
	function, _ := v.Get("Function")
	_, given := v.Get("Args")
	return given && len(v.Members) == 2 && function.Kind == loosejson.String
}

// openedAction are the members of an action, in the open form.
func openedAction(v loosejson.Value) []loosejson.Member {
	if v.Kind != loosejson.Object || !slices.ContainsFunc(v.Members, func(m loosejson.Member) bool { return m.Name == callField && isCall(m.Value) }) {
		return addCall(nil, v)
	}
	var members []loosejson.Member
	for _, m := range v.Members {
		if m.Name == callField {
			members = addCall(members, m.Value)
			continue
		}
		members = append(members, m)
	}
	return members
}

// isAction reports whether a value is nothing but a call, and its control.
func isAction(v loosejson.Value) bool {
	function, _ := v.Get("Function")
	return function.Kind == loosejson.String && !slices.ContainsFunc(v.Members, func(m loosejson.Member) bool { return !ofAction(m) })
}

func ofAction(m loosejson.Member) bool {
	return m.Name == "Function" || m.Name == "Args" || m.Name == "ControlLabel" || m.Name == "ControlText"
}

// ofCall reports whether a field of a decision is of a call that is not in its Actions, however it is spelt.
func ofCall(m loosejson.Member) bool {
	if ofAction(m) {
		return true
	}
	folded := Fold(m.Name)
	return m.Value.Kind != loosejson.Null && (callNames[folded] || argNames[folded] || folded == "controllabel" || folded == "controltext")
}

// addCall adds a call, whose Args may be an object in a text.
func addCall(to []loosejson.Member, call loosejson.Value) []loosejson.Member {
	for _, m := range call.Members {
		if m.Value.Kind == loosejson.String && m.Name == "Args" {
			if inner, ok := inText(m.Value.Text); ok && inner.Kind == loosejson.Object {
				m.Value = inner
			}
		}
		to = append(to, m)
	}
	return to
}

// inText is the JSON in a text, with each reference as the blackboard knows it. It must be strict:
// "[1] see below" is a sentence.
func inText(text string) (loosejson.Value, bool) {
	if !json.Valid([]byte(text)) {
		return loosejson.Value{}, false
	}
	v, err := loosejson.Parse(text)
	return referring(v), err == nil
}

// referring is a value whose references are called as the blackboard calls them: some servers want
// [closed.Reference] in their schemas.
func referring(v loosejson.Value) loosejson.Value {
	if len(v.Members) == 1 && v.Members[0].Name == closed.Reference && v.Members[0].Value.Kind == loosejson.String {
		v.Members = []loosejson.Member{{Name: closed.Ref, Value: v.Members[0].Value}}
		return v
	}
	for i := range v.Members {
		v.Members[i].Value = referring(v.Members[i].Value)
	}
	for i := range v.Items {
		v.Items[i] = referring(v.Items[i])
	}
	return v
}

// openList is what an object says of what is open, {"act_1": "done: so"}, as a list of texts.
func openList(v loosejson.Value) loosejson.Value {
	list := loosejson.Value{Kind: loosejson.Array, Items: make([]loosejson.Value, len(v.Members))}
	for i, m := range v.Members {
		said := m.Value.Text
		if m.Value.Kind != loosejson.String {
			said = string(m.Value.Append(nil))
		}
		list.Items[i] = loosejson.Text(m.Name + ": " + said)
	}
	return list
}
