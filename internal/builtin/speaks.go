package builtin

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// tools are those of a desktop, by their folded names.
type tools struct{ whole, begun map[string]bool }

func toolsOf(box *desktop.Toolbox) tools {
	t := tools{map[string]bool{}, map[string]bool{}}
	for _, tool := range box.Tools() {
		t.whole[Fold(tool.Name)] = true
		for i, r := range hyphens.Replace(tool.Name) {
			if r == '_' {
				t.begun[Fold(tool.Name[:i])] = true
			}
		}
	}
	delete(t.begun, "")
	return t
}

// act reports whether a name, or its value at any depth, means an act. Words about
// the past name acts that were done.
func (t tools) act(name string, v loosejson.Value) bool {
	folded := Fold(name)
	switch {
	case empty(v):
		return false
	case past[folded]:
		v, ok := inside(v)
		return ok && (t.call(v) || slices.ContainsFunc(v.Items, t.call))
	case callNames[folded] || argNames[folded] || listNames[folded] || others[folded] || t.whole[folded]:
		return true
	}
	inner, _ := inside(v)
	return t.begun[folded] && inner.Kind == loosejson.Object || t.speaks(v)
}

// speaks reports whether a value names an act.
func (t tools) speaks(v loosejson.Value) bool {
	if v.Kind == loosejson.String && (t.whole[Fold(withoutSpace(v.Text))] || t.program(v.Text)) {
		return true
	}
	v, ok := inside(v)
	return ok && (slices.ContainsFunc(v.Items, t.speaks) ||
		slices.ContainsFunc(v.Members, func(m loosejson.Member) bool { return t.act(m.Name, m.Value) }))
}

var programCall = regexp.MustCompile(`^\s*(?:await\s+|print\()?([\w.-]+)\(`)

// program reports whether a text begins as the call of a tool in a program.
func (t tools) program(text string) bool {
	found := programCall.FindStringSubmatch(text)
	return found != nil && t.whole[Fold(withoutSpace(found[1]))]
}

// call reports whether a value is nothing but calls of tools.
func (t tools) call(v loosejson.Value) bool {
	inner, ok := inside(v)
	if !ok {
		return v.Kind == loosejson.String && t.program(v.Text) && strings.HasSuffix(strings.TrimSpace(v.Text), ")")
	}
	if inner.Kind == loosejson.Array {
		return len(inner.Items) > 0 && !slices.ContainsFunc(inner.Items, func(item loosejson.Value) bool { return !t.call(item) })
	}
	called, named, given := false, false, false
	for _, m := range inner.Members {
		known := m.Value.Kind == loosejson.String && t.whole[Fold(withoutSpace(m.Value.Text))]
		switch folded := Fold(m.Name); {
		case callNames[folded] && known, (callNames[folded] || listNames[folded]) && t.call(m.Value):
			called = true
		case folded == "name" && known:
			named = true
		case argNames[folded]:
			given = true
		case folded == "type", folded == "id", folded == "status", folded == "thought", folded == "controllabel", folded == "controltext":
		default:
			return false
		}
	}
	return called || named && given
}

var errCallInResult = errors.New("the Result holds a call, which was not made: make it first, or write its result in words")

var errCallInWords = errors.New("the Comment or the Thought is a call, which was not made: make it, or say in words what was done")

// CheckResult feeds back a Result that is nothing but a call. shell says that the
// reply has a field for a command of the shell.
func CheckResult(result json.RawMessage, box *desktop.Toolbox, shell bool) error {
	if len(result) == 0 {
		return nil
	}
	v, err := loosejson.Parse(string(result))
	if err != nil {
		return nil //nolint:nilerr // one that is no call
	}
	inner, _ := inside(v)
	if shell && len(inner.Members) == 1 && shellNames[Fold(inner.Members[0].Name)] && !empty(inner.Members[0].Value) || toolsOf(box).call(v) {
		return errCallInResult
	}
	return nil
}

// CheckWords feeds back words of an end that are nothing but calls, whatever stands around those: nothing was called.
func CheckWords(box *desktop.Toolbox, words ...string) error {
	for _, text := range words {
		calls := loosejson.Only(text)
		if len(calls) > 0 && toolsOf(box).call(loosejson.Value{Kind: loosejson.Array, Items: calls}) {
			return errCallInWords
		}
	}
	return nil
}

// empty reports whether a value says nothing, as models fill in what they do not
// use.
func empty(v loosejson.Value) bool {
	switch v.Kind {
	case loosejson.Null:
		return true
	case loosejson.Bool:
		return v.Text == "false"
	case loosejson.String:
		return noFunction(v.Text)
	default:
		return v.Kind != loosejson.Number && len(v.Items)+len(v.Members) == 0
	}
}
