package appagent

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
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

// arrange moves a status that stands in the actions to where it belongs. It is
// that of the last action; before that, an action may say CONTINUE.
func (d *Decision) arrange() error {
	last := len(d.Actions) - 1
	if last >= 0 && strings.TrimSpace(string(d.Status)) == "" {
		d.Status = d.Actions[last].Status
	}
	said := fsm.ParseStatus(string(d.Status))
	for i := range d.Actions {
		inner := fsm.ParseStatus(string(d.Actions[i].Status))
		if inner != "" && inner != said && (inner != fsm.Continue || i == last) {
			return fmt.Errorf("the Status of action %d is %q, that of the reply %q; give one Status, beside the actions", i+1, inner, said)
		}
		d.Actions[i].Status = ""
	}
	return nil
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
