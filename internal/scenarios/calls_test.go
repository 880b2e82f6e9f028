package scenarios_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/closed/closedtest"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/llm"
)

// inCalls is a reply of JSON as a model writes it that has tools: the inverse of builtin.ToolCalls. What is no
// JSON object stays a text.
func inCalls(req *llm.Request, resp *llm.Response) *llm.Response {
	v, _, err := loosejson.Find(resp.Text)
	if err != nil || v.Kind != loosejson.Object {
		return resp
	}
	resp = resp.Clone()
	resp.Text, resp.FinishReason = "", "tool_calls"
	status := ""
	var acts []loosejson.Value
	act, said := loosejson.Value{Kind: loosejson.Object}, loosejson.Value{Kind: loosejson.Object}
	call := func(name string, args loosejson.Value) {
		resp.Calls = append(resp.Calls, llm.Call{ID: fmt.Sprintf("call_%d", len(resp.Calls)+1), Name: name, Args: args.Append(nil)})
	}
	for _, m := range v.Members {
		switch builtin.Fold(m.Name) {
		case "status":
			status = m.Value.Text
			if known := string(fsm.ParseStatus(status)); slices.ContainsFunc(req.Tools, func(tool llm.Tool) bool { return tool.Name == known }) {
				status = known
			}
		case "thought", "observation":
			resp.Text = strings.TrimSpace(resp.Text + " " + m.Value.Text)
		case "function", "args", "controllabel", "controltext":
			act = act.With(m.Name, m.Value)
		case "actions":
			acts = m.Value.Items
		case "bash", "bashcommand":
			call("Bash", loosejson.Value{Kind: loosejson.Object, Members: []loosejson.Member{{Name: "command", Value: m.Value}}})
		case "savescreenshot":
			reason := loosejson.Value{Kind: loosejson.Object}
			if m.Value.Kind == loosejson.String {
				reason = reason.With("reason", m.Value)
			}
			call("SaveScreenshot", reason)
		default:
			said = said.With(m.Name, m.Value)
		}
	}
	function, called := act.Get("Function")
	for _, name := range []string{"ControlLabel", "ControlText"} {
		if value, ok := act.Get(name); ok && (!called || status == "ASSIGN") {
			said, act = said.With(name, value), without(act, name)
		}
	}
	if called && function.Text != "" {
		acts = append([]loosejson.Value{act}, acts...)
	}
	for _, act := range acts {
		name, _ := act.Get("Function")
		args, ok := act.Get("Args")
		if !ok {
			args = loosejson.Value{Kind: loosejson.Object}
		}
		for _, m := range act.Members {
			if m.Name == "ControlLabel" && shown(req, m.Value.Text) && takesID(req, name.Text) && args.Kind == loosejson.Object {
				_, given := args.Get("id")
				_, text := act.Get("ControlText")
				if !given && !text { // as a model writes it
					args = args.With("id", m.Value)
					continue
				}
			}
			if m.Name != "Function" && m.Name != "Args" {
				args = args.With(m.Name, m.Value)
			}
		}
		call(name.Text, args)
	}
	if len(said.Members) > 0 || status != "CONTINUE" && status != "" || len(resp.Calls) == 0 {
		call(status, said)
	}
	return resp
}

// shut writes the arguments of calls in the closed forms of their tools, as a model does that is held to them. What a
// tool requires and the call does not have stays away: no provider would let it.
func shut(t *testing.T, req *llm.Request, resp *llm.Response) *llm.Response {
	t.Helper()
	resp = resp.Clone()
	for i := range resp.Calls {
		call := &resp.Calls[i]
		at := slices.IndexFunc(req.Tools, func(tool llm.Tool) bool { return tool.Name == call.Name })
		args, err := loosejson.Parse(string(call.Args))
		if at < 0 || req.Tools[at].Strict == nil || err != nil || args.Kind != loosejson.Object {
			continue
		}
		call.Args, err = closedtest.Args(req.Tools[at].Strict, args, strings.ToUpper(call.Name) == call.Name)
		require.NoError(t, err)
	}
	return resp
}

func without(v loosejson.Value, name string) loosejson.Value {
	v.Members = slices.DeleteFunc(slices.Clone(v.Members), func(m loosejson.Member) bool { return m.Name == name })
	return v
}

// shown reports whether a control is in a prompt.
func shown(req *llm.Request, id string) bool {
	raw, _ := llm.FindSection(req, "controls")
	return strings.Contains(string(raw), fmt.Sprintf(`"id":%q`, id))
}

// takesID reports whether a tool has a parameter id.
func takesID(req *llm.Request, name string) bool {
	for _, tool := range req.Tools {
		var schema struct{ Properties map[string]json.RawMessage }
		if tool.Name == name && json.Unmarshal(tool.Parameters, &schema) == nil {
			return schema.Properties["id"] != nil
		}
	}
	return false
}

// playInCalls plays a conversation whose model replies with calls. What happens is the same, but in rounds behind a
// line "only JSON", which it leaves out. closed calls are those of a model that is held to the tools.
func playInCalls(t *testing.T, name, agent string, closed bool) {
	t.Helper()
	c := readConversation(t, name)
	c.calls, c.closed = true, closed
	rounds := 0
	for i := 0; i < len(c.lines); i++ {
		if c.lines[i].kind == "user" {
			rounds++
		}
		if c.lines[i].kind != "only JSON" {
			continue
		}
		require.NotEmpty(t, c.lines[i].text, "%s: why?", c.path)
		from := i + slices.IndexFunc(c.lines[i:], func(l *line) bool { return l.kind == "user" })
		to := len(c.lines)
		if n := slices.IndexFunc(c.lines[from+1:], func(l *line) bool { return l.whole == "" || l.is("user", "only JSON") }); n >= 0 {
			to = from + 1 + n
		}
		c.lines = slices.Delete(c.lines, from, to)
	}
	if rounds == 0 {
		return // all of it is about JSON
	}
	c.with(t, agent, nil)
}

// readable is a request in which a test finds what stands in the result of a call, too, and the refused reply as the
// text has it.
func (c *conversation) readable(req *llm.Request) *llm.Request {
	if !c.calls && !c.closed {
		return req
	}
	req = req.Clone()
	for i := range req.Messages {
		if m := &req.Messages[i]; m.Role == llm.ToolResult {
			m.Role = llm.User
		}
	}
	_, refused := llm.FindSection(req, "refused_reply")
	last := len(req.Messages) - 1
	if refused && !c.calls || req.Messages[last].Role == llm.User && last > 2 && len(c.called) > 0 {
		text := must(llm.Prompt(llm.Section{Name: "refused_reply", Value: c.said}))
		req.Messages[last].Parts = append(req.Messages[last].Parts, llm.Part{Text: text})
	}
	return req
}

// checkTurn checks that a refused reply goes back as its calls, each with a result: protocols want that.
func (c *conversation) checkTurn(req *llm.Request) {
	n := len(req.Messages) - 1 - len(c.called)
	if len(c.called) == 0 || req.Messages[len(req.Messages)-1].Role != llm.ToolResult {
		return // the first call of a step, or text alone was refused
	}
	turn := req.Messages[n]
	require.Equal(c.t, llm.Assistant, turn.Role)
	require.Len(c.t, turn.Calls, len(c.called))
	for i, call := range c.called {
		assert.Equal(c.t, call.Name, turn.Calls[i].Name)
		if call.Args[0] == '{' { // what is no object is in the result
			assert.JSONEq(c.t, string(call.Args), string(turn.Calls[i].Args))
		}
		assert.Equal(c.t, turn.Calls[i].ID, req.Messages[n+1+i].CallID)
	}
}

// sameInCalls takes out what differs in the two forms: what a text alone is told, and that an id is an argument.
var sameInCalls = []struct {
	differs *regexp.Regexp
	same    string
}{
	{regexp.MustCompile(`there is no JSON object`), "it is a text"},
	{regexp.MustCompile(`(deciding: )?the reply calls no tool: text alone does nothing`), "it is a text"},
	{regexp.MustCompile(`llm: the reply \(\d+ bytes?\) cannot be read: it is a text`), "it is a text"},
	{regexp.MustCompile(`deciding: Status "\*\*\*" is not allowed here; allowed are [A-Z, ]*|desktop: unknown tool "\*\*\*"; the tools are: [^"\n]*`), "nothing is called ***"},
	{regexp.MustCompile(`the arguments of \w+ are no JSON object: ([^"\\]|\\.)*`), "Args must be an object, not a string"},
	{regexp.MustCompile(`"decision":\{"ControlLabel":"[^"]*",`), `"decision":{`},
}
