package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/fsm"
)

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
