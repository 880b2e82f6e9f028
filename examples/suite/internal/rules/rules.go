// Package rules plays the model of the suite without one: for each task it has a play, the acts that do it, one after the
// other, in one application or two. It finds the controls of an act in the prompt, as a model does; a control that is
// not there is waited for, and an act that fails is tried again.
//
// Tasks that cannot be done have plays that find that out, and end in FAIL.
package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/chatserver"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
)

// part is what is done in one application.
type part struct {
	root  string // of its window
	task  string
	steps []step
	// ends says what the result is, once all steps are done; nil: nothing is handed on.
	ends func(p *sections.Prompt) (result string, why error)
}

// step is one act. It returns nil while what it needs is not there.
type step func(p *sections.Prompt) *reply.Action

// Decide returns what decides the prompts of a task, whose folder is dir.
func Decide(task, dir string) (func(*llm.Request) (string, error), error) {
	play, ok := plays[task]
	if !ok {
		return nil, fmt.Errorf("rules: there is no play for the task %s: name a -model", task)
	}
	parts := play(dir)
	return func(req *llm.Request) (string, error) {
		p, err := sections.Read(req)
		if err != nil {
			return "", err
		}
		var decision any
		switch {
		case p.Windows != nil:
			decision = host(&p, parts)
		default:
			at := slices.IndexFunc(parts, func(x part) bool { return x.root == p.Application.Root })
			if at < 0 {
				return "", &chatserver.RefusalError{Reason: "rules: not a prompt of this task"}
			}
			decision = app(&p, parts[at])
		}
		text, err := json.Marshal(decision)
		return string(text), err
	}, nil
}

// tries is how often a part is done.
const tries = 2

// host gives the parts away, one after the other.
func host(p *sections.Prompt, parts []part) reply.Host {
	done, failed, why := 0, 0, ""
	for _, s := range p.Previous {
		if s.Status == string(fsm.Finish) {
			done, failed = done+1, 0
		} else {
			failed, why = failed+1, s.Reason
		}
	}
	switch {
	case failed >= tries:
		return reply.Host{Status: fsm.Fail, Comment: why}
	case done == len(parts):
		d := reply.Host{Status: fsm.Finish, Comment: "It is done."}
		if p.Refused {
			d.Open = answers(p.LastError)
		}
		return d
	}
	next := parts[done]
	at := slices.IndexFunc(p.Windows, func(w sections.Entry) bool { return w.Root == next.root && w.Running })
	if at < 0 {
		if strings.Count(string(mustJSON(p.History)), `"wait"`) < 10 && next.steps != nil {
			return reply.Host{Status: fsm.Continue, Observation: "The window is not there yet.", Function: desktop.Wait, Args: map[string]any{"seconds": 1}}
		}
		return reply.Host{Status: fsm.Fail, Comment: "there is no " + next.root + " on this desktop"}
	}
	return reply.Host{Status: hostagent.Assign, ControlLabel: p.Windows[at].ID, ControlText: p.Windows[at].Title, CurrentSubTask: next.task}
}

var openID = regexp.MustCompile(`\b(act|subtask|plan)_\d+\b`)

// answers says of what a refused FINISH left open that it is done: a later look has shown it.
func answers(refusal string) map[string]string {
	open := map[string]string{}
	for _, id := range openID.FindAllString(refusal, -1) {
		open[id] = "done: a later look has shown it"
	}
	return open
}

const (
	maxWaits    = 20
	maxFailures = 4
)

var stepNumber = regexp.MustCompile(`^Step (\d+)\.`)

// app does the step that is next.
func app(p *sections.Prompt, x part) reply.App {
	next, failures, waits := 0, 0, 0
	last := ""
	for _, memo := range p.Steps() {
		var said struct {
			Observation string `json:"Observation"`
		}
		_ = json.Unmarshal(memo.Decision, &said) // what is no step has none
		for _, a := range memo.Actions {
			switch m := stepNumber.FindStringSubmatch(said.Observation); {
			case a.Status == desktop.Failure:
				failures, last = failures+1, a.Tool+": "+a.Error
			case m != nil && a.Status == "":
				n, _ := strconv.Atoi(m[1]) // the pattern is of digits
				next, failures = n, 0
			case a.Tool == desktop.Wait:
				waits++
			}
		}
	}
	if failures >= maxFailures {
		return reply.App{Status: fsm.Fail, Comment: last}
	}
	if next >= len(x.steps) {
		return finish(p, x)
	}
	a := x.steps[next](p)
	if a == nil {
		if waits >= maxWaits {
			return reply.App{Status: fsm.Fail, Comment: fmt.Sprintf("what step %d needs does not come", next+1)}
		}
		return reply.App{Status: fsm.Continue, Observation: "It is not there yet.", Function: desktop.Wait, Args: map[string]any{"seconds": 0.4}}
	}
	return reply.App{
		Status: fsm.Continue, Observation: fmt.Sprintf("Step %d.", next+1),
		Function: a.Function, ControlLabel: a.ControlLabel, ControlText: a.ControlText, Args: a.Args,
	}
}

// finish ends a part.
func finish(p *sections.Prompt, x part) reply.App {
	d := reply.App{Status: fsm.Finish, Comment: "The window shows it."}
	if x.ends != nil {
		result, err := x.ends(p)
		if err != nil {
			return reply.App{Status: fsm.Fail, Comment: err.Error()}
		}
		d.Result, d.Comment = mustJSON(result), result
	}
	if p.Refused {
		d.Open = answers(p.LastError)
	}
	return d
}

func mustJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // it came out of JSON
	}
	return raw
}
