package hostagent

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/llm"
)

// decision is what the model replies in CONTINUE.
type decision struct {
	Observation    string          `json:"Observation,omitempty" desc:"what the desktop shows"`
	Thought        string          `json:"Thought,omitempty" desc:"why the next step is the right one"`
	CurrentSubTask string          `json:"CurrentSubTask,omitempty" desc:"the sub-task for the chosen application, when Status is ASSIGN"`
	Message        string          `json:"Message,omitempty" desc:"hints for whoever does the sub-task"`
	Context        json.RawMessage `json:"Context,omitempty" desc:"an object with facts for the sub-task, such as {\"document_name\": …, \"table_location\": …}"`
	ControlLabel   string          `json:"ControlLabel,omitempty" desc:"id of the chosen application, from the section windows"`
	ControlText    string          `json:"ControlText,omitempty" desc:"title of the chosen application"`
	Plan           plan.Draft      `json:"Plan,omitzero" desc:"the sub-tasks after this reply, as texts; or all sub-tasks as objects, which then bind you"`
	Status         fsm.Status      `json:"Status" desc:"what is next, one of the section allowed_statuses"`
	Comment        string          `json:"Comment,omitempty" desc:"a word for the user; the reason when Status is FAIL"`
	Open           []string        `json:"Open,omitempty" desc:"when a FINISH leaves something open: of each id \"id: done: how\" or \"id: dropped: why\""`
	Questions      []string        `json:"Questions,omitempty" desc:"what to ask the user when Status is PENDING"`
	Bash           string          `json:"Bash,omitempty" alias:"BashCommand,ShellCommand" desc:"a shell command to run, where the section tools has run_shell; empty: none"`
	Function       string          `json:"Function,omitempty" alias:"ToolName,FunctionName,Tool,FunctionCall,ToolCall,Call,ToolUse" desc:"name of a tool to call, from the section tools; empty: none"`
	Args           map[string]any  `json:"Args,omitempty" alias:"Arguments,Parameters,Params,Kwargs,Input,Inputs,ToolInput,ToolArgs,ToolArguments,ToolParameters,FunctionArgs,FunctionArguments,FunctionParameters,ActionInput,Argument,Parameter" desc:"arguments of the tool"`
	Result         json.RawMessage `json:"Result,omitempty" desc:"the answer to the user when Status is FINISH: any JSON, or a reference"`
	// Actions is where some models write the call, and the status with it. The
	// agent moves them to the fields above; it is empty in every decision that
	// passed its checks.
	Actions []call `json:"Actions,omitempty" alias:"Action,ActionList,ToolCalls,FunctionCalls,Calls,Steps,ToolUses" schema:"-"`
	// Others are the names that no field has. One that may mean an act is fed back;
	// the rest says nothing.
	Others map[string]json.RawMessage `json:"-" others:"true"`

	inner map[string]json.RawMessage // those of the action
}

// ReshapeValue is what an [llm.Reshaper] does, without JSON: calls in the forms of chats' own
// protocols, and a decision inside another object, are understood.
func (d *decision) ReshapeValue(reply loosejson.Value) (loosejson.Value, []llm.Repair) {
	return builtin.Reshape(reply)
}

// call is a tool's call as some models write it.
type call struct {
	ControlLabel string         `json:"ControlLabel,omitempty"`
	ControlText  string         `json:"ControlText,omitempty"`
	Function     string         `json:"Function,omitempty" alias:"ToolName,FunctionName,Tool,FunctionCall,ToolCall,Call,ToolUse"`
	Args         map[string]any `json:"Args,omitempty" alias:"Arguments,Parameters,Params,Kwargs,Input,Inputs,ToolInput,ToolArgs,ToolArguments,ToolParameters,FunctionArgs,FunctionArguments,FunctionParameters,ActionInput,Argument,Parameter"`
	Status       fsm.Status     `json:"Status,omitempty"`

	Others map[string]json.RawMessage `json:"-" others:"true"`
}

// arrange moves a call, and the status in it, to where they belong, and gives a tool
// and its arguments the names and types that the desktop knows. It returns what it
// changed.
func (d *decision) arrange(box *desktop.Toolbox) ([]llm.Repair, error) {
	var made []llm.Repair
	if err := builtin.ArrangeCall(&made, box, &d.Function, &d.Args, ""); err != nil {
		return nil, err
	}
	if len(d.Actions) > 0 {
		var inner []llm.Repair
		a := &d.Actions[0]
		if err := cmp.Or(builtin.ArrangeCall(&inner, box, &a.Function, &a.Args, "Actions[0]."), d.takeAction()); err != nil {
			return nil, err
		}
		made = append(append(made, llm.Repair{Kind: repair.Moved, Where: "Actions[0]", Count: 1}), inner...)
	}
	d.Actions = nil
	if fsm.ParseStatus(string(d.Status)) == "" && (d.Function != "" || d.Bash != "") {
		d.Status = fsm.Continue // as beside calls of tools
		builtin.Note(&made, repair.Status, "Status")
	}
	if questions, blank := builtin.Spoken(d.Questions); blank {
		d.Questions = questions
		builtin.Note(&made, repair.Empty, "Questions")
	}
	return made, nil
}

// takeAction makes the one action part of the decision.
func (d *decision) takeAction() error {
	if len(d.Actions) > 1 {
		return fmt.Errorf("the reply makes %d calls: make one, and the rest in the next step", len(d.Actions))
	}
	a := &d.Actions[0]
	same := d.Function == a.Function && len(a.Others) == 0 && (len(a.Args) == 0 && len(d.Args) == 0 || reflect.DeepEqual(a.Args, d.Args))
	if !same && (d.Function != "" || len(d.Args) > 0) {
		return errors.New("the reply has a call in two places: write it once, into Call")
	}
	if outer, inner := fsm.ParseStatus(string(d.Status)), fsm.ParseStatus(string(a.Status)); outer == "" {
		d.Status = a.Status
	} else if inner != "" && inner != outer {
		return fmt.Errorf("the call has the Status %q, and the reply has %q: write Status only at the top of the reply", inner, outer)
	}
	for _, field := range []struct{ outer, inner *string }{{&d.ControlLabel, &a.ControlLabel}, {&d.ControlText, &a.ControlText}} {
		if *field.outer != "" && *field.inner != "" && *field.outer != *field.inner {
			return errors.New("the call and the reply name different applications: write ControlLabel and ControlText once")
		}
		*field.outer = orElse(*field.outer, *field.inner)
	}
	d.Function, d.Args = a.Function, a.Args
	d.inner = a.Others
	return nil
}

// wish is what the decision wants besides its acts.
func (d *decision) wish() acting.Wish {
	return acting.Wish{To: d.Status, Reason: d.Comment, Questions: d.Questions, Result: d.Result}
}

// check finds what the schema cannot say.
func (d *decision) check(box *desktop.Toolbox) error {
	if err := d.unread(box); err != nil {
		return err
	}
	if d.Function == "" && len(d.Args) > 0 {
		return errors.New("the Args stand without a Function: write the name of the tool into Function")
	}
	if err := d.checkContext(); err != nil {
		return err
	}
	if d.Status == fsm.Finish && d.Function == "" && d.Bash == "" {
		if err := builtin.CheckWords(box, d.Comment, d.Thought, d.Message); err != nil {
			return err
		}
	}
	return builtin.CheckQuestions(d.Questions)
}

// checkContext refuses a Context that has no names, or too much.
func (d *decision) checkContext() error {
	var facts map[string]json.RawMessage
	switch {
	case d.facts() == nil:
	case len(d.Context) > promptsize.Context:
		return fmt.Errorf("the Context has %d bytes and can have %d: write {\"$ref\": \"the name\"} for a long value", len(d.Context), promptsize.Context)
	case json.Unmarshal(d.Context, &facts) != nil:
		return errors.New(`the Context must hold a JSON object, such as {"document_name": "report.docx"}`)
	}
	return nil
}

// facts is the Context, nil where there is none.
func (d *decision) facts() json.RawMessage {
	if text := string(d.Context); text == "" || text == "null" || text == "{}" || text == `""` {
		return nil
	}
	return d.Context
}

// unread says which names beside the fields may mean an act.
func (d *decision) unread(box *desktop.Toolbox) error {
	call := builtin.Call{Function: d.Function, Args: d.Args}
	if selects(d.Function) || d.Function == desktop.CloseApplication {
		call.Control = d.ControlLabel+d.ControlText != ""
	}
	own := call
	own.Own = true
	shell := call
	if d.Bash != "" {
		shell = builtin.Call{Function: desktop.RunShell, Args: desktop.Shell(d.Bash).Parameters}
	}
	return cmp.Or(builtin.Unread(d.Others, box, call), builtin.Unread(d.Others, box, shell), builtin.Unread(d.inner, box, own),
		builtin.CheckResult(d.Result, box, true))
}
