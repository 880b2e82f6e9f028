package scenarios_test

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/replycases"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// shop are tools that nobody has to approve.
var shop = []desktoptest.Tool{
	{Name: "pay", Schema: `{"type":"object","properties":{"to":{"type":"string"},"amount":{"type":"number"}}}`},
	{Name: "save", Schema: `{"type":"object","properties":{"name":{"type":"string"}}}`},
	{Name: "cleanup", Schema: `{"type":"object","properties":{"dir":{"type":"string"},"deep":{"type":"boolean"}}}`},
	{Name: "purge", Schema: `{"type":"object","properties":{"dir":{"type":"string"},"permanent":{"type":"boolean"},"scope":{"type":"string"},` +
		`"except":{"type":"array"},"older_than_days":{"type":"integer"},"type":{"type":"string"}}}`},
	{Name: "wipe"},
	{Name: "wipe_object", Schema: `{"type":"object"}`},
	{Name: "wipe_all", Schema: `{"allOf":[{"type":"object","properties":{"dir":{"type":"string"}}}]}`},
	{Name: "wipe_any", Schema: `{"anyOf":[{"properties":{"dir":{"type":"string"}}},{"properties":{"file":{"type":"string"}}}]}`},
	{Name: "wipe_ref", Schema: `{"$ref":"#/$defs/a","$defs":{"a":{"properties":{"dir":{"type":"string"}}}}}`},
	{Name: "wipe_more", Schema: `{"type":"object","properties":{},"additionalProperties":{"type":"string"}}`},
	{Name: "sync", Schema: `{"type":"object","properties":{}}`},
	{Name: "find", Schema: `{"type":"object","properties":{"text":{"type":"string"},"limit":{"type":"integer"},"tags":{"type":"array"}}}`},
	{Name: "update_ticket", Schema: `{"type":"object","properties":{"status":{"type":"string"},"comment":{"type":"string"}}}`},
	{Name: "write_file", Schema: `{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}}}`},
	{Name: "press", Schema: `{"type":"object","properties":{"ref":{"type":"string"}}}`},
}

// replied is what came of a reply, in one step of a round.
type replied struct {
	step    round.Step
	repairs []string
	fedBack string // the reason that the model was given
	did     string // what was executed, with its arguments
}

// reply gives an agent of that kind a reply, and FINISH when it is asked again. Something was done before, so that a
// FINISH need not say what.
func reply(t *testing.T, kind, text string) replied {
	t.Helper()
	return replyOf(t, kind, &llm.Response{Text: text})
}

// replyOf is [reply] for one of a model whose tools are beside the prompt, if it has calls.
func replyOf(t *testing.T, kind string, of *llm.Response) replied {
	t.Helper()
	s := onStage(t)
	s.Config.ToolCalls = of.Calls != nil
	s.Word.SetControls(desktop.Control{ID: "1", Name: "Save", Type: "Button"}, desktop.Control{ID: "3", Name: "Title", Type: "Edit", Value: "Sales"})
	s.Desktop.AddTools(shop...)
	s.Config.User = nobodyAnswers
	s.Config.Policy = func(_ context.Context, _ desktop.Tool, cmd desktop.Command) policies.Verdict {
		if cmd.ToolName == desktop.RunShell {
			return policies.Verdict{Action: policies.Confirm}
		}
		return policies.Verdict{Action: policies.Allow}
	}
	var requests []*llm.Request
	replies := []*llm.Response{{Text: `{"Status": "CONTINUE", "Function": "wait", "Args": {"seconds": 0}}`}, of, {Text: `{"Status": "FINISH"}`}}
	if s.Config.ToolCalls {
		replies[0] = &llm.Response{Calls: []llm.Call{{Name: "wait", Args: json.RawMessage(`{"seconds": 0}`)}}}
		replies[2] = &llm.Response{Calls: []llm.Call{{Name: "FINISH"}}}
	}
	s.Config.Model = llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		requests = append(requests, req)
		return replies[len(requests)-1], nil
	})
	agent := s.alone
	if kind == "host" {
		agent = func() fsm.Worker { return s.host() }
	}
	var got replied
	for step, err := range s.drive(agent(), "do it").Steps(t.Context()) {
		require.NoError(t, err)
		if got.step = step; len(s.Steps) == 2 {
			break
		}
	}
	if got.step.Calls > 1 {
		sections := map[string]any{"last_error": &got.fedBack, "refused_reply": new(any), "allowed_statuses": new(any)}
		again := requests[2]
		if len(of.Calls) > 0 { // which are shown again as calls, with results
			sections = map[string]any{"last_error": &got.fedBack}
			again = &llm.Request{Messages: []llm.Message{llm.Text(llm.User, again.Messages[len(again.Messages)-1].Text())}}
		}
		for name, into := range sections {
			raw, ok := llm.FindSection(again, name)
			require.True(t, ok, "%s is in the next prompt", name)
			require.NoError(t, json.Unmarshal(raw, into))
		}
	}
	for _, r := range got.step.Repairs {
		assert.Positive(t, r.Count)
		got.repairs = append(got.repairs, r.Kind)
	}
	var did []string
	for _, entry := range s.Desktop.Actions() {
		raw, err := json.Marshal(entry.Command.Parameters)
		require.NoError(t, err)
		did = append(did, entry.Command.ToolName+" "+string(raw))
	}
	got.did = strings.Join(did, ", ")
	return got
}

// plain has a field of each type, for the cases that are about none of the agents.
type plain struct {
	Text    string          `json:"text,omitempty"`
	Number  float64         `json:"number,omitempty"`
	Count   int             `json:"count,omitempty"`
	Flag    bool            `json:"flag,omitempty"`
	List    []string        `json:"list,omitempty"`
	Numbers []int           `json:"numbers,omitempty"`
	Any     any             `json:"any,omitempty"`
	Raw     json.RawMessage `json:"raw,omitempty"`
	Map     map[string]any  `json:"map,omitempty"`
	Inner   *part           `json:"inner,omitempty"`
	Items   []part          `json:"items,omitempty"`
}

type part struct {
	Name string `json:"name,omitempty"`
	Next *part  `json:"next,omitempty"`
}

// decode decodes a plain reply.
func decode(t *testing.T, text string) (got replied) {
	t.Helper()
	v, repairs, err := llm.Decode[plain](text)
	if err != nil {
		return replied{fedBack: err.Error()}
	}
	got.step.Decision, err = json.Marshal(v)
	require.NoError(t, err)
	for _, r := range repairs {
		got.repairs = append(got.repairs, r.Kind)
	}
	return got
}

func readReplies(t testing.TB, dir string) []replycases.Case {
	t.Helper()
	cases, err := replycases.Read(filepath.Join("..", "testdata", filepath.FromSlash(dir)))
	require.NoError(t, err)
	return cases
}

// The corpus is data: each file of testdata/replies has replies as models write
// them, and what must come of each. See package replycases for its form.
func TestScenario25_Replies(t *testing.T) {
	cases := readReplies(t, "replies")
	assert.GreaterOrEqual(t, len(cases), 150, "the corpus is there")
	names := map[string]bool{}
	for _, c := range cases {
		name := c.File + ": " + c.Name
		assert.False(t, names[name], "%s is there twice", name)
		names[name] = true
		assert.NotEqual(t, c.Wants == "", c.FedBack == "", "%s: a reply is understood or fed back", name)
		t.Run(name, func(t *testing.T) {
			var got replied
			if c.Kind == "plain" {
				got = decode(t, c.Reply)
			} else {
				got = reply(t, c.Kind, c.Reply)
			}
			if c.FedBack != "" {
				assert.Contains(t, got.fedBack, c.FedBack)
				return
			}
			require.Empty(t, got.fedBack)
			assert.Equal(t, exactly(t, c.Wants), exactly(t, string(got.step.Decision)))
			assert.Equal(t, c.Repairs, got.repairs)
		})
	}
}

// exactly decodes JSON and keeps the digits of its numbers.
func exactly(t *testing.T, text string) any {
	t.Helper()
	var v any
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	require.NoError(t, d.Decode(&v), text)
	return v
}

// Each plays the replies of a file of testdata/attacks/replies, which a new case needs no code for.

func TestScenario43_AQuotedPageDecidesNothing(t *testing.T)         { playReplies(t, "quoted.txt") }
func TestScenario44_ACallUnderAnotherNameIsNotDropped(t *testing.T) { playReplies(t, "calls.txt") }
func TestScenario44_AnArgumentBesideACallIsNotDropped(t *testing.T) { playReplies(t, "beside.txt") }
func TestScenario44_NoEndWithACallThatWasNotMade(t *testing.T)      { playReplies(t, "ends.txt") }
func TestScenario44_WhatIsRepairedIsOnRecord(t *testing.T)          { playReplies(t, "repaired.txt") }
func TestScenario44_ACallHasTheArgumentsOfItsTool(t *testing.T)     { playReplies(t, "arguments.txt") }

func playReplies(t *testing.T, file string) {
	t.Helper()
	played := 0
	for _, c := range readReplies(t, "attacks/replies") {
		assert.Contains(t, []string{"quoted.txt", "calls.txt", "beside.txt", "ends.txt", "repaired.txt", "remarks.txt", "arguments.txt", "written.txt"}, c.File, "a test plays it")
		if c.File != file {
			continue
		}
		played++
		t.Run(c.Name, func(t *testing.T) {
			got := reply(t, c.Kind, c.Reply)
			assert.Equal(t, c.Does, got.did)
			if c.Ends == replycases.AskedAgain {
				require.NotEmpty(t, got.fedBack, "it was not asked again")
				assert.Contains(t, got.fedBack, c.FedBack)
				return
			}
			assert.Empty(t, got.fedBack)
			assert.Equal(t, fsm.Status(c.Ends), got.step.To)
			assert.Equal(t, c.Repairs, got.repairs)
		})
	}
	assert.Positive(t, played, "no case of %s", file)
}

// What models write about a call is no reason to ask again. The class: names of
// remarks beside a call with arguments, in an action, and where there is no call.
func TestScenario44_ARemarkIsNotFedBack(t *testing.T) {
	remarks := []string{
		`"thinking":"first the folder"`, `"justification":"it is full"`, `"expected_outcome":"it is empty"`, `"expected_result":{"dir":"empty"}`, `"expected":"empty"`,
		`"next_step":"save the report"`, `"next_steps":["save the report","tell the user"]`, `"next_goal":"save it"`,
		`"previous_action":"save"`, `"last_action":"click_input"`, `"last_action":"click_input(id=1)"`, `"reflection":"all went well"`, `"evaluation":"Success"`,
		`"evaluation_previous_goal":"Success"`, `"progress":0.5`, `"history":["save",{"action":"opened"}]`, `"tools_used":["save","click_input"]`, `"success":true`,
		`"wait_after":2`, `"type":"action"`, `"$schema":"http://json-schema.org/draft-07/schema"`, `"screenshot_description":"a window"`,
		`"current_state":{"memory":"m","next_goal":"g","last_action":"save"}`, `"important_contents":["a"]`, `"task_progress":"1. opened"`, `"memory":"two files"`, `"index":1`,
	}
	for _, remark := range remarks {
		for place, text := range map[string]string{
			"beside a call":        `{"Function":"cleanup","Args":{"dir":"tmp"},` + remark + `,"Status":"FINISH"}`,
			"in an action":         `{"Actions":[{"Function":"cleanup","Args":{"dir":"tmp"},` + remark + `}],"Status":"FINISH"}`,
			"beside an action":     `{"Actions":[{"Function":"cleanup","Args":{"dir":"tmp"}}],` + remark + `,"Status":"FINISH"}`,
			"no call":              `{"Comment":"done",` + remark + `,"Status":"FINISH"}`,
			"without a parameter":  `{"Function":"sync",` + remark + `,"Status":"FINISH"}`,
			"of a chat's protocol": `{"tool_calls":[{"type":"function","id":"call_1","index":0,"function":{"name":"cleanup","arguments":"{\"dir\":\"tmp\"}"}}],` + remark + `,"Status":"FINISH"}`,
		} {
			t.Run(place+"/"+remark, func(t *testing.T) {
				got := reply(t, "app", text)
				assert.Empty(t, got.fedBack)
				assert.Equal(t, fsm.Finish, got.step.To)
			})
		}
	}
	playReplies(t, "remarks.txt")
}

// FuzzReply gives any text to an agent as its model's reply. It is understood or
// fed back, never both; what is understood has a status that the table allows,
// and is understood again, as the same and without a repair, when it is written
// as JSON.
func FuzzReply(f *testing.F) {
	for i, c := range readReplies(f, "replies") {
		if c.Kind != "plain" && i%sample.Every(5) == sample.Every(5)-1 { // TestScenario25_Replies takes others
			f.Add(c.Kind == "host", c.Reply)
		}
	}
	f.Fuzz(func(t *testing.T, host bool, text string) {
		kind := "app"
		if host {
			kind = "host"
		}
		got := reply(t, kind, text)
		if got.fedBack != "" || len(got.step.Decision) > acting.MaxOutput { // the record of a step may cut it
			return
		}
		var d struct{ Status fsm.Status }
		require.NoError(t, json.Unmarshal(got.step.Decision, &d))
		assert.Equal(t, fsm.ParseStatus(string(d.Status)), d.Status)
		again := reply(t, kind, string(got.step.Decision))
		assert.Empty(t, again.fedBack)
		assert.Empty(t, again.repairs)
		assert.JSONEq(t, string(got.step.Decision), string(again.step.Decision))
	})
}
