package desktoptest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// callID is an id as a journal might give it.
const callID = "call-of-desktoptest"

// findCall executes the safe command, which the other checks build on.
func findCall(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		box, problem := s.box(d)
		if problem != "" {
			return []string{problem}
		}
		if s.safe, problem = s.choose(box); problem != "" {
			return []string{problem}
		}
		s.safe.CallID = callID
		r := s.execute(s.t.Context(), d, fresh(s.safe))
		p := problems(replyProblems(s.safe, r))
		if len(p) == 0 && r.Status != desktop.Success {
			p.add("the safe command %q, which should succeed, ends with %v", s.safe.ToolName, r)
		}
		return p
	})
}

// choose returns Options.Safe, or a command that only reads.
func (s *subject) choose(box *desktop.Toolbox) (desktop.Command, string) {
	if cmd := s.opts.Safe; cmd.ToolName != "" {
		if err := box.Check(cmd); err != nil {
			return cmd, fmt.Sprintf("Options.Safe is no command for this desktop: %v", err)
		}
		return cmd, ""
	}
	for _, tool := range box.Tools() {
		cmd := desktop.Command{ToolName: tool.Name, Looks: true, Parameters: map[string]any{}}
		if tool.Annotations.ReadOnlyHint && box.Check(cmd) == nil {
			return cmd, ""
		}
	}
	return desktop.Command{}, "no tool says that it only reads and needs no parameters: name a command that changes nothing in Options.Safe"
}

// replyProblems says what is wrong with an answer, whatever the tool says in it.
func replyProblems(cmd desktop.Command, r reply) []string {
	var p problems
	tool := cmd.ToolName
	switch {
	case r.problem != "":
		return []string{r.problem}
	case r.err != nil:
		return []string{fmt.Sprintf("%q ends with the error %q: an error means that the transport is broken", tool, r.err)}
	}
	switch r.Status {
	case desktop.Success, desktop.Failure, desktop.Skipped:
	default:
		p.add("%q ends with the status %q, which is none of success, failure and skipped", tool, r.Status)
	}
	if r.CallID != "" && r.CallID != cmd.CallID {
		p.add("%q answers the call %q with the id %q: repeat the CallID of the command, or leave it empty", tool, cmd.CallID, r.CallID)
	}
	if r.Status == desktop.Failure && strings.TrimSpace(r.Error) == "" {
		p.add("%q says no and not why: Error is empty", tool)
	}
	for i, c := range r.Content {
		if problem := contentProblem(c); problem != "" {
			p.add("content %d of %q: %s", i, tool, problem)
		}
	}
	return p
}

func contentProblem(c desktop.Content) string {
	set := 0
	for _, is := range []bool{c.Text != "", c.Image != nil, c.JSON != nil} {
		if is {
			set++
		}
	}
	switch {
	case set > 1:
		return "it is several of text, image and JSON at once"
	case c.JSON != nil && !json.Valid(c.JSON):
		return "the JSON is not valid"
	case c.Image != nil:
		return pictureProblem(c.Image)
	}
	return ""
}

// findFailure sends the command to which the tool says no.
func findFailure(s *subject) []string {
	if s.opts.Failing.ToolName == "" {
		return nil
	}
	return s.with(func(d desktop.Desktop) []string {
		cmd := s.opts.Failing
		cmd.CallID = callID
		r := s.execute(s.t.Context(), d, fresh(cmd))
		p := problems(replyProblems(cmd, r))
		if len(p) == 0 && r.Status != desktop.Failure {
			p.add("%q, to which the tool should say no, ends with %v", cmd.ToolName, r)
		}
		return p
	})
}

// findUnknown calls tools that are not there.
func findUnknown(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		var p problems
		for _, name := range []string{"a_tool_that_nobody_has", ""} {
			r := s.execute(s.t.Context(), d, desktop.Command{ToolName: name, CallID: callID})
			p.put(r.refusal("a command of a tool that does not exist", desktop.ErrUnknownTool))
		}
		return p
	})
}

// refusal says what is wrong with the answer to a command that must be refused.
func (r reply) refusal(what string, typed error) string {
	switch {
	case r.problem != "":
		return r.problem
	case r.err != nil && !errors.Is(r.err, typed):
		return fmt.Sprintf("%s ends with the error %q, as a broken transport does: return a result with status failure", what, r.err)
	case r.err == nil && r.Status != desktop.Failure:
		return fmt.Sprintf("%s ends with %v: it must be a failure", what, r)
	}
	return ""
}

// findArguments sends arguments that do not fit the schema, to tools that say
// they only read and to those of the options.
func findArguments(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		var p problems
		box, problem := s.box(d)
		if p.put(problem) {
			return p
		}
		ours := map[string]bool{s.safe.ToolName: true, s.opts.Failing.ToolName: true, s.opts.Effect.ToolName: true}
		for _, tool := range box.Tools() {
			if !tool.Annotations.ReadOnlyHint && !ours[tool.Name] {
				continue // what it does with them, nobody wants to know
			}
			for what, args := range badArguments(tool) {
				cmd := desktop.Command{ToolName: tool.Name, Parameters: args, CallID: callID}
				if box.Check(cmd) == nil {
					continue // the schema allows it
				}
				r := s.execute(s.t.Context(), d, cmd)
				p.put(r.refusal(fmt.Sprintf("%q with %s, which its schema forbids,", tool.Name, what), desktop.ErrParameters))
			}
		}
		cmd := fresh(s.safe)
		cmd.Parameters = map[string]any{"wrong": make(chan int)}
		if r := s.execute(s.t.Context(), d, cmd); r.problem != "" {
			p.add("arguments that cannot be written as JSON: %s", r.problem)
		}
		return p
	})
}

// badArguments are arguments that most schemas refuse.
func badArguments(tool desktop.Tool) map[string]map[string]any {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	if json.Unmarshal(tool.InputSchema, &schema) != nil {
		return nil
	}
	bad := map[string]map[string]any{}
	if len(schema.Required) > 0 {
		bad["required parameters missing"] = map[string]any{}
		bad["no parameters at all"] = nil
	}
	list, empty := map[string]any{}, map[string]any{}
	for name := range schema.Properties {
		list[name], empty[name] = []any{map[string]any{}}, map[string]any{}
	}
	bad["lists in place of all parameters"] = list
	bad["objects in place of all parameters"] = empty
	return bad
}

// findParameters looks after the parameters that were handed over.
func findParameters(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		cmd, want := fresh(s.safe), fresh(s.safe)
		if cmd.Parameters == nil {
			cmd.Parameters, want.Parameters = map[string]any{}, map[string]any{}
		}
		r := s.execute(s.t.Context(), d, cmd)
		if r.problem != "" {
			return []string{r.problem}
		}
		if !reflect.DeepEqual(cmd.Parameters, want.Parameters) {
			return []string{fmt.Sprintf("Execute of %q changed the Parameters of its command from %v to %v", cmd.ToolName, want.Parameters, cmd.Parameters)}
		}
		before := cloneResult(r.Result)
		spoil(cmd.Parameters)
		if !reflect.DeepEqual(before, r.Result) {
			return []string{fmt.Sprintf("the result of %q changes when the caller changes its parameters afterwards", cmd.ToolName)}
		}
		if again := s.execute(s.t.Context(), d, fresh(want)); again.err != nil || again.Status != r.Status {
			return []string{fmt.Sprintf("%q ends with %v the second time, after the caller changed the parameters of the first: they were kept", cmd.ToolName, again)}
		}
		return nil
	})
}

// spoil changes parameters in every place.
func spoil(parameters map[string]any) {
	for name, v := range parameters {
		switch v := v.(type) {
		case map[string]any:
			spoil(v)
		case []any:
			clear(v)
		}
		parameters[name] = "spoilt by its owner"
	}
	parameters["spoilt"] = true
}
