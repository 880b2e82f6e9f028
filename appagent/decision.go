package appagent

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/llm"
)

// Decision is what the model replies in CONTINUE.
type Decision struct {
	Observation    string          `json:"Observation,omitempty" desc:"what the window shows"`
	Thought        string          `json:"Thought,omitempty" desc:"why the next action is the right one"`
	ControlLabel   string          `json:"ControlLabel,omitempty" desc:"id of the control to act on, from the section controls"`
	ControlText    string          `json:"ControlText,omitempty" desc:"name of that control"`
	Function       string          `json:"Function,omitempty" alias:"ToolName,FunctionName" desc:"name of the tool to call, from the section tools; empty: none"`
	Args           map[string]any  `json:"Args,omitempty" alias:"Arguments,Parameters" desc:"arguments of the tool"`
	Actions        []Action        `json:"Actions,omitempty" alias:"Action,ActionList" desc:"several calls, run in order, instead of Function"`
	Plan           []string        `json:"Plan,omitempty" desc:"what is left to do after this step"`
	Status         fsm.Status      `json:"Status" desc:"what is next, one of the section allowed_statuses"`
	Comment        string          `json:"Comment,omitempty" desc:"a word for the user; the reason when Status is FAIL"`
	Questions      []string        `json:"Questions,omitempty" desc:"what to ask the user when Status is PENDING"`
	SaveScreenshot json.RawMessage `json:"SaveScreenshot,omitempty" desc:"true, or a reason, to keep this step's screenshot on the blackboard"`
	Result         json.RawMessage `json:"Result,omitempty" desc:"the sub-task's result when Status is FINISH: any JSON, or a reference"`
}

// Action is one call of a list.
type Action struct {
	ControlLabel string         `json:"ControlLabel,omitempty" desc:"id of the control to act on"`
	ControlText  string         `json:"ControlText,omitempty" desc:"name of that control"`
	Function     string         `json:"Function" alias:"ToolName,FunctionName" desc:"name of the tool"`
	Args         map[string]any `json:"Args,omitempty" alias:"Arguments,Parameters" desc:"arguments of the tool"`
	// Status is where some models write the decision's. The agent moves it there;
	// it is empty in every decision that passed its checks.
	Status fsm.Status `json:"Status,omitempty" schema:"-"`
}

// arrange moves a status that stands in the actions to where it belongs, and gives
// tools the names that the desktop knows. The status is that of the last action;
// before that, an action may say CONTINUE. It returns what it changed.
func (d *Decision) arrange() ([]llm.Repair, error) {
	var moved, named llm.Repair
	last := len(d.Actions) - 1
	if last >= 0 && strings.TrimSpace(string(d.Status)) == "" {
		d.Status = d.Actions[last].Status
	}
	said := fsm.ParseStatus(string(d.Status))
	for i := range d.Actions {
		inner := fsm.ParseStatus(string(d.Actions[i].Status))
		switch {
		case inner == "":
		case inner == said, inner == fsm.Continue && i < last:
			note(&moved, llm.RepairMoved, fmt.Sprintf("Actions[%d].Status", i))
		case said == "":
			return nil, fmt.Errorf("the Status of action %d is %q, but the reply has no Status; give one, beside the actions", i+1, inner)
		default:
			return nil, fmt.Errorf("the Status of action %d is %q, that of the reply %q; give one Status, beside the actions", i+1, inner, said)
		}
		d.Actions[i].Status = ""
		if rename(&d.Actions[i].Function) {
			note(&named, llm.RepairTool, fmt.Sprintf("Actions[%d].Function", i))
		}
	}
	if rename(&d.Function) {
		note(&named, llm.RepairTool, "Function")
	}
	var made []llm.Repair
	for _, r := range []llm.Repair{moved, named} {
		if r.Count > 0 {
			made = append(made, r)
		}
	}
	return made, nil
}

// rename gives a tool the name that the desktop knows.
func rename(function *string) bool {
	if *function != builtin.SelectApplication {
		return false
	}
	*function = desktop.SelectApplicationWindow
	return true
}

// note counts a repair; its place is that of the first.
func note(r *llm.Repair, kind llm.RepairKind, where string) {
	if r.Count++; r.Count == 1 {
		r.Kind, r.Where = kind, where
	}
}

// actions returns the one action or the list, whichever the model wrote.
func (d *Decision) actions() []Action {
	if d.Function == "" {
		return d.Actions
	}
	return []Action{{ControlLabel: d.ControlLabel, ControlText: d.ControlText, Function: d.Function, Args: d.Args}}
}

// wantsScreenshot reports whether the step's screenshot is to be kept, and why.
// Models write true, a reason, or an object with both.
func (d *Decision) wantsScreenshot() (bool, string) {
	var text string
	if json.Unmarshal(d.SaveScreenshot, &text) == nil {
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "", "false", "no":
			return false, ""
		case "true", "yes":
			return true, ""
		}
		return true, text
	}
	var yes bool
	if json.Unmarshal(d.SaveScreenshot, &yes) == nil {
		return yes, ""
	}
	var both struct {
		Save   bool   `json:"save"`
		Reason string `json:"reason"`
	}
	if json.Unmarshal(d.SaveScreenshot, &both) == nil {
		return both.Save, both.Reason
	}
	return false, ""
}
