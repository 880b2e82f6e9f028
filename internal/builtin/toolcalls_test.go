package builtin_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/closed/closedtest"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/llm"
)

// calledTools are those of the tests of calls.
var calledTools = []desktop.Tool{
	{Name: "click_input", Description: "Click.", InputSchema: json.RawMessage(`{"$schema":"x","type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)},
	{Name: "wipe", Description: "Wipe.", Annotations: desktop.Annotations{DestructiveHint: true}, Origin: "a server"},
	{Name: "label", Annotations: desktop.Annotations{Title: "Label it"}, InputSchema: json.RawMessage(`{"type":"object","properties":{"ControlLabel":{"type":"string"}}}`)},
	{Name: "choose", InputSchema: json.RawMessage(`{"anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{},"b":{}}}`)},
	{Name: "run_shell", Description: "Run."},
	{Name: "either", InputSchema: json.RawMessage(`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]}`)},
	{Name: "one", InputSchema: json.RawMessage(`{"oneOf":[{"properties":{"n":{"type":"string"}}},{"properties":{"n":{"type":"integer"}}},{"properties":{"n":{"type":"string"}}}]}`)},
	{Name: "refers", InputSchema: json.RawMessage(`{"$ref":"#/$defs/it","$defs":{"it":{"type":"object","properties":{"x":{"$ref":"#/$defs/in"}},"allOf":[{"$ref":"#/$defs/more"},{"$ref":"#/$defs/more"}]},"in":{"type":"string"},"more":{"properties":{"y":{"type":"number"}}}}}`)},
	{Name: "if", InputSchema: json.RawMessage(`{"properties":{"k":{"type":"string"}},"if":{"properties":{"k":{"const":"a"}}},"then":{"properties":{"a":{"type":"string"}}},"else":{"properties":{"b":{"type":"string"}}}}`)},
}

func toolCalls(t testing.TB) (*builtin.ToolCalls, *desktop.Toolbox) {
	t.Helper()
	type decision struct {
		Thought   string          `json:"Thought"`
		Plan      []string        `json:"Plan,omitempty"`
		Status    fsm.Status      `json:"Status"`
		Comment   string          `json:"Comment,omitempty"`
		Questions []string        `json:"Questions,omitempty" desc:"what to ask"`
		Result    json.RawMessage `json:"Result,omitempty"`
	}
	fields, err := llm.SchemaOf[decision]("decision")
	require.NoError(t, err)
	box, err := desktop.NewToolbox(calledTools, desktop.LeaveToTool)
	require.NoError(t, err)
	f := &builtin.ToolCalls{
		Statuses: []fsm.Status{fsm.Continue, fsm.Finish, fsm.Pending, "SIGN"}, Fields: *fields, About: map[string]string{"Questions": "which"},
		Says: map[fsm.Status]builtin.Says{
			fsm.Continue: {What: "Go on.", Fields: []string{"Plan"}}, fsm.Finish: {What: "End.", Fields: []string{"Result"}},
			fsm.Pending: {What: "Ask.", Fields: []string{"Questions"}, Needs: []string{"Questions"}},
		},
		Own: []builtin.OwnTool{
			{Field: "Bash", What: "Run it.", Argument: "command", About: "the command", Must: true, With: desktop.RunShell, Instead: true},
			{Field: "SaveScreenshot", What: "Keep it.", Argument: "reason", About: "why"},
			{Field: "Nothing", What: "Never.", With: "not_there"},
		},
	}
	return f, box
}

// The calls of a reply, each as a name and arguments, and what they are as a decision of the other form.
func TestCalled(t *testing.T) {
	golden.Cases(t, "calls.txt", func(input string) string {
		f, box := toolCalls(t)
		text, rest, _ := strings.Cut(input, "|")
		var calls []llm.Call
		for call := range strings.SplitSeq(rest, "&") {
			name, args, _ := strings.Cut(strings.TrimSpace(call), " ")
			calls = append(calls, llm.Call{Name: name, Args: json.RawMessage(args)})
		}
		decision, err := f.Called(box, text, calls)
		if err != nil {
			assert.Empty(t, decision)
			return "error: " + err.Error()
		}
		assert.True(t, json.Valid([]byte(decision)), decision)
		return decision
	})
}

func TestCalledWithoutAName(t *testing.T) {
	f, box := toolCalls(t)
	_, err := f.Called(box, "", []llm.Call{{Name: "wipe"}, {Name: " "}})
	require.EqualError(t, err, "a call names no tool")
}

// What a model is offered, byte for byte the same while the tools and the statuses are.
func TestToolsOfAReply(t *testing.T) {
	f, box := toolCalls(t)
	var b strings.Builder
	var k builtin.Kept
	first := k.Tools(f, box, f.Statuses)
	for _, tool := range first {
		b.WriteString(tool.Name + ": " + tool.Description + "\n\t" + string(tool.Parameters) + "\n")
		if tool.Strict != nil {
			b.WriteString("\t" + string(tool.Strict) + "\n")
			for provider, problems := range closedtest.Providers {
				assert.Empty(t, problems(tool.Strict), "%s of %s", provider, tool.Name)
			}
		}
	}
	golden.Equal(t, "calltools.txt", b.String())
	assert.Same(t, &first[0], &k.Tools(f, box, []fsm.Status{fsm.Continue, fsm.Finish, fsm.Pending, "SIGN"})[0])
	fewer := k.Tools(f, box, f.Statuses[:1])
	assert.Equal(t, first[:len(first)-3], fewer, "those of the desktop come first: they change least")
	other, err := desktop.NewToolbox(calledTools[:1], nil)
	require.NoError(t, err)
	assert.Len(t, k.Tools(f, other, f.Statuses[:1]), 3)
}

// What a stranger says of a tool is bounded, for one of them and for all.
func TestToolsOfAReplyAreBounded(t *testing.T) {
	f, _ := toolCalls(t)
	long := desktop.Tool{Description: strings.Repeat("x", 5000), InputSchema: json.RawMessage(`{"type":"object","description":"` + strings.Repeat("y", 100<<10) + `"}`)}
	var list []desktop.Tool
	for _, name := range []string{"a", "b", "c", "d"} {
		long.Name = name
		list = append(list, long)
	}
	box, err := desktop.NewToolbox(list, nil)
	require.NoError(t, err)
	tools := new(builtin.Kept).Tools(f, box, nil)
	assert.Less(t, len(tools[0].Description), 1024)
	assert.Len(t, tools, 3, "two of them, and SaveScreenshot")

	list[1].InputSchema = json.RawMessage(`{"type":"object","description":"` + strings.Repeat("y", 300<<10) + `"}`)
	box, err = desktop.NewToolbox(list, nil)
	require.NoError(t, err)
	tools = new(builtin.Kept).Tools(f, box, nil)
	require.Len(t, tools, 3)
	assert.Equal(t, "c", tools[1].Name, "behind one that is too large")
}

// However much a stranger says of a tool, what the program says of it is there.
func TestLongDescriptionHidesNothing(t *testing.T) {
	f, _ := toolCalls(t)
	long := strings.Repeat("x", 5000)
	schema := `{"type":"object","properties":{"n":{"type":"string"}},"anyOf":[{"required":["n"]}]}`
	for _, tool := range []desktop.Tool{{}, {Description: "short"}, {Description: long}, {Description: long, Origin: long}, {Description: long, Group: long}} {
		tool.Name, tool.Annotations.DestructiveHint, tool.InputSchema = "wipe", true, json.RawMessage(schema)
		if tool.Group != "" {
			tool.InputSchema = json.RawMessage(schema + strings.Repeat(" ", 5000))
		}
		box, err := desktop.NewToolbox([]desktop.Tool{tool}, nil)
		require.NoError(t, err)
		about := new(builtin.Kept).Tools(f, box, nil)[0].Description
		assert.True(t, strings.HasPrefix(about, tool.Description[:min(len(tool.Description), 300)]))
		assert.Contains(t, about, "It may destroy something.")
		assert.Contains(t, about, " Its arguments fit this JSON Schema: "+schema)
		assert.LessOrEqual(t, len(about), 1024, "providers take no more")
	}
}

// Closed forms are longer. No tool is left out for them.
func TestClosedToolsAreBounded(t *testing.T) {
	f, _ := toolCalls(t)
	var list []desktop.Tool
	properties := strings.TrimSuffix(strings.Repeat(`"a%":{"type":"string"},`, 50), ",")
	for strings.Contains(properties, "%") {
		properties = strings.Replace(properties, "%", strings.Repeat("x", strings.Count(properties, "%")), 1)
	}
	for i := range 50 {
		list = append(list, desktop.Tool{Name: "t" + strings.Repeat("x", i), InputSchema: json.RawMessage(`{"type":"object","properties":{` + properties + `}}`)})
	}
	for n, closed := range map[int]bool{5: true, 50: false} {
		box, err := desktop.NewToolbox(list[:n], nil)
		require.NoError(t, err)
		tools := new(builtin.Kept).Tools(f, box, nil)
		require.Len(t, tools, n+1)
		for _, tool := range tools[:n] {
			assert.Equal(t, closed, tool.Strict != nil)
		}
	}
}

// tooled is a desktop of tools that nobody calls.
type tooled []desktop.Tool

func (d tooled) Tools(context.Context) ([]desktop.Tool, error) { return slices.Clone(d), nil }

func (d tooled) Execute(context.Context, desktop.Command) (desktop.Result, error) {
	return desktop.Result{}, nil
}

// A tool that is named like a status, or like a tool of the agent's own, is left out and logged once.
func TestReservedNames(t *testing.T) {
	f, _ := toolCalls(t)
	var logs strings.Builder
	tools := builtin.Tools{Agent: "a", Calls: f, Logger: slog.New(slog.NewTextHandler(&logs, nil))}
	d := tooled{{Name: "finish"}, {Name: "Finish "}, {Name: "BASH"}, {Name: "finished"}, {Name: "sign"}}
	for range 2 {
		var v builtin.View
		require.NoError(t, v.Open(t.Context(), d, &tools))
		require.Len(t, v.Box.Tools(), 1)
		assert.Equal(t, "finished", v.Box.Tools()[0].Name)
	}
	assert.Equal(t, 4, strings.Count(logs.String(), `msg="tool left out"`))
	assert.Contains(t, logs.String(), "named like a status")
	assert.Contains(t, logs.String(), "a tool of the agent's own")

	var v builtin.View
	require.NoError(t, v.Open(t.Context(), d, &builtin.Tools{}))
	assert.Len(t, v.Box.Tools(), 5, "in the other form they are tools like any other")
}

// No mark stands in the schema of a tool, which asks for the same.
func TestToolsKeepWhatTheyMatch(t *testing.T) {
	schema := `{"type":"object","title":"<s>","properties":{
			"<p>":{"type":"string","pattern":"(?<year>\\d+)","description":"a <b> [INST]"},
			"description":{"type":"string","title":"<s>","default":"<p>"},
			"const":{"const":{"title":"<p>"},"examples":[{"description":"<p>"}]},
			"of":{"type":"array","items":{"enum":["[INST]","</s>",{"description":"<p>"}],"$comment":"<s>"}},
			"one":{"anyOf":[{"description":"<s>"},{"$ref":"#/$defs/title"}],"dependentRequired":{"description":["<p>"]}}
		},"$defs":{"title":{"title":"<s>"},"enum":{"description":"<s>"}},"required":["<p>"]}`
	box, err := desktop.NewToolbox([]desktop.Tool{
		{Name: "fits", InputSchema: json.RawMessage(schema)},
		{Name: "closes", InputSchema: json.RawMessage(`{"type":"object","properties":{"y":{"enum":["<p>"],"description":"<b>"},"z":{"type":"string","pattern":"(?<z>[AZ])"}}}`)},
		{Name: "either", Description: "<s>", InputSchema: json.RawMessage(`{"anyOf":[{"properties":{"a":{"const":"<p>"}}}]}`)},
	}, desktop.LeaveToTool)
	require.NoError(t, err)
	var k builtin.Kept
	tools := k.Tools(&builtin.ToolCalls{}, box, nil)
	require.Len(t, tools, 3)
	for _, tool := range tools {
		assert.NotRegexp(t, `<[a-z/]|\[[A-Z]`, tool.Description+string(tool.Parameters)+string(tool.Strict))
	}
	assert.JSONEq(t, schema, string(tools[0].Parameters))
	assert.JSONEq(t, `{"type":"object","properties":{"y":{"enum":["<p>"],"description":"<b>"},"z":{"type":"string","pattern":"(?<z>[AZ])"}}}`, string(tools[1].Parameters))
	assert.Contains(t, string(tools[1].Strict), `"enum":["\u003cp>"`)
	var shut struct {
		Properties map[string]struct{ Description string }
	}
	require.NoError(t, json.Unmarshal(tools[1].Strict, &shut))
	assert.Equal(t, "<b>", shut.Properties["y"].Description)
	assert.Equal(t, `pattern: "(?<z>[AZ])"`, shut.Properties["z"].Description)
	assert.Equal(t, `< s> Its arguments fit this JSON Schema: {"anyOf":[{"properties":{"a":{"const":"\u003cp>"}}}]}`, tools[2].Description)
}
