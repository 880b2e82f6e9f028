package appagent

import (
	"encoding/json"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
)

// Decision is what the model replies in CONTINUE.
type Decision struct {
	Observation    string          `json:"Observation,omitempty" desc:"what the window shows"`
	Thought        string          `json:"Thought,omitempty" desc:"why the next action is the right one"`
	ControlLabel   string          `json:"ControlLabel,omitempty" desc:"id of the control to act on, from the section controls"`
	ControlText    string          `json:"ControlText,omitempty" desc:"name of that control"`
	Function       string          `json:"Function,omitempty" desc:"name of the tool to call, from the section tools; empty: none"`
	Args           map[string]any  `json:"Args,omitempty" desc:"arguments of the tool"`
	Actions        []Action        `json:"Actions,omitempty" desc:"several calls, run in order, instead of Function"`
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
	Function     string         `json:"Function" desc:"name of the tool"`
	Args         map[string]any `json:"Args,omitempty" desc:"arguments of the tool"`
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
