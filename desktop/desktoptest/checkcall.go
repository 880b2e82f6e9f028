package desktoptest

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// findCall executes the safe command, which the other checks build on.
func findCall(s *subject, d desktop.Desktop) {
	s.safe = s.choose(s.box(d))
	s.ends(d, s.safe, desktop.Success)
}

// choose returns Options.Safe, or a command that only reads.
func (s *subject) choose(box *desktop.Toolbox) desktop.Command {
	if cmd := s.opts.Safe; cmd.ToolName != "" {
		if err := box.Check(cmd); err != nil {
			s.stop("Options.Safe is no command for this desktop: %v", err)
		}
		return cmd
	}
	for _, tool := range box.Tools() {
		cmd := desktop.Command{ToolName: tool.Name, Looks: true, Parameters: map[string]any{}}
		if tool.Annotations.ReadOnlyHint && box.Check(cmd) == nil {
			return cmd
		}
	}
	s.stop("no tool says that it only reads and needs no parameters: name a command that changes nothing in Options.Safe")
	return desktop.Command{}
}

// sound says what is wrong with an answer, whatever the tool says in it.
func (s *subject) sound(cmd desktop.Command, r reply) {
	tool := cmd.ToolName
	if r.err != nil {
		s.add("%q ends with the error %q: an error means that the transport is broken", tool, r.err)
		return
	}
	switch r.Status {
	case desktop.Success, desktop.Failure, desktop.Skipped:
	default:
		s.add("%q ends with the status %q, which is none of success, failure and skipped", tool, r.Status)
	}
	if id := cmd.CallID; r.CallID != "" && r.CallID != id && (id != "" || r.CallID != callID) {
		s.add("%q answers with the id %q of another call: repeat the CallID of the command, or leave it empty", tool, r.CallID)
	}
	if r.Status == desktop.Failure && strings.TrimSpace(r.Error) == "" {
		s.add("%q says no and not why: Error is empty", tool)
	}
	for i, c := range r.Content {
		if problem := contentProblem(c); problem != "" {
			s.add("content %d of %q: %s", i, tool, problem)
		}
	}
}

func contentProblem(c desktop.Content) string {
	text, isJSON := c.Text != "", c.JSON != nil
	switch {
	case text && isJSON, c.Image != nil && (text || isJSON):
		return "it is several of text, image and JSON at once"
	case isJSON && !json.Valid(c.JSON):
		return "the JSON is not valid"
	case c.Image != nil:
		return pictureProblem(c.Image)
	}
	return ""
}

// findFailure sends the command to which the tool says no.
func findFailure(s *subject, d desktop.Desktop) {
	if s.opts.Failing.ToolName != "" {
		s.ends(d, s.opts.Failing, desktop.Failure)
	}
}

// findUnknown calls tools that are not there.
func findUnknown(s *subject, d desktop.Desktop) {
	for _, name := range []string{"a_tool_that_nobody_has", ""} {
		r := s.execute(s.t.Context(), d, desktop.Command{ToolName: name})
		s.refused(r, desktop.ErrUnknownTool, "a command of a tool that does not exist")
	}
}

// findArguments sends arguments that do not fit the schema, to tools that say
// they only read and to those of the options.
func findArguments(s *subject, d desktop.Desktop) {
	box := s.box(d)
	ours := map[string]bool{s.safe.ToolName: true, s.opts.Failing.ToolName: true, s.opts.Effect.ToolName: true}
	for _, tool := range box.Tools() {
		if !tool.Annotations.ReadOnlyHint && !ours[tool.Name] {
			continue // what it does with them, nobody wants to know
		}
		var schema struct {
			Properties map[string]any `json:"properties"`
		}
		if json.Unmarshal(tool.InputSchema, &schema) != nil {
			continue
		}
		lists, objects := map[string]any{}, map[string]any{}
		for name := range schema.Properties {
			lists[name], objects[name] = []any{map[string]any{}}, map[string]any{}
		}
		for what, args := range map[string]map[string]any{
			"no parameters": nil, "lists in place of all parameters": lists, "objects in place of all parameters": objects,
		} {
			cmd := desktop.Command{ToolName: tool.Name, Parameters: args}
			if box.Check(cmd) != nil {
				s.refused(s.execute(s.t.Context(), d, cmd), desktop.ErrParameters, "%q with %s, which its schema forbids,", tool.Name, what)
			}
		}
	}
	cmd := s.safe
	cmd.Parameters = map[string]any{"wrong": make(chan int)}
	s.during(func() { s.execute(s.t.Context(), d, cmd) }, "arguments that cannot be written as JSON: ")
}

// findParameters looks after the parameters that were handed over.
func findParameters(s *subject, d desktop.Desktop) {
	cmd := fresh(s.safe)
	if cmd.Parameters == nil {
		cmd.Parameters = map[string]any{}
	}
	want := fresh(cmd)
	r := s.send(s.t.Context(), d, cmd)
	if !reflect.DeepEqual(cmd.Parameters, want.Parameters) {
		s.stop("Execute of %q changed the Parameters of its command from %v to %v", cmd.ToolName, want.Parameters, cmd.Parameters)
	}
	before := cloneResult(r.Result)
	spoil(cmd.Parameters)
	if !reflect.DeepEqual(before, r.Result) {
		s.stop("the result of %q changes when the caller changes its parameters afterwards", cmd.ToolName)
	}
	if again := s.execute(s.t.Context(), d, want); again.err != nil || again.Status != r.Status {
		s.add("%q ends with %v the second time, after the caller changed the parameters of the first: they were kept", cmd.ToolName, again)
	}
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

// findResults changes results and looks whether others change with them.
func findResults(s *subject, d desktop.Desktop) {
	first, second := s.execute(s.t.Context(), d, s.safe), s.execute(s.t.Context(), d, s.safe)
	was, kept := cloneResult(first.Result), cloneResult(second.Result)
	for i := range first.Content {
		c := &first.Content[i]
		clear(c.JSON)
		if c.Image != nil {
			clear(c.Image.Data)
			c.Image.MediaType = "ruined"
		}
		c.Text = "ruined"
	}
	if !reflect.DeepEqual(second.Result, kept) {
		s.stop("two results of %q share memory: who changes one changes the other", s.safe.ToolName)
	}
	third := s.execute(s.t.Context(), d, s.safe)
	same := reflect.DeepEqual(was, kept) // else it tells the time, or so
	if same && !reflect.DeepEqual(third.Result, was) {
		s.add("who changes a result of %q changes what it returns from then on: return a copy", s.safe.ToolName)
	}
}
