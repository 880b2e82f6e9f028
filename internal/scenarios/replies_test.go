package scenarios_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// The host is understood in each of these forms: it hands over to Word's agent,
// and the round ends as if the reply had been clean.
func TestScenario25_RepliesOfTheHost(t *testing.T) {
	const clean = `{"Plan": ["draw"], "Message": "page 2", "CurrentSubTask": "extract", "ControlLabel": "0", "Status": "ASSIGN"}`
	for name, tc := range map[string]struct {
		reply   string
		repairs []string
	}{
		"clean":           {clean, nil},
		"fence":           {"```json\n" + clean + "\n```", []string{repair.Fence}},
		"tildes":          {"~~~\n" + clean + "\n~~~", []string{repair.Fence}},
		"fence left open": {"```JSON5\n" + clean, []string{repair.Fence}},
		"prose before":    {"I start with Word.\n" + clean, []string{repair.Prose}},
		"prose behind":    {clean + "\nShall I {go} on?", []string{repair.Prose}},
		"byte order mark": {"\ufeff" + clean, []string{repair.BOM}},
		"trailing commas": {strings.NewReplacer("]", ",]", "}", ",}").Replace(clean), []string{repair.Comma}},
		"comments":        {strings.Replace(clean, "{", "{ // first\n/* then */ # and\n", 1), []string{repair.Comment}},
		"single quotes":   {strings.ReplaceAll(clean, `"`, "'"), []string{repair.Single}},
		"snake_case": {`{"plan": ["draw"], "message": "page 2", "current_subtask": "extract", "control_label": "0", "status": "ASSIGN"}`,
			[]string{repair.Name}},
		"words": {`{"Plan": ["draw"], "Message": "page 2", "Current Sub-Task": "extract", "Control Label": "0", "Status": "ASSIGN"}`,
			[]string{repair.Name}},
		"plan as one string": {strings.Replace(clean, `["draw"]`, `"draw"`, 1), []string{repair.List}},
		"number as label":    {strings.Replace(clean, `"0"`, `0`, 1), []string{repair.Text}},
		"small status":       {strings.Replace(clean, "ASSIGN", "assign", 1), nil},
		"padded status":      {strings.Replace(clean, "ASSIGN", ` Assign\n`, 1), nil},
		"status in the action": {`{"Plan": ["draw"], "Message": "page 2", "CurrentSubTask": "extract",
			"Action": {"ControlLabel": "0", "Function": "select_application_window", "Status": "ASSIGN"}}`,
			[]string{repair.Alias, repair.List, repair.Moved}},
		"short name of a tool": {`{"Plan": ["draw"], "Message": "page 2", "CurrentSubTask": "extract",
			"Function": "select_application", "Args": {"id": "0"}, "Status": "ASSIGN"}`,
			[]string{repair.Tool}},
		"arguments as a string": {`{"Plan": ["draw"], "Message": "page 2", "CurrentSubTask": "extract",
			"Function": "select_application_window", "Args": "{\"id\": \"0\"}", "Status": "ASSIGN"}`,
			[]string{repair.ObjectText}},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, tc.reply, finish("a table"), finish("done"))
			res, err := s.run("extract the table")
			require.NoError(t, err)
			assert.Equal(t, 3, res.Calls, "nothing was asked again")
			require.Len(t, res.Subtasks, 1)
			assert.Equal(t, "word", res.Subtasks[0].App)
			assert.Equal(t, "extract", res.Subtasks[0].Text)
			assert.Equal(t, "page 2", prompt[fsm.Task](s, 1, "subtask").Message)
			assert.Contains(t, string(s.Steps[0].Decision), "draw")
			assert.Equal(t, tc.repairs, repairsOf(s.Steps[0]))
		})
	}
}

// The agent of an application likewise: the text is typed in, once.
func TestScenario25_RepliesOfAnApplication(t *testing.T) {
	const clean = `{"ControlLabel": "3", "Function": "set_edit_text", "Args": {"text": "Totals"}, "Status": "CONTINUE"}`
	const inside = `{"Function": "set_edit_text", "Args": {"id": "3", "text": "Totals"}, "Status": "CONTINUE"}`
	for name, tc := range map[string]struct {
		reply   string
		repairs []string
	}{
		"clean":                  {clean, nil},
		"fence and prose":        {"Here it is:\n```json\n" + clean + "\n```", []string{repair.Fence, repair.Prose}},
		"thoughts":               {"<think>or {\"Status\": \"FINISH\"}?</think>" + clean, []string{repair.Thoughts}},
		"dict of Python":         {strings.ReplaceAll(clean, `"`, "'"), []string{repair.Single}},
		"label as a number":      {strings.Replace(clean, `"3"`, "3", 1), []string{repair.Text}},
		"arguments as a string":  {strings.Replace(clean, `{"text": "Totals"}`, `"{\"text\": \"Totals\"}"`, 1), []string{repair.ObjectText}},
		"questions as one":       {strings.Replace(clean, "{", `{"Questions": "Which?", "Plan": "save", `, 1), []string{repair.List}},
		"status in the action":   {`{"Action": ` + inside + `}`, []string{repair.Alias, repair.List, repair.Moved}},
		"status in the list":     {`{"Actions": [` + inside + `]}`, []string{repair.Moved}},
		"status in both, equal":  {`{"Actions": [` + inside + `], "Status": "continue"}`, []string{repair.Moved}},
		"status null above":      {`{"Actions": [` + inside + `], "Status": null}`, []string{repair.Null, repair.Moved}},
		"said twice":             {clean + "\n" + clean, []string{repair.Repeated}},
		"whole reply in a quote": {quote(clean), []string{repair.Quoted}},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, assign("0", "set the title"), tc.reply, finish("set"), finish("done"))
			s.Word.SetControls(desktop.Control{ID: "3", Name: "Title", Type: "Edit"})
			res, err := s.run("set the title")
			require.NoError(t, err)
			assert.Equal(t, 4, res.Calls, "nothing was asked again")
			assert.Equal(t, "Totals", s.Word.Value("3"))
			assert.Len(t, s.Desktop.Calls(desktop.SetEditText), 1)
			assert.Equal(t, tc.repairs, repairsOf(s.Steps[2]))
		})
	}
}

// A refused reply that was repaired is in the record of the step, too.
func TestScenario26_RepairsOfARefusedReply(t *testing.T) {
	s := onStage(t, "So:\n{'status': 'DONE',}", `{"Status": "FINISH", "Result": "x",}`)
	_, err := s.run("do it")
	require.NoError(t, err)
	assert.Equal(t, []llm.Repair{
		{Kind: repair.Prose, Where: "byte 0", Count: 1},
		{Kind: repair.Comma, Where: "byte 21", Count: 1},
		{Kind: repair.Single, Where: "byte 5", Count: 2},
		{Kind: repair.Name, Where: "status", Count: 1},
		{Kind: repair.Comma, Where: "byte 34", Count: 1},
	}, s.Steps[0].Repairs)
	raw, err := json.Marshal(s.Steps[0])
	require.NoError(t, err)
	assert.Contains(t, string(raw), `{"kind":"trailing comma","where":"byte 21","count":1}`)
}

func repairsOf(step round.Step) []string {
	var list []string
	for _, r := range step.Repairs {
		list = append(list, r.Kind)
	}
	return list
}

func quote(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}
