package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/fsm"
)

// An argument that stands beside Args would be dropped, and the call made without it.
// The class: every value that could be an argument, under whatever name, of every tool
// that could take it.
func TestScenario44_AnArgumentBesideACallIsNotDropped(t *testing.T) {
	for name, replies := range map[string][]string{
		"a value that says no, under a parameter's name": {
			`{"Function":"purge","Args":{"dir":"x"},"permanent":false,"Status":"FINISH"}`,
			`{"Function":"purge","Args":{"dir":"x"},"scope":"none","Status":"FINISH"}`,
			`{"Function":"purge","Args":{"dir":"x"},"except":[],"Status":"FINISH"}`,
			`{"Function":"cleanup","deep":false,"Status":"FINISH"}`,
			`{"Actions":[{"Function":"purge","recursive":false}],"Status":"FINISH"}`,
			`{"Actions":[{"Function":"purge","Args":{"permanent":true},"dir":"none"}],"Status":"FINISH"}`,
			`{"Actions":[{"Function":"purge","Args":{"dir":"x"}}],"permanent":false,"Status":"FINISH"}`,
			`{"Actions":[{"Function":"purge","Args":{"dir":"x"},"type":"function"}],"Status":"FINISH"}`,
		},
		"an object or a list": {
			`{"Function":"cleanup","Args":{"dir":"tmp"},"options":{"deep":true},"Status":"FINISH"}`,
			`{"Function":"cleanup","Args":{"dir":"tmp"},"config":"{\"deep\":true}","Status":"FINISH"}`,
			`{"Function":"cleanup","Args":{"dir":"tmp"},"extra_args":["--deep"],"Status":"FINISH"}`,
			`{"Function":"cleanup","Args":{"dir":"tmp"},"excluded":["x"],"Status":"FINISH"}`,
			`{"Function":"click_input","ControlLabel":"1","settings":{"button":"right"},"Status":"FINISH"}`,
			`{"Actions":[{"Function":"cleanup","Args":{"dir":"tmp"}}],"options":{"deep":true},"Status":"FINISH"}`,
		},
		"of a tool whose schema does not say": {
			`{"Function":"wipe","dir":"tmp","Status":"FINISH"}`,
			`{"Function":"wipe_object","dir":"tmp","Status":"FINISH"}`,
			`{"Function":"wipe_all","dir":"tmp","Status":"FINISH"}`,
			`{"Function":"wipe_any","file":"tmp","Status":"FINISH"}`,
			`{"Function":"wipe_ref","Args":{"x":1},"dir":"tmp","Status":"FINISH"}`,
			`{"Function":"wipe_more","keep":"tmp","Status":"FINISH"}`,
		},
		"of another kind than the parameter": {
			`{"Function":"purge","age":"30","Status":"FINISH"}`,
			`{"Function":"cleanup","dry_run":"true","Status":"FINISH"}`,
			`{"Function":"purge","file":"a.txt","Status":"FINISH"}`,
			`{"Function":"save","item":7,"Status":"FINISH"}`,
			`{"Function":"save","keep":false,"Status":"FINISH"}`,
			`{"Function":"cleanup","Args":{"dir":""},"directory":"tmp","Status":"FINISH"}`,
			`{"Actions":[{"Function":"save"}],"item":7,"Status":"FINISH"}`,
		},
		"an id or an index that is no chat's": {
			`{"Actions":[{"type":"tool","name":"purge","id":"7"}],"Status":"FINISH"}`,
			`{"Actions":[{"type":"function","name":"save","index":7}],"Status":"FINISH"}`,
			`{"Actions":[{"type":"tool_use","name":"save","id":"call_1"}],"Status":"FINISH"}`,
			`{"Actions":[{"type":"function","name":"save","arguments":{},"id":"report"}],"Status":"FINISH"}`,
			`{"tool_calls":[{"type":"function","function":{"name":"save"},"id":7}],"Status":"FINISH"}`,
			`{"Function":{"name":"save","id":"call_1"},"Status":"FINISH"}`,
		},
		"a control for a tool that takes none": {
			`{"Function":"press","ControlLabel":"1","Status":"FINISH"}`,
			`{"Function":"wipe","ControlLabel":"1","Status":"FINISH"}`,
			`{"Actions":[{"Function":"press","ControlLabel":"1","ControlText":"Save"}],"Status":"FINISH"}`,
			`{"Function":"press","ControlText":"Save","Status":"FINISH"}`,
			`{"Function":"sync","ControlLabel":"1","Status":"FINISH"}`,
		},
		"an object under the name of a remark": {
			`{"Function":"cleanup","description":{"dir":"tmp"},"Status":"FINISH"}`,
			`{"Function":"cleanup","note":"{\"dir\":\"tmp\"}","Status":"FINISH"}`,
			`{"Actions":[{"Function":"cleanup","comment":["tmp"]}],"Status":"FINISH"}`,
			`{"Function":"cleanup","current_state":{"dir":"tmp"},"Status":"FINISH"}`,
		},
	} {
		for _, text := range replies {
			t.Run(name+"/"+text, func(t *testing.T) {
				got := reply(t, "app", text)
				assert.NotEmpty(t, got.reason)
				assert.Empty(t, got.did(t))
			})
		}
	}
	for _, text := range []string{
		`{"Bash":"ls","options":{"cwd":"/tmp"},"Status":"CONTINUE"}`,
		`{"Function":"cleanup","ControlLabel":"0","directory":"tmp","Status":"CONTINUE"}`,
		`{"Function":"keyboard_input","ControlLabel":"0","Args":{"keys":"x"},"Status":"CONTINUE"}`,
		`{"Function":"cleanup","ControlLabel":"0","Status":"CONTINUE"}`,
		`{"Action":{"Function":"purge","Args":{"dir":"x"},"permanent":false},"Status":"CONTINUE"}`,
	} {
		t.Run("of the host/"+text, func(t *testing.T) {
			got := reply(t, "host", text)
			assert.NotEmpty(t, got.reason)
			assert.Empty(t, got.did(t))
		})
	}
}

// An end is not believed while a call is dropped. The class: every name and form in
// which a model may write a call, where no field reads it.
func TestScenario44_NoEndWithACallThatWasNotMade(t *testing.T) {
	for kind, replies := range map[string][]string{
		"app": {
			`{"tool_code":"print(default_api.save(name=\"x\"))"}`, `{"selected_tool":"x"}`, `{"action_type":"x"}`, `{"code":"x"}`, `{"api_call":"x"}`,
			`{"method":"x"}`, `{"terminal":"x"}`, `{"bash_script":"x"}`, `{"powershell":"x"}`, `{"sh":"x"}`, `{"command_line":"x"}`, `{"python":"x"}`,
			`{"todo":"save(name='x')"}`, `{"todo":"functions.save(name='x')"}`, `{"todo":"default_api.save()"}`, `{"todo":"print(default_api.click_input(id=1))"}`,
			`{"todo":["first",{"then":"tools.click-input(id=1)"}]}`, `{"todo":"functions.save"}`,
			`{"click":{"x":3}}`, `{"set_edit":{"text":"x"}}`, `{"Keyboard":"{\"keys\":\"x\"}"}`, `{"todo":{"click":{"x":3}}}`,
			`{"Result":{"Function":"save","Args":{}}}`, `{"Result":{"tool":"save","args":{"name":"x"}}}`, `{"Result":{"name":"save","arguments":"{}"}}`,
			`{"Result":"{\"Function\":\"save\"}"}`, `{"Result":[{"function":{"name":"save","arguments":{}}}]}`, `{"Result":"save(name='x')"}`,
			`{"Result":{"tool_calls":[{"id":"call_1","type":"function","function":{"name":"save","arguments":"{}"}}]}}`,
			`{"last_action":{"Function":"save","Args":{}}}`, `{"history":[{"tool":"save","args":{}}]}`,
		},
		"host": {`{"Result":{"Bash":"make"}}`, `{"Result":{"bash_command":"make"}}`, `{"Result":{"shell_command":"make"}}`, `{"Result":{"Function":"save","Args":{}}}`, `{"python":"x"}`},
	} {
		for _, text := range replies {
			t.Run(kind+"/"+text, func(t *testing.T) {
				got := reply(t, kind, `{"Status":"FINISH","Comment":"done",`+text[1:])
				assert.NotEmpty(t, got.reason)
			})
		}
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
