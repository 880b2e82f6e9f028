package builtin

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/llm"
)

// ToolCalls is the form of replies that are calls of tools: those of the desktop, one for each status,
// and some of the agent's own. For example, the calls
//
//	click_input {"id": "1"}
//	FINISH {"Result": "saved"}
//
// are the decision {"Status": "FINISH", "Result": "saved", "Function": "click_input", "Args": {"id": "1"}}.
// A ToolCalls is of one agent.
type ToolCalls struct {
	Statuses []fsm.Status        // all of the table: each is the name of a tool
	Says     map[fsm.Status]Says // what the tools of statuses say of themselves
	Own      []OwnTool
	Fields   llm.Schema // of the decision: what the arguments of statuses are
	// About is what the arguments of statuses say of themselves here, where Fields speaks of a Status.
	About map[string]string
	// TextPlans says that the model is told of plans of texts alone: the schema of one of objects would be in
	// each tool of a status.
	TextPlans bool

	logged []string // names that tools of the desktop cannot have
}

// Says is the tool of a status.
type Says struct {
	What   string   // it does
	Fields []string // of the decision that are its arguments, besides Comment and Plan; a reply may have others
	Needs  []string // of these, those that must be there
}

// OwnTool is a field of the decision that is a tool of its own.
type OwnTool struct {
	Field    string // and name of the tool
	What     string
	Argument string // what the field is set to
	About    string // the argument
	Must     bool   // the argument must be there; else the field is true without it
	With     string // a tool of the desktop, without which this one does nothing
	Instead  bool   // of that tool
}

var errNoName = errors.New("a call names no tool")

// Called returns the decision that a reply of calls is, as the JSON of the other form.
func (f *ToolCalls) Called(box *desktop.Toolbox, text string, calls []llm.Call) (string, error) {
	d := &calledDecision{at: map[string]int{}}
	status, acts := fsm.Status(""), []loosejson.Value(nil)
	for i, call := range calls {
		own := slices.IndexFunc(f.Own, func(t OwnTool) bool { return t.Field == withoutSpace(call.Name) })
		said := fsm.ParseStatus(withoutSpace(call.Name))
		switch {
		case strings.TrimSpace(call.Name) == "":
			return "", errNoName
		case own >= 0:
			if err := d.addOwn(f.Own[own], call.Args); err != nil {
				return "", err
			}
		case !slices.Contains(f.Statuses, said):
			which := clip.Name(call.Name, promptsize.Name)
			if len(calls) > 1 {
				which = fmt.Sprintf("call %d, %s,", i+1, which)
			}
			made, err := act(box, call, which)
			if err != nil {
				return "", err
			}
			acts = append(acts, made)
		case status != "":
			return "", fmt.Errorf("the reply calls two statuses, %s and %s: call one", status, said)
		default:
			status = said
			if err := d.addStatus(said, call.Args); err != nil {
				return "", err
			}
		}
	}
	if status == "" {
		status = fsm.Continue
	}
	d.members = append(d.members, loosejson.Member{Name: "Status", Value: loosejson.Text(string(status))})
	if len(acts) == 1 {
		for _, m := range acts[0].Members {
			if err := d.add(m); err != nil {
				return "", err
			}
		}
	} else if len(acts) > 1 {
		d.members = append(d.members, loosejson.Member{Name: "Actions", Value: loosejson.Value{Kind: loosejson.Array, Items: acts}})
	}
	if thought := strings.TrimSpace(text); thought != "" && !d.has("Thought") {
		d.members = slices.Insert(d.members, 0, loosejson.Member{Name: "Thought", Value: loosejson.Text(thought)})
	}
	return string(loosejson.Value{Kind: loosejson.Object, Members: d.members}.Append(nil)), nil
}

// act is a call of a tool as an action of a decision. A model that writes ControlLabel or ControlText among
// arguments of a tool that has none of that name means those of the action. which is the call in an error.
func act(box *desktop.Toolbox, call llm.Call, which string) (loosejson.Value, error) {
	act := loosejson.Value{Kind: loosejson.Object, Members: []loosejson.Member{{Name: "Function", Value: loosejson.Text(call.Name)}}}
	args, err := object(which, call.Args)
	if err != nil {
		return act, err
	}
	name, _ := ToolName(box, call.Name)
	takes, _ := parameters(box, name)
	var rest []loosejson.Member
	for _, m := range args.Members {
		folded := Fold(m.Name)
		switch {
		case folded == "controllabel" && !takes[folded]:
			act = act.With("ControlLabel", m.Value)
		case folded == "controltext" && !takes[folded]:
			act = act.With("ControlText", m.Value)
		default:
			rest = append(rest, m)
		}
	}
	if args.Members = rest; len(rest) > 0 {
		act = act.With("Args", args)
	}
	return act, nil
}

// argumentsOf are the arguments of a call: what a model wrote that is no JSON is a text.
func argumentsOf(raw json.RawMessage) (loosejson.Value, error) {
	if len(raw) == 0 {
		return loosejson.Value{Kind: loosejson.Object}, nil
	}
	v, err := loosejson.Parse(string(raw))
	if err == nil && v.Kind == loosejson.String && strings.TrimSpace(v.Text) == "" || v.Kind == loosejson.Null || v.Kind == loosejson.Array && len(v.Items) == 0 {
		return loosejson.Value{Kind: loosejson.Object}, err
	}
	return v, err
}

// calledDecision is a decision that is put together from calls.
type calledDecision struct {
	members []loosejson.Member
	at      map[string]int // where those are that were added, by their folded names
}

func (d *calledDecision) has(name string) bool {
	_, there := d.at[Fold(name)]
	return there
}

// add adds a field. It may be there already, with the same value.
func (d *calledDecision) add(m loosejson.Member) error {
	i, there := d.at[Fold(m.Name)]
	if !there {
		d.at[Fold(m.Name)] = len(d.members)
		d.members = append(d.members, m)
		return nil
	}
	if !loosejson.Equal(d.members[i].Value, m.Value) {
		return fmt.Errorf("two calls give different values of %s: give one", d.members[i].Name)
	}
	return nil
}

// addStatus adds the arguments of a status, which are fields. A tool is called by itself: a call that is hidden
// in arguments is fed back.
func (d *calledDecision) addStatus(status fsm.Status, raw json.RawMessage) error {
	args, err := object(string(status), raw)
	if err != nil {
		return err
	}
	for _, m := range args.Members {
		folded := Fold(m.Name)
		switch {
		case m.Value.Kind == loosejson.Null, empty(m.Value) && (folded == "status" || folded == "context" || means(folded)):
			continue // not given
		case folded == "status":
			if said := fsm.ParseStatus(m.Value.Text); m.Value.Kind != loosejson.String || said != status {
				return fmt.Errorf("%s has an argument %q with another status: call one status", status, m.Name)
			}
			continue
		case means(folded):
			return fmt.Errorf("%s has an argument %q, which means a call: make that call beside %s", status, m.Name, status)
		}
		if folded == "result" && m.Value.Kind == loosejson.String { // its tool says that it may
			if inner, ok := inText(m.Value.Text); ok && (inner.Kind == loosejson.Object || inner.Kind == loosejson.Array) {
				m.Value = inner
			}
		}
		if err := d.add(m); err != nil {
			return err
		}
	}
	return nil
}

// means reports whether a folded name means a call, or a part of one.
func means(folded string) bool {
	return callNames[folded] || argNames[folded] || listNames[folded] || shellNames[folded] || folded == "savescreenshot"
}

// object returns the arguments of a call that must be an object, which may be in a text.
func object(name string, raw json.RawMessage) (loosejson.Value, error) {
	v, err := argumentsOf(raw)
	if err == nil && v.Kind == loosejson.String {
		v, err = loosejson.Parse(v.Text)
	}
	switch {
	case err != nil:
		reason := err.Error()
		if broken, ok := errors.AsType[*loosejson.Error](err); ok {
			reason = broken.Reason
		}
		return v, fmt.Errorf("the arguments of %s are no JSON object: %s", name, reason)
	case v.Kind != loosejson.Object:
		return v, fmt.Errorf("the arguments of %s must be an object, not %s", name, v.Kind)
	}
	return v, nil
}

// addOwn adds the field that a tool of the agent's own is.
func (d *calledDecision) addOwn(t OwnTool, raw json.RawMessage) error {
	args, err := object(t.Field, raw)
	if err != nil {
		return err
	}
	value := loosejson.Value{Kind: loosejson.Bool, Text: "true"}
	for _, m := range args.Members {
		switch {
		case Fold(m.Name) != Fold(t.Argument) && Fold(m.Name) != Fold(t.Field):
			if t.Must && !empty(m.Value) {
				return fmt.Errorf("%s has no argument %q: its one argument is %q", t.Field, m.Name, t.Argument)
			}
		case !empty(m.Value):
			value = m.Value
		}
	}
	switch {
	case t.Must && value.Kind == loosejson.Bool:
		return fmt.Errorf("%s needs its argument %q", t.Field, t.Argument)
	case d.has(t.Field):
		return fmt.Errorf("%s is called twice: call it once", t.Field)
	}
	return d.add(loosejson.Member{Name: t.Field, Value: value})
}
