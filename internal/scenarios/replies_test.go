package scenarios_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
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

// What is unclear is fed back to the host: the next prompt has the reply, the
// reason and what is allowed, and nothing of the reply is done.
func TestScenario26_RepliesOfTheHost(t *testing.T) {
	allowed := []fsm.Status{fsm.Continue, hostagent.Assign, fsm.Pending, fsm.Confirm, fsm.Finish}
	for name, tc := range map[string]struct{ reply, reason string }{
		"no JSON":              {"I give this to Word.", "there is no JSON object"},
		"two objects":          {`{"Status": "FINISH"} or {"Status": "CONTINUE"}`, "a second object, different from the first"},
		"array":                {`[{"Status": "FINISH"}, 1]`, "an array where one object should be"},
		"scalar":               {`"FINISH"`, "a string where one object should be"},
		"cut off":              {`{"Status": "FINISH", "Result": {"a": 1}`, "the text ends inside an object"},
		"thoughts without end": {`<think>so {"Status": "FINISH"}`, "the thoughts are not closed"},
		"no status":            {`{"Thought": "done"}`, "the reply has no Status"},
		"unknown status":       {`{"Status": "DONE"}`, `status "DONE" is not allowed here`},
		"status of others":     {`{"Status": "FAIL"}`, `status "FAIL" is not allowed here`},
		"two statuses":         {`{"Action": {"Function": "wait", "Args": {"seconds": 0}, "Status": "CONTINUE"}, "Status": "FINISH"}`, `the Status of the action is "CONTINUE"`},
		"arguments alone":      {`{"Args": {"id": "0"}, "Status": "CONTINUE"}`, "Args without a Function"},
		"no such tool":         {`{"Function": "fly", "Status": "CONTINUE"}`, `"fly"`},
		"no for a command":     {`{"Bash": false, "Status": "CONTINUE"}`, "Bash: a boolean where a string should be"},
		"no for a tool":        {`{"Function": false, "Status": "CONTINUE"}`, "Function: a boolean where a string should be"},
		"no for a plan":        {`{"Plan": false, "Status": "FINISH"}`, "Plan: a boolean where a list should be"},
		"bad arguments":        {`{"Function": "wait", "Args": {"seconds": "soon"}, "Status": "CONTINUE"}`, "seconds"},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, tc.reply, finish("done"))
			s.Config.User = &person{}
			res, err := s.run("do it")
			require.NoError(t, err)
			assert.Equal(t, 2, res.Calls)
			assert.Equal(t, 1, res.Steps, "asking again is no step")
			fedBack(t, s, 0, tc.reply, tc.reason, allowed)
		})
	}
}

// And to the agent of an application.
func TestScenario26_RepliesOfAnApplication(t *testing.T) {
	allowed := []fsm.Status{fsm.Continue, fsm.Pending, fsm.Confirm, fsm.Screenshot, fsm.Finish, fsm.Fail}
	for name, tc := range map[string]struct{ reply, reason string }{
		"no JSON":          {"Status: FINISH", "there is no JSON object"},
		"two objects":      {`{"Status": "FINISH"}{"Status": "FAIL"}`, "a second object, different from the first"},
		"array":            {`[{"Function": "wait"}, {"Status": "FINISH"}]`, "an array where one object should be"},
		"scalar":           {`7`, "a number where one object should be"},
		"missing status":   {`{"Function": "wait", "Args": {"seconds": 0}}`, "the reply has no Status"},
		"unknown status":   {`{"Status": "DONE."}`, `status "DONE." is not allowed here`},
		"not allowed here": {`{"Status": "ASSIGN"}`, `status "ASSIGN" is not allowed here`},
		"no function":      {`{"Actions": [{"ControlLabel": "3"}], "Status": "FINISH"}`, "an action needs a Function"},
		"no such tool":     {`{"Function": "fly", "Status": "FINISH"}`, `unknown tool "fly"`},
		"bad arguments":    {`{"ControlLabel": "3", "Function": "set_edit_text", "Args": {"text": 5}, "Status": "FINISH"}`, "text"},
		"two statuses": {`{"Actions": [{"Function": "wait", "Args": {"seconds": 0}, "Status": "CONTINUE"}], "Status": "FINISH"}`,
			`the Status of action 1 is "CONTINUE"`},
		"end in the middle": {`{"Actions": [{"Function": "wait", "Args": {"seconds": 0}, "Status": "FINISH"},
			{"Function": "wait", "Args": {"seconds": 0}, "Status": "CONTINUE"}]}`, `the Status of action 1 is "FINISH"`},
		"no status in the last": {`{"Actions": [{"Function": "wait", "Args": {"seconds": 0}, "Status": "CONTINUE"},
			{"Function": "wait", "Args": {"seconds": 0}}]}`, `the reply has no Status`},
		"status under two names": {`{"Status": "FINISH", "status": "FAIL"}`, `"Status" and "status" are one name`},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, assign("0", "wait"), tc.reply, finish("ok"), finish("done"))
			s.Config.User = &person{}
			s.Word.SetControls(desktop.Control{ID: "3", Name: "Title", Type: "Edit"})
			res, err := s.run("do it")
			require.NoError(t, err)
			assert.Equal(t, 4, res.Calls)
			assert.Zero(t, s.Desktop.Count("wait")+s.Desktop.Count(desktop.SetEditText), "nothing of it was done")
			fedBack(t, s, 1, tc.reply, tc.reason, allowed)
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

// fedBack looks at the prompt behind the refused i-th reply.
func fedBack(t *testing.T, s *stage, i int, reply, reason string, allowed []fsm.Status) {
	t.Helper()
	assert.Equal(t, reply, prompt[string](s, i+1, "refused_reply"))
	assert.Contains(t, prompt[string](s, i+1, "last_error"), reason)
	assert.ElementsMatch(t, allowed, prompt[[]fsm.Status](s, i+1, "allowed_statuses"))
	assert.False(t, s.hasSection(i, "refused_reply"), "before it there was none")
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
