package appagent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/llm"
)

// decision is what the model replies in CONTINUE.
type decision struct {
	Observation    string          `json:"Observation,omitempty" desc:"what the window shows"`
	Thought        string          `json:"Thought,omitempty" desc:"why the next action is the right one"`
	ControlLabel   string          `json:"ControlLabel,omitempty" desc:"id of the control to act on, from the section controls"`
	ControlText    string          `json:"ControlText,omitempty" desc:"name of that control"`
	Function       string          `json:"Function,omitempty" alias:"ToolName,FunctionName,Tool,FunctionCall,ToolCall,Call,ToolUse" desc:"name of the tool to call, from the section tools; empty: none"`
	Args           map[string]any  `json:"Args,omitempty" alias:"Arguments,Parameters,Params,Kwargs,Input,Inputs,ToolInput,ToolArgs,ToolArguments,ToolParameters,FunctionArgs,FunctionArguments,FunctionParameters,ActionInput,Argument,Parameter" desc:"arguments of the tool"`
	Actions        []action        `json:"Actions,omitempty" alias:"Action,ActionList,ToolCalls,FunctionCalls,Calls,Steps,ToolUses" desc:"several calls, run in order, instead of Function"`
	Plan           []string        `json:"Plan,omitempty" desc:"what is left after this reply"`
	Status         fsm.Status      `json:"Status" desc:"what is next, one of the section allowed_statuses"`
	Comment        string          `json:"Comment,omitempty" desc:"a word for the user; the reason when Status is FAIL"`
	Questions      []string        `json:"Questions,omitempty" desc:"what to ask the user when Status is PENDING"`
	Open           []string        `json:"Open,omitempty" desc:"when a FINISH leaves something open: of each id \"id: done: how\" or \"id: dropped: why\""`
	SaveScreenshot json.RawMessage `json:"SaveScreenshot,omitempty" desc:"true, or a reason, to keep this step's screenshot on the blackboard"`
	Result         json.RawMessage `json:"Result,omitempty" desc:"the sub-task's result when Status is FINISH: any JSON, or a reference"`
	// Others are the names that no field has. One that may mean an act is fed back;
	// the rest says nothing.
	Others map[string]json.RawMessage `json:"-" others:"true"`
}

// ReshapeValue is what an [llm.Reshaper] does, without JSON: calls in the forms of chats' own
// protocols, and a decision inside another object, are understood.
func (d *decision) ReshapeValue(reply loosejson.Value) (loosejson.Value, []llm.Repair) {
	return builtin.Reshape(reply)
}

// action is one call of a list.
type action struct {
	ControlLabel string         `json:"ControlLabel,omitempty" desc:"id of the control to act on"`
	ControlText  string         `json:"ControlText,omitempty" desc:"name of that control"`
	Function     string         `json:"Function" alias:"ToolName,FunctionName,Tool,FunctionCall,ToolCall,Call,ToolUse" desc:"name of the tool"`
	Args         map[string]any `json:"Args,omitempty" alias:"Arguments,Parameters,Params,Kwargs,Input,Inputs,ToolInput,ToolArgs,ToolArguments,ToolParameters,FunctionArgs,FunctionArguments,FunctionParameters,ActionInput,Argument,Parameter" desc:"arguments of the tool"`
	// Status is where some models write the decision's. The agent moves it there;
	// it is empty in every decision that passed its checks.
	Status fsm.Status `json:"Status,omitempty" schema:"-"`
	// Others are as in a [decision].
	Others map[string]json.RawMessage `json:"-" others:"true"`
}

// arrange moves a status that stands in the actions to where it belongs, and gives
// tools and their arguments the names and types that the desktop knows. The status
// is that of the last action; before that, an action may say CONTINUE. It returns
// what it changed.
func (d *decision) arrange(box *desktop.Toolbox) ([]llm.Repair, error) {
	var made []llm.Repair
	var wrong error // of the first call; the secrets of all are looked for
	last := len(d.Actions) - 1
	if last >= 0 && strings.TrimSpace(string(d.Status)) == "" {
		d.Status = d.Actions[last].Status
	}
	said := fsm.ParseStatus(string(d.Status))
	for i := range d.Actions {
		a := &d.Actions[i]
		inner := fsm.ParseStatus(string(a.Status))
		switch {
		case inner == "":
		case inner == said, inner == fsm.Continue && i < last:
			builtin.Note(&made, repair.Moved, fmt.Sprintf("Actions[%d].Status", i))
		case said == "":
			return nil, fmt.Errorf("the entry Actions[%d] has the Status %q, and the reply has none: write Status only at the top of the reply", i, inner)
		default:
			return nil, fmt.Errorf("the entry Actions[%d] has the Status %q, and the reply has %q: write Status only at the top of the reply", i, inner, said)
		}
		a.Status = ""
		wrong = cmp.Or(wrong, builtin.ArrangeCall(&made, box, &a.Function, &a.Args, fmt.Sprintf("Actions[%d].", i)))
	}
	if wrong = cmp.Or(wrong, builtin.ArrangeCall(&made, box, &d.Function, &d.Args, "")); wrong != nil {
		return nil, wrong
	}
	if last == 0 && d.Function == "" && d.ControlLabel != "" && d.Actions[0].ControlLabel == "" { // of the one call
		d.Actions[0].ControlLabel, d.Actions[0].ControlText = d.ControlLabel, cmp.Or(d.Actions[0].ControlText, d.ControlText)
		d.ControlLabel, d.ControlText = "", ""
		builtin.Note(&made, repair.Call, "ControlLabel")
	}
	if last == 0 && d.Function != "" && d.same(&d.Actions[0]) {
		d.Actions = nil
		builtin.Note(&made, repair.Call, "Actions[0]")
	}
	if said == "" && len(d.actions()) > 0 {
		d.Status = fsm.Continue // as beside calls of tools
		builtin.Note(&made, repair.Status, "Status")
	}
	if questions, blank := builtin.Spoken(d.Questions); blank {
		d.Questions = questions
		builtin.Note(&made, repair.Empty, "Questions")
	}
	return made, nil
}

// same reports whether an action is the call of Function once more.
func (d *decision) same(a *action) bool {
	return a.Function == d.Function && a.ControlLabel == d.ControlLabel && a.ControlText == d.ControlText && len(a.Others) == 0 &&
		(len(a.Args) == 0 && len(d.Args) == 0 || reflect.DeepEqual(a.Args, d.Args))
}

// unread says which names beside the fields may mean an act.
func (d *decision) unread(box *desktop.Toolbox) error {
	if len(d.Actions) == 0 || d.Function != "" {
		if err := builtin.Unread(d.Others, box, callOf(d.Function, d.Args, d.ControlLabel+d.ControlText)); err != nil {
			return err
		}
	}
	for i := range d.Actions {
		a := &d.Actions[i]
		c := callOf(a.Function, a.Args, a.ControlLabel+a.ControlText)
		beside := c
		c.Own, beside.Shared = true, len(d.Actions) > 1
		if err := cmp.Or(builtin.Unread(a.Others, box, c), builtin.Unread(d.Others, box, beside)); err != nil {
			return err
		}
	}
	var words []string
	if d.Status == fsm.Finish && len(d.actions()) == 0 {
		words = []string{d.Comment, d.Thought}
	}
	return cmp.Or(builtin.CheckWords(box, words...), builtin.CheckResult(d.Result, box, false))
}

func callOf(function string, args map[string]any, control string) builtin.Call {
	return builtin.Call{Function: function, Args: args, Control: control != ""}
}

// actions returns the one action or the list, whichever the model wrote.
func (d *decision) actions() []action {
	if d.Function == "" {
		return d.Actions
	}
	return []action{{ControlLabel: d.ControlLabel, ControlText: d.ControlText, Function: d.Function, Args: d.Args}}
}

// wantsScreenshot reports whether the step's screenshot is to be kept, and why.
// Models write true, a reason, or an object with both.
func (d *decision) wantsScreenshot() (bool, string) {
	if len(d.SaveScreenshot) == 0 {
		return false, ""
	}
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

// wish is what the decision wants besides its acts.
func (d *decision) wish() acting.Wish {
	return acting.Wish{To: d.Status, Reason: d.Comment, Questions: d.Questions, Result: d.Result}
}
