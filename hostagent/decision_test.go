package hostagent_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

type schema struct {
	Type       string `json:"type"`
	Properties map[string]struct {
		Type        string   `json:"type"`
		Description string   `json:"description"`
		Enum        []string `json:"enum"`
	} `json:"properties"`
	Required []string `json:"required"`
}

func schemaOf(t *testing.T, req *llm.Request) schema {
	t.Helper()
	var s schema
	require.NotNil(t, req.Schema)
	require.NoError(t, json.Unmarshal(req.Schema.JSON, &s))
	return s
}

func TestSchema(t *testing.T) {
	b := newBench(t, say(fsm.Finish))
	b.Config.User = people.Later()
	b.finish()
	s := schemaOf(t, b.Model.Last())
	assert.Equal(t, "object", s.Type)
	assert.Equal(t, []string{"Status"}, s.Required)
	assert.Equal(t, []string{"CONTINUE", "ASSIGN", "FINISH", "PENDING", "CONFIRM"}, s.Properties["Status"].Enum)
	names := []string{
		"Observation", "Thought", "CurrentSubTask", "Message", "ControlLabel", "ControlText", "Plan",
		"Status", "Comment", "Questions", "Bash", "Function", "Args", "Result",
	}
	assert.Len(t, s.Properties, len(names))
	for _, name := range names {
		assert.NotEmpty(t, s.Properties[name].Description, name)
	}
	assert.Equal(t, []fsm.Status{"CONTINUE", "ASSIGN", "FINISH", "PENDING", "CONFIRM"},
		section[[]fsm.Status](b, 0, "allowed_statuses"))
}

func TestAnswer(t *testing.T) {
	for name, tc := range map[string]struct {
		reply  m
		answer string
		data   string
	}{
		"text":             {m{"Status": "FINISH", "Result": "42", "Comment": "done"}, "42", `"42"`},
		"comment":          {m{"Status": "FINISH", "Comment": "done"}, "done", `"done"`},
		"reference":        {m{"Status": "FINISH", "Result": m{"$ref": "numbers.1"}}, `12345678901234567890`, `12345678901234567890`},
		"reference inside": {m{"Status": "FINISH", "Result": []any{m{"$ref": "numbers"}}}, `[[1,12345678901234567890]]`, `[[1,12345678901234567890]]`},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, tc.reply)
			host, s := b.session()
			require.NoError(t, host.Board().PutRaw("numbers", json.RawMessage(`[1,12345678901234567890]`)))
			res, err := s.Run(t.Context(), "how many?")
			require.NoError(t, err)
			assert.Equal(t, tc.answer, res.Answer)
			assert.Equal(t, tc.answer, host.Answer())
			assert.Equal(t, tc.data, string(host.Data()))
		})
	}
}

func TestFedBack(t *testing.T) {
	for name, tc := range map[string]struct {
		reply m
		says  string
	}{
		"two statuses":       {m{"Status": "FINISH", "Actions": []m{{"Function": "wait", "Status": "FAIL"}}}, `the Status of the action is "FAIL", that of the reply "FINISH"`},
		"result to nowhere":  {m{"Status": "FINISH", "Result": m{"$ref": "nothing"}}, `$ref "nothing"`},
		"close nothing":      {call(fsm.Continue, "close_application", nil), "no application is chosen"},
		"close unlisted":     {call(fsm.Continue, "close_application", m{"id": "7"}), `"7" is not an id`},
		"close in words":     {m{"Status": "CONTINUE", "Function": "close_application", "ControlText": "paint"}, `0 entries of the section windows are called "paint": write an id into ControlLabel; there are 0 "report.docx - Word", 1 "excel"`},
		"select not running": {call(fsm.Continue, "select_application_window", m{"id": "1"}), "excel is not running"},
		"assign two":         {m{"Status": "ASSIGN", "CurrentSubTask": "x", "Function": "select_application", "ControlLabel": "0", "Args": m{"id": "1"}}, `ControlLabel is "0"`},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, tc.reply, say(fsm.Finish))
			res := b.finish()
			assert.Equal(t, 2, res.Calls)
			assert.Contains(t, b.lastError(), tc.says)
			assert.NotEmpty(t, section[string](b, 1, "refused_reply"))
			assert.Empty(t, b.Desktop.Actions(), "nothing of a refused reply is executed")
		})
	}
}

// ASSIGN names its application in any of these ways.
func TestChoose(t *testing.T) {
	word, excel := "word/report", "excel/book"
	for name, tc := range map[string]struct {
		reply m
		key   string
	}{
		"id as number":    {m{"ControlLabel": 1}, excel},
		"id with space":   {m{"ControlLabel": " 0 "}, word},
		"program":         {m{"ControlText": "excel"}, excel},
		"vague title":     {m{"ControlLabel": "0", "ControlText": "the report"}, word},
		"call":            {m{"Function": "select_application_window", "Args": m{"id": "0"}}, word},
		"call by name":    {m{"Function": "select_application", "Args": m{"name": "report.docx - Word"}}, word},
		"call to launch":  {m{"Function": "select_application", "Args": m{"id": "1"}}, excel},
		"launch and take": {m{"Function": "launch_application", "Args": m{"name": "EXCEL"}, "ControlLabel": "1"}, excel},
	} {
		t.Run(name, func(t *testing.T) {
			tc.reply["Status"], tc.reply["CurrentSubTask"] = "ASSIGN", "something"
			b := newBench(t, tc.reply, m{"Status": "FINISH", "Result": "r"}, say(fsm.Finish))
			host, s := b.session()
			_, err := s.Run(t.Context(), "do it")
			require.NoError(t, err)
			assert.NotNil(t, host.App(tc.key))
			assert.Len(t, b.Desktop.Actions(), 1, "it was brought up once")
		})
	}
}

// Where what an ASSIGN or a call says of its window means two of them, none is chosen: also
// where a name is that of several others.
func TestChooseWithAContradiction(t *testing.T) {
	assign := func(rest m) m {
		rest["Status"], rest["CurrentSubTask"] = "ASSIGN", "x"
		return rest
	}
	pick := m{"name": "Untitled"}
	for name, tc := range map[string]struct {
		reply m
		says  string
	}{
		"a name of two others": {assign(m{"ControlLabel": "0", "ControlText": "Untitled"}), `ControlLabel 0 is "report.docx - Word", but ControlText "Untitled" is entry 1 or 2`},
		"two names and an id":  {assign(m{"ControlLabel": "0", "ControlText": "the report", "Function": "select_application", "Args": m{"name": "paint"}}), `entry 0 is chosen, but the argument name "paint" is entry 2`},
		"a call of two names":  {m{"Status": "CONTINUE", "Function": "select_application", "ControlText": "word", "Args": pick}, `entry 0 is chosen, but the argument name "Untitled" is entry 1 or 2`},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, tc.reply, say(fsm.Finish))
			b.Desktop.On(desktop.GetDesktopAppInfo, func(context.Context, desktoptest.Call) (any, error) {
				return []desktop.Window{
					{ID: "7", Title: "report.docx - Word", Root: "word", Process: "report"},
					{ID: "8", Title: "Untitled", Root: "excel", Process: "book"}, {ID: "9", Title: "Untitled", Root: "paint", Process: "picture"},
				}, nil
			})
			b.finish()
			assert.Contains(t, b.lastError(), tc.says)
			assert.Empty(t, b.Desktop.Actions())
		})
	}
	b := newBench(t, assign(m{"ControlLabel": "0", "ControlText": "WORD", "Function": "select_application", "Args": m{"name": "the report"}}), say(fsm.Finish), say(fsm.Finish))
	b.finish()
	assert.Len(t, b.Desktop.Actions(), 1, "words that name no other entry contradict nothing")
}

// The name of an entry is compared as the names of controls are.
func TestControlTextInOtherLetters(t *testing.T) {
	for _, name := range []string{"REPORT.docx - Word", " report.docx  -  Word ", "report.docx - word", "WORD"} {
		b := newBench(t, m{"Status": "ASSIGN", "CurrentSubTask": "x", "ControlText": name}, say(fsm.Finish), say(fsm.Finish))
		host, s := b.session()
		_, err := s.Run(t.Context(), "do it")
		require.NoError(t, err, name)
		assert.NotNil(t, host.App("word/report"), name)
	}
}
