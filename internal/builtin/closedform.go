package builtin

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// The names that only the closed form of a decision has.
const (
	callField  = "Call"
	openID     = "id"
	openAnswer = "answer"
)

// opened returns a decision in its open form:
//
//	{"Call": {"Function": "click", "Args": {"id": "3"}}, "Result": "[1]", "Open": [{"id": "a", "answer": "done: so"}]}
//	{"Function": "click", "Args": {"id": "3"}, "Result": [1], "Open": {"a": "done: so"}}
//
// Only a reply with a Call, or with a list as Open, is in the closed form: no open form has them.
// In others a text is a text, but for a reference and a Context: a model that was only shown the
// closed form may forget the Call.
func opened(v loosejson.Value) loosejson.Value {
	call, strict := v.Get(callField)
	strict = strict && (call.Kind == loosejson.Null || isCall(call))
	if open, ok := v.Get("Open"); ok && open.Kind == loosejson.Array {
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
		case m.Name == "Open" && m.Value.Kind == loosejson.Array:
			if list, ok := openList(m.Value); ok {
				m.Value = list
			}
		case m.Name == "Actions" && m.Value.Kind == loosejson.Array:
			items := slices.Clone(m.Value.Items)
			for i := range items {
				if inner, ok := items[i].Get(callField); ok && isCall(inner) {
					items[i] = openedAction(items[i])
				}
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

func openedAction(v loosejson.Value) loosejson.Value {
	members := make([]loosejson.Member, 0, len(v.Members)+1)
	for _, m := range v.Members {
		if m.Name == callField {
			members = addCall(members, m.Value)
			continue
		}
		members = append(members, m)
	}
	v.Members = members
	return v
}

// inText is the JSON in a text. It must be strict: "[1] see below" is a sentence.
func inText(text string) (loosejson.Value, bool) {
	if !json.Valid([]byte(text)) {
		return loosejson.Value{}, false
	}
	v, err := loosejson.Parse(text)
	return v, err == nil
}

// openList is what a list of {"id", "answer"} says, by ids. An id that is there twice is for the
// decoder to refuse.
func openList(v loosejson.Value) (loosejson.Value, bool) {
	object := loosejson.Value{Kind: loosejson.Object}
	for _, item := range v.Items {
		id, _ := item.Get(openID)
		answer, ok := item.Get(openAnswer)
		if !ok || id.Kind != loosejson.String || has(object, Fold(id.Text)) {
			return v, false
		}
		object.Members = append(object.Members, loosejson.Member{Name: id.Text, Value: answer})
	}
	return object, true
}
