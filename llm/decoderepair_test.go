package llm_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

// Every kind of repair is reported, with its place and its number, and what is
// clean is not.
func TestDecodeReport(t *testing.T) {
	one := func(kind llm.RepairKind, where string) []llm.Repair {
		return []llm.Repair{{Kind: kind, Where: where, Count: 1}}
	}
	many := func(kind llm.RepairKind, where string, count int) []llm.Repair {
		return []llm.Repair{{Kind: kind, Where: where, Count: count}}
	}
	for name, tc := range map[string]struct {
		reply string
		want  []llm.Repair
	}{
		"clean":              {`{"Thought":"t","Plan":["a"],"Args":{"x":null},"Status":"FINISH"}`, nil},
		"clean with nulls":   {`{"Plan":null,"Args":null,"Result":null,"Status":"FINISH"}`, nil},
		"clean with spaces":  {"\n{ \"Status\" :\t\"FINISH\"\r\n}\n", nil},
		"fence":              {"```json\n{\"Status\":\"x\"}\n```", many(llm.RepairFence, "byte 0", 2)},
		"tags":               {"<answer>{\"Status\":\"x\"}</answer>", many(llm.RepairTags, "byte 0", 2)},
		"prose":              {"{\"Status\":\"x\"}\nso", one(llm.RepairProse, "byte 15")},
		"thoughts":           {" <think>x</think>{\"Status\":\"x\"}", one(llm.RepairThoughts, "byte 1")},
		"byte order mark":    {"\ufeff{\"Status\":\"x\"}", one(llm.RepairBOM, "byte 0")},
		"quoted reply":       {` "{\"Status\":\"x\"}"`, one(llm.RepairQuoted, "byte 1")},
		"repeated object":    {`{"Status":"x"}{"Status":"x"}{"Status":"x"}`, many(llm.RepairRepeated, "byte 14", 2)},
		"odd space":          {"{\u00a0\"Status\":\"x\"}", one(llm.RepairSpace, "byte 1")},
		"comment":            {`{"Status":"x"/**/ /* */}`, many(llm.RepairComment, "byte 13", 2)},
		"trailing comma":     {`{"Plan":["a",],"Status":"x",}`, many(llm.RepairComma, "byte 12", 2)},
		"single quotes":      {`{"Status":'x'}`, one(llm.RepairSingle, "byte 10")},
		"typographic quotes": {`{“Status”:‘x’}`, many(llm.RepairTypographic, "byte 1", 2)},
		"full-width sign":    {`{"Status"："x"}`, one(llm.RepairFullWidth, "byte 9")},
		"bare name":          {`{Status:"x"}`, one(llm.RepairBareName, "byte 1")},
		"raw control":        {"{\"Status\":\"x\n\"}", one(llm.RepairControl, "byte 12")},
		"escape":             {`{"Status":"\'"}`, one(llm.RepairEscape, "byte 11")},
		"literal":            {`{"SaveScreenshot":True}`, one(llm.RepairLiteral, "byte 18")},
		"same name":          {`{"Status":"x","Status":"x"}`, one(llm.RepairSameName, "byte 14")},
		"same name, folded": {`{"Status":"x","status":"x"}`, []llm.Repair{
			{Kind: llm.RepairSameName, Where: "status", Count: 1}, {Kind: llm.RepairName, Where: "status", Count: 1}}},
		"name":           {`{"current_sub_task":"x","save screenshot":true}`, many(llm.RepairName, "current_sub_task", 2)},
		"alias":          {`{"Actions":[{"Function":"f"}],"Target Id":"7"}`, one(llm.RepairAlias, "Target Id")},
		"unknown name":   {`{"Status":"x","Actions":[{"Function":"f","why":1}]}`, one(llm.RepairUnknown, "Actions[0].why")},
		"text":           {`{"Status":"x","Plan":["a",1,2.50]}`, many(llm.RepairText, "Plan[1]", 2)},
		"boolean":        {`{"SaveScreenshot":"TRUE"}`, one(llm.RepairBoolean, "SaveScreenshot")},
		"list":           {`{"Plan":"a"}`, one(llm.RepairList, "Plan")},
		"list in text":   {`{"Plan":"[\"a\"]"}`, one(llm.RepairListText, "Plan")},
		"object in text": {`{"Actions":[{"Function":"f","Args":"{}"}]}`, one(llm.RepairObjectText, "Actions[0].Args")},
		"in a text, loosely": {`{"Args":"{'a':1,}"}`, []llm.Repair{{Kind: llm.RepairComma, Where: "Args", Count: 1},
			{Kind: llm.RepairSingle, Where: "Args", Count: 1}, {Kind: llm.RepairObjectText, Where: "Args", Count: 1}}},
		"in a quoted reply": {`"{'Status':'x'}"`, []llm.Repair{{Kind: llm.RepairQuoted, Where: "byte 0", Count: 1},
			{Kind: llm.RepairSingle, Where: "byte 0", Count: 2}}},
		"empty text": {`{"Plan":"","Args":""}`, many(llm.RepairEmpty, "Plan", 2)},
		"null":       {`{"Status":null,"SaveScreenshot":null}`, many(llm.RepairNull, "Status", 2)},
	} {
		t.Run(name, func(t *testing.T) {
			got, repairs, err := llm.DecodeReport[decision](tc.reply)
			require.NoError(t, err)
			assert.Equal(t, tc.want, repairs)
			plain, err := llm.Decode[decision](tc.reply)
			require.NoError(t, err)
			assert.Equal(t, plain, got, "who wants to know changes nothing")
		})
	}
	_, repairs, err := llm.DecodeReport[everyKind](`{"F":"2.5","N":"1"}`)
	require.NoError(t, err)
	assert.Equal(t, many(llm.RepairNumber, "F", 2), repairs)
}

// With an error the report has what was repaired until then.
func TestDecodeReportOfARefusedReply(t *testing.T) {
	got, repairs, err := llm.DecodeReport[decision](`So: {'thought': 't', 'Args': 5}`)
	require.ErrorIs(t, err, llm.ErrDecode)
	assert.Zero(t, got)
	assert.Equal(t, []llm.Repair{
		{Kind: llm.RepairProse, Where: "byte 0", Count: 1}, {Kind: llm.RepairSingle, Where: "byte 5", Count: 3},
		{Kind: llm.RepairName, Where: "thought", Count: 1},
	}, repairs)
	_, repairs, err = llm.DecodeReport[decision]("")
	require.ErrorIs(t, err, llm.ErrDecode)
	assert.Nil(t, repairs)
}

func TestRepairTexts(t *testing.T) {
	assert.Equal(t, "trailing comma at byte 12", llm.Repair{Kind: llm.RepairComma, Where: "byte 12", Count: 1}.String())
	assert.Equal(t, "name at current_subtask, 3 times", llm.Repair{Kind: llm.RepairName, Where: "current_subtask", Count: 3}.String())
	assert.Equal(t, "null", llm.Repair{Kind: llm.RepairNull, Count: 1}.String())
	raw, err := json.Marshal(llm.Repair{Kind: llm.RepairComma, Where: "byte 12", Count: 1})
	require.NoError(t, err)
	assert.Equal(t, `{"kind":"trailing comma","where":"byte 12","count":1}`, string(raw))
}

// A report quotes no value.
func TestReportQuotesNoValues(t *testing.T) {
	const secret = "hunter2"
	_, repairs, err := llm.DecodeReport[decision]("I typed hunter2:\n{'thought': 'hunter2', 'Args': \"{'pw': 'hunter2'}\", 'plan': 'hunter2', /* hunter2 */ 'Comment': 'hunter2',}")
	require.NoError(t, err)
	raw, err := json.Marshal(repairs)
	require.NoError(t, err)
	assert.Greater(t, len(repairs), 6)
	assert.NotContains(t, string(raw), secret)
}
