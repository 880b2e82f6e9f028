package builtin

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// Call is the call beside which there are names that no field has.
type Call struct {
	Function string
	Args     map[string]any
	Control  bool // it names a control
	Own      bool // they stand in an object of its own, such as an element of a list
	Shared   bool // they stand beside several calls
	open     bool // nobody knows what its tool takes
}

// Unread says which of the names that no field has may mean an act, or an argument of
// the call. What is dropped in silence would not be done, and the model believe that
// it was.
func Unread(names map[string]json.RawMessage, box *desktop.Toolbox, c Call) error {
	if len(names) == 0 {
		return nil
	}
	tools := toolsOf(box)
	takes, some := parameters(box, c.Function)
	bare := some && !c.given() && !c.Control
	c.open = some && len(takes) == 0
	for _, name := range slices.Sorted(maps.Keys(names)) {
		v, err := loosejson.Parse(string(names[name]))
		if err != nil || v.Kind == loosejson.Null || v.Kind != loosejson.Bool && v.Kind != loosejson.Array && v.Text == "" && len(v.Members) == 0 {
			continue
		}
		shown := strconv.Quote(clip.Name(name, promptsize.Name))
		switch {
		case takes[Fold(name)]:
			return fmt.Errorf("%s stands beside Args and does not reach the tool: move it into Args", shown)
		case c.mayTake(name, v, bare), tools.act(name, v), Fold(name) == "name" && !empty(v):
			return fmt.Errorf("%s is no field, and nothing was called: if you mean a call, make it; else leave %s out", shown, shown)
		}
	}
	return nil
}

// given reports whether the call has an argument that says something.
func (c Call) given() bool {
	for _, arg := range c.Args {
		if arg != nil && arg != "" {
			return true
		}
	}
	return false
}

// mayTake reports whether a name may be an argument of the call, whatever the tool
// calls it. In an object of the call's own every name may be one, but for words about
// the call. Beside a call an object or a list may be one, and everything beside one that is bare
// of arguments, or whose tool does not say what it takes.
func (c Call) mayTake(name string, v loosejson.Value, bare bool) bool {
	switch {
	case c.Function == "" && !c.Own:
		return false
	case remark(name, v, bare):
		return bare && structured(v) && !empty(v)
	case structured(v):
		return true
	case c.Own:
		return !c.given() || v.Kind != loosejson.String || !strings.Contains(strings.TrimSpace(v.Text), " ")
	default:
		return (bare || c.open) && !c.Shared
	}
}

// Words that models write about a call, folded: about any, about what was done
// before it, and those that could be an argument of one that has none.
var (
	remarks = set("thought", "thoughts", "thinking", "comment", "reason", "reasoning", "justification", "description", "explanation", "note", "observation",
		"rationale", "purpose", "step", "confidence", "risk", "priority", "language", "summary", "goal", "intent", "analysis", "reflection", "evaluation",
		"memory", "nextstep", "nextsteps", "nextgoal", "progress", "taskprogress", "screenshotdescription", "currentstate", "importantcontents")
	past = set("previousaction", "previousactions", "lastaction", "lastactions", "evaluationpreviousgoal", "history", "actionhistory", "toolsused")
	pale = set("index", "waitafter", "success")
)

// remark reports whether a name is that of a word about a call.
func remark(name string, v loosejson.Value, bare bool) bool {
	folded := Fold(name)
	if folded == "type" {
		kind := Fold(v.Text)
		return kind == "action" || callNames[kind]
	}
	return name == "$schema" || remarks[folded] || past[folded] || strings.HasPrefix(folded, "expected") || pale[folded] && !bare
}

// structured reports whether a value is an object or a list, or a text that is one.
func structured(v loosejson.Value) bool {
	_, ok := inside(v)
	return ok
}

// inside returns an object or a list, also that in a text.
func inside(v loosejson.Value) (loosejson.Value, bool) {
	if v.Kind == loosejson.String {
		inner, err := loosejson.Parse(v.Text)
		if err != nil {
			return v, false
		}
		v = inner
	}
	return v, v.Kind == loosejson.Object || v.Kind == loosejson.Array
}

// parameters are the names that a tool takes, folded, and whether it may take some: a
// schema that says nothing of its properties allows all.
func parameters(box *desktop.Toolbox, function string) (takes map[string]bool, some bool) {
	types, more := box.Parameters(function)
	if types == nil {
		return nil, false // which is fed back
	}
	takes = map[string]bool{}
	for name := range types {
		takes[Fold(name)] = true
	}
	return takes, more || len(types) > 0
}
