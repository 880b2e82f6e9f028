package scenarios_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/replycases"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// shop is a desktop with tools that nobody has to approve.
func shop(t *testing.T) (*desktoptest.Desktop, desktop.Window) {
	t.Helper()
	word := &desktoptest.App{Root: "word", Process: "report", Title: "report.docx - Word", Running: true, Controls: []desktop.Control{
		{ID: "1", Name: "Save", Type: "Button"},
	}}
	desk := desktoptest.New(t, word)
	desk.AddTools(
		desktoptest.Tool{Name: "pay", Schema: `{"type":"object","properties":{"to":{"type":"string"},"amount":{"type":"number"}}}`},
		desktoptest.Tool{Name: "save", Schema: `{"type":"object","properties":{"name":{"type":"string"}}}`},
		desktoptest.Tool{Name: "cleanup", Schema: `{"type":"object","properties":{"dir":{"type":"string"},"deep":{"type":"boolean"}}}`},
		desktoptest.Tool{Name: "purge", Schema: `{"type":"object","properties":{"dir":{"type":"string"},"permanent":{"type":"boolean"},"scope":{"type":"string"},` +
			`"except":{"type":"array"},"older_than_days":{"type":"integer"},"type":{"type":"string"}}}`},
		desktoptest.Tool{Name: "wipe"},
		desktoptest.Tool{Name: "wipe_object", Schema: `{"type":"object"}`},
		desktoptest.Tool{Name: "wipe_all", Schema: `{"allOf":[{"type":"object","properties":{"dir":{"type":"string"}}}]}`},
		desktoptest.Tool{Name: "wipe_any", Schema: `{"anyOf":[{"properties":{"dir":{"type":"string"}}},{"properties":{"file":{"type":"string"}}}]}`},
		desktoptest.Tool{Name: "wipe_ref", Schema: `{"$ref":"#/$defs/a","$defs":{"a":{"properties":{"dir":{"type":"string"}}}}}`},
		desktoptest.Tool{Name: "wipe_more", Schema: `{"type":"object","properties":{},"additionalProperties":{"type":"string"}}`},
		desktoptest.Tool{Name: "sync", Schema: `{"type":"object","properties":{}}`},
		desktoptest.Tool{Name: "press", Schema: `{"type":"object","properties":{"ref":{"type":"string"}}}`},
	)
	w, ok := word.Window()
	require.True(t, ok)
	return desk, w
}

// replied is what came of a first reply, in the first step of a round.
type replied struct {
	step    round.Step
	reason  string // with which it was fed back
	desktop *desktoptest.Desktop
}

// reply gives an agent of that kind a reply, and FINISH when it is asked again.
func reply(t *testing.T, kind, text string) replied {
	t.Helper()
	desk, window := shop(t)
	got := replied{desktop: desk}
	calls := 0
	model := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		calls++
		if calls == 1 {
			return &llm.Response{Text: text}, nil
		}
		raw, ok := llm.FindSection(req, "last_error")
		if ok && got.reason == "" {
			require.NoError(t, json.Unmarshal(raw, &got.reason))
		}
		return &llm.Response{Text: `{"Status": "FINISH"}`}, nil
	})
	var agent fsm.Worker
	var err error
	if kind == "host" {
		agent, err = hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desk}})
	} else {
		agent, err = appagent.New(appagent.Config{Model: model, Desktop: desk, Window: window})
	}
	require.NoError(t, err)
	r, err := round.New(agent, "do it", nil)
	require.NoError(t, err)
	for step, err := range r.Steps(t.Context()) {
		require.NoError(t, err)
		got.step = step
		break
	}
	if got.step.Calls < 2 {
		got.reason = ""
	}
	return got
}

// did is what was executed, with its arguments.
func (r replied) did(t *testing.T) string {
	t.Helper()
	var did []string
	for _, entry := range r.desktop.Actions() {
		raw, err := json.Marshal(entry.Command.Parameters)
		require.NoError(t, err)
		did = append(did, entry.Command.ToolName+" "+string(raw))
	}
	return strings.Join(did, ", ")
}

// playReplies plays the replies of a file of testdata/attacks/replies, which a new case
// needs no code for.
func playReplies(t *testing.T, file string) {
	t.Helper()
	cases, err := replycases.Read(filepath.Join(attackDir, "replies"))
	require.NoError(t, err)
	played := 0
	for _, c := range cases {
		if c.File != file {
			continue
		}
		played++
		t.Run(c.Name, func(t *testing.T) {
			got := reply(t, c.Kind, c.Reply)
			assert.Equal(t, c.Does, got.did(t))
			if c.Ends == replycases.AskedAgain {
				require.NotEmpty(t, got.reason, "it was not asked again")
				assert.Contains(t, got.reason, c.FedBack)
				return
			}
			assert.Empty(t, got.reason)
			assert.Equal(t, fsm.Status(c.Ends), got.step.To)
			assert.Equal(t, c.Repairs, repairsOf(got.step))
		})
	}
	assert.Positive(t, played, "no case of %s", file)
}

// The model quotes a page that holds a whole decision, and then decides something else.
func TestScenario43_AQuotedPageDecidesNothing(t *testing.T) { playReplies(t, "quoted.txt") }

// A reply names an act under a name that no field has.
func TestScenario44_ACallUnderAnotherNameIsNotDropped(t *testing.T) { playReplies(t, "calls.txt") }

// An argument stands beside Args.
func TestScenario44_AnArgumentBesideACallIsNotDropped(t *testing.T) { playReplies(t, "beside.txt") }

// A reply says FINISH, and has a call that no field reads.
func TestScenario44_NoEndWithACallThatWasNotMade(t *testing.T) { playReplies(t, "ends.txt") }

// The same call twice is one, and what is judged is what was understood.
func TestScenario44_WhatIsRepairedIsOnRecord(t *testing.T) { playReplies(t, "repaired.txt") }

// Every file has its test.
func TestAttackReplies(t *testing.T) {
	cases, err := replycases.Read(filepath.Join(attackDir, "replies"))
	require.NoError(t, err)
	for _, c := range cases {
		assert.Contains(t, []string{"quoted.txt", "calls.txt", "beside.txt", "ends.txt", "repaired.txt"}, c.File)
		assert.NotEmpty(t, c.Ends, "%s: %s", c.File, c.Name)
	}
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
				assert.Empty(t, got.reason)
				assert.Equal(t, fsm.Finish, got.step.To)
			})
		}
	}
	for _, text := range []string{
		`{"Actions":[{"Function":"cleanup","Args":{"dir":"tmp"},"why":"the folder is full"}],"Status":"FINISH"}`,
		`{"Function":"cleanup","thinking":"the folder","Status":"FINISH"}`,
		`{"Function":"sync","mood":"good","Status":"FINISH"}`,
		`{"Actions":[{"Function":"sync"},{"Function":"save"}],"mood":"good","Status":"FINISH"}`,
		`{"Function":"press","ControlLabel":"1","Args":{"ref":"1"},"Status":"FINISH"}`,
		`{"Actions":[{"type":"tool_use","id":"toolu_1","name":"save","input":{"name":"x"}}],"Status":"FINISH"}`,
		`{"Actions":[{"type":"function_call","call_id":"fc_1","id":"call_2","name":"save","arguments":"{}"}],"Status":"FINISH"}`,
		`{"Actions":[{"type":"function","id":"chatcmpl-tool-1","function":{"name":"save","arguments":"{}"}}],"Status":"FINISH"}`,
		`{"Comment":"done","Result":{"name":"save","size":3},"Status":"FINISH"}`,
		`{"Comment":"done","todo":"save (as planned)","Status":"FINISH"}`,
		`{"Comment":"done","click":3,"Status":"FINISH"}`,
	} {
		t.Run(text, func(t *testing.T) {
			assert.Empty(t, reply(t, "app", text).reason)
		})
	}
	// But what is under a parameter's name is an argument.
	assert.Contains(t, reply(t, "app", `{"Actions":[{"Function":"purge","Args":{"dir":"x"},"type":"action"}],"Status":"FINISH"}`).reason, `"type" stands beside Args`)
}
