package llm_test

import (
	"encoding/json"
	"testing"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

// Every kind of repair is reported, with its place and its number, and what is
// clean is not.
func TestDecode(t *testing.T) {
	one := func(kind string, where string) []llm.Repair {
		return []llm.Repair{{Kind: kind, Where: where, Count: 1}}
	}
	many := func(kind string, where string, count int) []llm.Repair {
		return []llm.Repair{{Kind: kind, Where: where, Count: count}}
	}
	for name, tc := range map[string]struct {
		reply string
		want  []llm.Repair
	}{
		"clean":              {`{"Thought":"t","Plan":["a"],"Args":{"x":null},"Status":"FINISH"}`, nil},
		"clean with nulls":   {`{"Plan":null,"Args":null,"Result":null,"Status":"FINISH"}`, nil},
		"clean with spaces":  {"\n{ \"Status\" :\t\"FINISH\"\r\n}\n", nil},
		"fence":              {"```json\n{\"Status\":\"x\"}\n```", many(repair.Fence, "byte 0", 2)},
		"tags":               {"<answer>{\"Status\":\"x\"}</answer>", many(repair.Tags, "byte 0", 2)},
		"prose":              {"{\"Status\":\"x\"}\nso", one(repair.Prose, "byte 15")},
		"thoughts":           {" <think>x</think>{\"Status\":\"x\"}", one(repair.Thoughts, "byte 1")},
		"byte order mark":    {"\ufeff{\"Status\":\"x\"}", one(repair.BOM, "byte 0")},
		"quoted reply":       {` "{\"Status\":\"x\"}"`, one(repair.Quoted, "byte 1")},
		"repeated object":    {`{"Status":"x"}{"Status":"x"}{"Status":"x"}`, many(repair.Repeated, "byte 14", 2)},
		"odd space":          {"{\u00a0\"Status\":\"x\"}", one(repair.Space, "byte 1")},
		"comment":            {`{"Status":"x"/**/ /* */}`, many(repair.Comment, "byte 13", 2)},
		"trailing comma":     {`{"Plan":["a",],"Status":"x",}`, many(repair.Comma, "byte 12", 2)},
		"single quotes":      {`{"Status":'x'}`, one(repair.Single, "byte 10")},
		"typographic quotes": {`{“Status”:‘x’}`, many(repair.Typographic, "byte 1", 2)},
		"full-width sign":    {`{"Status"："x"}`, one(repair.FullWidth, "byte 9")},
		"bare name":          {`{Status:"x"}`, one(repair.BareName, "byte 1")},
		"raw control":        {"{\"Status\":\"x\n\"}", one(repair.Control, "byte 12")},
		"escape":             {`{"Status":"\'"}`, one(repair.Escape, "byte 11")},
		"literal":            {`{"SaveScreenshot":True}`, one(repair.Literal, "byte 18")},
		"same name":          {`{"Status":"x","Status":"x"}`, one(repair.SameName, "byte 14")},
		"same name, folded": {`{"Status":"x","status":"x"}`, []llm.Repair{
			{Kind: repair.SameName, Where: "status", Count: 1}, {Kind: repair.Name, Where: "status", Count: 1}}},
		"name":           {`{"current_sub_task":"x","save screenshot":true}`, many(repair.Name, "current_sub_task", 2)},
		"alias":          {`{"Actions":[{"Function":"f"}],"Target Id":"7"}`, one(repair.Alias, "Target Id")},
		"unknown name":   {`{"Status":"x","Actions":[{"Function":"f","why":1}]}`, one(repair.Unknown, "Actions[0].why")},
		"text":           {`{"Status":"x","Plan":["a",1,2.50]}`, many(repair.Text, "Plan[1]", 2)},
		"boolean":        {`{"SaveScreenshot":"TRUE"}`, one(repair.Boolean, "SaveScreenshot")},
		"list":           {`{"Plan":"a"}`, one(repair.List, "Plan")},
		"list in text":   {`{"Plan":"[\"a\"]"}`, one(repair.ListText, "Plan")},
		"object in text": {`{"Actions":[{"Function":"f","Args":"{}"}]}`, one(repair.ObjectText, "Actions[0].Args")},
		"in a text, loosely": {`{"Args":"{'a':1,}"}`, []llm.Repair{{Kind: repair.Comma, Where: "Args", Count: 1},
			{Kind: repair.Single, Where: "Args", Count: 1}, {Kind: repair.ObjectText, Where: "Args", Count: 1}}},
		"in a quoted reply": {`"{'Status':'x'}"`, []llm.Repair{{Kind: repair.Quoted, Where: "byte 0", Count: 1},
			{Kind: repair.Single, Where: "byte 0", Count: 2}}},
		"empty text": {`{"Plan":"","Args":""}`, many(repair.Empty, "Plan", 2)},
		"null":       {`{"Status":null,"SaveScreenshot":null}`, many(repair.Null, "Status", 2)},
	} {
		t.Run(name, func(t *testing.T) {
			_, repairs, err := llm.Decode[decision](tc.reply)
			require.NoError(t, err)
			assert.Equal(t, tc.want, repairs)
		})
	}
	_, repairs, err := llm.Decode[everyKind](`{"F":"2.5","N":"1"}`)
	require.NoError(t, err)
	assert.Equal(t, many(repair.Number, "F", 2), repairs)
}

// With an error the report has what was repaired until then.
func TestDecodeOfARefusedReply(t *testing.T) {
	got, repairs, err := llm.Decode[decision](`So: {'thought': 't', 'Args': 5}`)
	require.ErrorAs(t, err, new(*llm.DecodeError))
	assert.Zero(t, got)
	assert.Equal(t, []llm.Repair{
		{Kind: repair.Prose, Where: "byte 0", Count: 1}, {Kind: repair.Single, Where: "byte 5", Count: 3},
		{Kind: repair.Name, Where: "thought", Count: 1},
	}, repairs)
	_, repairs, err = llm.Decode[decision]("")
	require.ErrorAs(t, err, new(*llm.DecodeError))
	assert.Nil(t, repairs)
}

func TestRepairTexts(t *testing.T) {
	assert.Equal(t, "trailing comma at byte 12", llm.Repair{Kind: repair.Comma, Where: "byte 12", Count: 1}.String())
	assert.Equal(t, "name at current_subtask, 3 times", llm.Repair{Kind: repair.Name, Where: "current_subtask", Count: 3}.String())
	assert.Equal(t, "null", llm.Repair{Kind: repair.Null, Count: 1}.String())
	raw, err := json.Marshal(llm.Repair{Kind: repair.Comma, Where: "byte 12", Count: 1})
	require.NoError(t, err)
	assert.Equal(t, `{"kind":"trailing comma","where":"byte 12","count":1}`, string(raw))
}

// A report quotes no value.
func TestReportQuotesNoValues(t *testing.T) {
	const secret = "hunter2"
	_, repairs, err := llm.Decode[decision]("I typed hunter2:\n{'thought': 'hunter2', 'Args': \"{'pw': 'hunter2'}\", 'plan': 'hunter2', /* hunter2 */ 'Comment': 'hunter2',}")
	require.NoError(t, err)
	raw, err := json.Marshal(repairs)
	require.NoError(t, err)
	assert.Greater(t, len(repairs), 6)
	assert.NotContains(t, string(raw), secret)
}
