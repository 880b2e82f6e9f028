package scenarios_test

import (
	"encoding/json"
	"strings"
	"testing"

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
		repairs []llm.RepairKind
	}{
		"clean":           {clean, nil},
		"fence":           {"```json\n" + clean + "\n```", []llm.RepairKind{llm.RepairFence}},
		"tildes":          {"~~~\n" + clean + "\n~~~", []llm.RepairKind{llm.RepairFence}},
		"fence left open": {"```JSON5\n" + clean, []llm.RepairKind{llm.RepairFence}},
		"prose before":    {"I start with Word.\n" + clean, []llm.RepairKind{llm.RepairProse}},
		"prose behind":    {clean + "\nShall I {go} on?", []llm.RepairKind{llm.RepairProse}},
		"byte order mark": {"\ufeff" + clean, []llm.RepairKind{llm.RepairBOM}},
		"trailing commas": {strings.NewReplacer("]", ",]", "}", ",}").Replace(clean), []llm.RepairKind{llm.RepairComma}},
		"comments":        {strings.Replace(clean, "{", "{ // first\n/* then */ # and\n", 1), []llm.RepairKind{llm.RepairComment}},
		"single quotes":   {strings.ReplaceAll(clean, `"`, "'"), []llm.RepairKind{llm.RepairSingle}},
		"snake_case": {`{"plan": ["draw"], "message": "page 2", "current_subtask": "extract", "control_label": "0", "status": "ASSIGN"}`,
			[]llm.RepairKind{llm.RepairName}},
		"words": {`{"Plan": ["draw"], "Message": "page 2", "Current Sub-Task": "extract", "Control Label": "0", "Status": "ASSIGN"}`,
			[]llm.RepairKind{llm.RepairName}},
		"plan as one string": {strings.Replace(clean, `["draw"]`, `"draw"`, 1), []llm.RepairKind{llm.RepairList}},
		"number as label":    {strings.Replace(clean, `"0"`, `0`, 1), []llm.RepairKind{llm.RepairText}},
		"small status":       {strings.Replace(clean, "ASSIGN", "assign", 1), nil},
		"padded status":      {strings.Replace(clean, "ASSIGN", ` Assign\n`, 1), nil},
		"status in the action": {`{"Plan": ["draw"], "Message": "page 2", "CurrentSubTask": "extract",
			"Action": {"ControlLabel": "0", "Function": "select_application_window", "Status": "ASSIGN"}}`,
			[]llm.RepairKind{llm.RepairAlias, llm.RepairList, llm.RepairMoved}},
		"short name of a tool": {`{"Plan": ["draw"], "Message": "page 2", "CurrentSubTask": "extract",
			"Function": "select_application", "Args": {"id": "0"}, "Status": "ASSIGN"}`,
			[]llm.RepairKind{llm.RepairTool}},
		"arguments as a string": {`{"Plan": ["draw"], "Message": "page 2", "CurrentSubTask": "extract",
			"Function": "select_application_window", "Args": "{\"id\": \"0\"}", "Status": "ASSIGN"}`,
			[]llm.RepairKind{llm.RepairObjectText}},
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
		repairs []llm.RepairKind
	}{
		"clean":                  {clean, nil},
		"fence and prose":        {"Here it is:\n```json\n" + clean + "\n```", []llm.RepairKind{llm.RepairFence, llm.RepairProse}},
		"thoughts":               {"<think>or {\"Status\": \"FINISH\"}?</think>" + clean, []llm.RepairKind{llm.RepairThoughts}},
		"dict of Python":         {strings.ReplaceAll(clean, `"`, "'"), []llm.RepairKind{llm.RepairSingle}},
		"label as a number":      {strings.Replace(clean, `"3"`, "3", 1), []llm.RepairKind{llm.RepairText}},
		"arguments as a string":  {strings.Replace(clean, `{"text": "Totals"}`, `"{\"text\": \"Totals\"}"`, 1), []llm.RepairKind{llm.RepairObjectText}},
		"questions as one":       {strings.Replace(clean, "{", `{"Questions": "Which?", "Plan": "save", `, 1), []llm.RepairKind{llm.RepairList}},
		"status in the action":   {`{"Action": ` + inside + `}`, []llm.RepairKind{llm.RepairAlias, llm.RepairList, llm.RepairMoved}},
		"status in the list":     {`{"Actions": [` + inside + `]}`, []llm.RepairKind{llm.RepairMoved}},
		"status in both, equal":  {`{"Actions": [` + inside + `], "Status": "continue"}`, []llm.RepairKind{llm.RepairMoved}},
		"status null above":      {`{"Actions": [` + inside + `], "Status": null}`, []llm.RepairKind{llm.RepairNull, llm.RepairMoved}},
		"said twice":             {clean + "\n" + clean, []llm.RepairKind{llm.RepairRepeated}},
		"whole reply in a quote": {quote(clean), []llm.RepairKind{llm.RepairQuoted}},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, assign("0", "set the title"), tc.reply, finish("set"), finish("done"))
			s.Word.SetControls(desktop.Control{ID: "3", Name: "Title", Type: "Edit"})
			res, err := s.run("set the title")
			require.NoError(t, err)
			assert.Equal(t, 4, res.Calls, "nothing was asked again")
			assert.Equal(t, "Totals", s.Word.Value("3"))
			assert.Equal(t, 1, s.Desktop.Count(desktop.SetEditText))
			assert.Equal(t, tc.repairs, repairsOf(s.Steps[2]))
		})
	}
}

// A refused reply that was repaired is in the record of the step, too.
func TestScenario26_RepairsOfARefusedReply(t *testing.T) {
	s := onStage(t, "So:\n{'status': 'DONE',}", `{"Status": "FINISH", "Result": "x",}`)
	_, err := s.run("do it")
	require.NoError(t, err)
	assert.Equal(t, []round.Repair{
		{Call: 1, Repair: llm.Repair{Kind: llm.RepairProse, Where: "byte 0", Count: 1}},
		{Call: 1, Repair: llm.Repair{Kind: llm.RepairComma, Where: "byte 21", Count: 1}},
		{Call: 1, Repair: llm.Repair{Kind: llm.RepairSingle, Where: "byte 5", Count: 2}},
		{Call: 1, Repair: llm.Repair{Kind: llm.RepairName, Where: "status", Count: 1}},
		{Call: 2, Repair: llm.Repair{Kind: llm.RepairComma, Where: "byte 34", Count: 1}},
	}, s.Steps[0].Repairs)
	raw, err := json.Marshal(s.Steps[0])
	require.NoError(t, err)
	assert.Contains(t, string(raw), `{"call":1,"kind":"trailing comma","where":"byte 21","count":1}`)
}

func repairsOf(step round.Step) []llm.RepairKind {
	var list []llm.RepairKind
	for _, r := range step.Repairs {
		list = append(list, r.Kind)
	}
	return list
}

func quote(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}
