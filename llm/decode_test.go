package llm_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
)

// decision has the shapes that the decisions of agents have.
type decision struct {
	Observation    string          `json:"Observation,omitempty" desc:"what you see"`
	Thought        string          `json:"Thought"`
	CurrentSubTask string          `json:"CurrentSubTask,omitempty"`
	ControlLabel   string          `json:"ControlLabel,omitempty" alias:"Control,Target Id"`
	Plan           []string        `json:"Plan,omitempty"`
	Questions      []string        `json:"Questions,omitempty"`
	Status         string          `json:"Status"`
	Function       string          `json:"Function,omitempty"`
	Args           map[string]any  `json:"Args,omitempty"`
	Actions        []action        `json:"Actions,omitempty"`
	SaveScreenshot bool            `json:"SaveScreenshot,omitempty"`
	Result         json.RawMessage `json:"Result,omitempty"`
}

type action struct {
	Function string          `json:"Function"`
	Args     json.RawMessage `json:"Args,omitempty" type:"object"`
	Status   string          `json:"Status,omitempty"`
}

// A reply is read, and each kind of repair is reported with its place and number. More
// replies are in testdata/replies.
func TestDecode(t *testing.T) {
	const x = `{"Status":"x"}`
	for name, tc := range map[string]struct{ reply, want, repairs string }{
		"clean":              {`{"Thought":"t","Plan":["a"],"Args":{"x":null},"Status":"x"}`, `{"Thought":"t","Plan":["a"],"Args":{"x":null},"Status":"x"}`, ""},
		"clean with nulls":   {`{"Plan":null,"Args":null,"Result":null,"Status":"x"}`, x, ""},
		"clean with spaces":  {"\n{ \"Status\" :\t\"x\"\r\n}\n", x, ""},
		"nothing said":       {`{}`, `{}`, ""},
		"fence":              {"```json\n{\"Status\":\"x\"}\n```", x, "fence at byte 0, 2 times"},
		"tags":               {"<answer>{\"Status\":\"x\"}</answer>", x, "tags at byte 0, 2 times"},
		"prose":              {"{\"Status\":\"x\"}\nso", x, "prose at byte 15"},
		"thoughts":           {" <think>x</think>{\"Status\":\"x\"}", x, "thoughts at byte 1"},
		"byte order mark":    {"\ufeff{\"Status\":\"x\"}", x, "byte order mark at byte 0"},
		"quoted reply":       {` "{\"Status\":\"x\"}"`, x, "quoted reply at byte 1"},
		"in a quoted reply":  {`"{'Status':'x'}"`, x, "quoted reply at byte 0; single quotes at byte 0, 2 times"},
		"repeated object":    {`{"Status":"x"}{"Status":"x"}{"Status":"x"}`, x, "repeated object at byte 14, 2 times"},
		"odd space":          {"{\u00a0\"Status\":\"x\"}", x, "odd space at byte 1"},
		"comment":            {`{"Status":"x"/**/ /* */}`, x, "comment at byte 13, 2 times"},
		"trailing comma":     {`{"Plan":["a",],"Status":"x",}`, `{"Plan":["a"],"Status":"x"}`, "trailing comma at byte 12, 2 times"},
		"single quotes":      {`{"Status":'x'}`, x, "single quotes at byte 10"},
		"typographic quotes": {`{“Status”:‘x’}`, x, "typographic quotes at byte 1, 2 times"},
		"full-width sign":    {`{"Status"："x"}`, x, "full-width sign at byte 9"},
		"bare name":          {`{Status:"x"}`, x, "bare name at byte 1"},
		"raw control":        {"{\"Status\":\"x\n\"}", `{"Status":"x\n"}`, "raw control at byte 12"},
		"escape":             {`{"Status":"\'"}`, `{"Status":"'"}`, "escape at byte 11"},
		"literal":            {`{"SaveScreenshot":True}`, `{"SaveScreenshot":true}`, "literal at byte 18"},
		"same name":          {`{"Status":"x","Status":"x"}`, x, "same name at byte 14"},
		"same name, folded":  {`{"Status":"x","status":"x"}`, x, "same name at status; name at status"},
		"3 and \"3\"":        {`{"ControlLabel":3,"control_label":"3"}`, `{"ControlLabel":"3"}`, "same name at control_label; name at control_label; text at ControlLabel"},
		"words":              {`{"Current Sub-Task":"x","STATUS":"x"}`, `{"CurrentSubTask":"x","Status":"x"}`, "name at Current Sub-Task, 2 times"},
		"snake_case":         {`{"current_sub_task":"x","save_screenshot":true}`, `{"CurrentSubTask":"x","SaveScreenshot":true}`, "name at current_sub_task, 2 times"},
		"alias":              {`{"Actions":[{"Function":"f"}],"target_id":"7"}`, `{"Actions":[{"Function":"f"}],"ControlLabel":"7"}`, "alias at target_id"},
		"unknown name":       {`{"Status":"x","Actions":[{"Function":"f","why":1}]}`, `{"Status":"x","Actions":[{"Function":"f"}]}`, "unknown name at Actions[0].why"},
		"text":               {`{"Status":"x","Plan":["a",1,2.50]}`, `{"Status":"x","Plan":["a","1","2.50"]}`, "text at Plan[1], 2 times"},
		"boolean":            {`{"SaveScreenshot":" TRUE "}`, `{"SaveScreenshot":true}`, "boolean at SaveScreenshot"},
		"text as false":      {`{"SaveScreenshot":"false","Status":"x"}`, x, "boolean at SaveScreenshot"},
		"list":               {`{"Plan":"a"}`, `{"Plan":["a"]}`, "list at Plan"},
		"list of one object": {`{"Actions":{"Function":"f","Args":{}}}`, `{"Actions":[{"Function":"f","Args":{}}]}`, "list at Actions"},
		"list in text":       {`{"Plan":"[\"a\", \"b\"]"}`, `{"Plan":["a","b"]}`, "list in text at Plan"},
		"mark is no list":    {`{"Plan":"[1]","Questions":"[1] which?"}`, `{"Plan":["[1]"],"Questions":["[1] which?"]}`, "list at Plan, 2 times"},
		"object in text":     {`{"Actions":[{"Function":"f","Args":"{\"s\":1}"}]}`, `{"Actions":[{"Function":"f","Args":{"s":1}}]}`, "object in text at Actions[0].Args"},
		"in a text, loosely": {`{"Args":"{'a':1,}"}`, `{"Args":{"a":1}}`, "trailing comma at Args; single quotes at Args; object in text at Args"},
		"empty text":         {`{"Plan":" ","Args":""}`, `{}`, "empty text at Plan, 2 times"},
		"text as null":       {`{"Status":null,"SaveScreenshot":null}`, `{}`, "null at Status, 2 times"},
		"no result":          {`{"Result":null,"Status":"x"}`, x, ""},
		"names in arguments": {`{"Args":{"Key_Name":1,"deep":[{"x":null}]}}`, `{"Args":{"Key_Name":1,"deep":[{"x":null}]}}`, ""},
		"any result":         {`{"Result":[1.50,{'B':1,"a":2}]}`, `{"Result":[1.50,{"B":1,"a":2}]}`, "single quotes at byte 17"},
		"result is a string": {`{"Result":"{\"a\":1}"}`, `{"Result":"{\"a\":1}"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, repairs, err := llm.Decode[decision](tc.reply)
			require.NoError(t, err)
			var want decision
			require.NoError(t, json.Unmarshal([]byte(tc.want), &want))
			assert.Equal(t, want, got)
			said := make([]string, len(repairs))
			for i, r := range repairs {
				said[i] = r.String()
			}
			assert.Equal(t, tc.repairs, strings.Join(said, "; "))
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ reply, reason string }{
		"nothing":                {"", "the text is empty"},
		"no JSON":                {"I have finished.", "there is no JSON object in it"},
		"two objects":            {`{"Status":"FINISH"} or {"Status":"FAIL"}`, "a second object, different from the first (at byte 23)"},
		"cut off":                {`{"Args":{"Status":"FINISH"},"Thought":"and then`, "a string is not closed (at byte 38)"},
		"one name twice":         {`{"Status":"FINISH","Status":"FAIL"}`, `"Status" is there twice, with different values`},
		"one name, two values":   {`{"Current Sub-Task":"x","current_subtask":"y","Status":"FINISH"}`, `"Current Sub-Task" and "current_subtask" are one name, and their values differ`},
		"alias, two values":      {`{"Target-ID":1,"Control":2}`, `"Target-ID" and "Control" are one name, and their values differ`},
		"second has other type":  {`{"Thought":"x","thought":["x"]}`, "thought: an array where a string should be"},
		"nothing known":          {`{"response":{"Status":"FINISH"}}`, "an object with none of the names Observation, Thought,"},
		"object in a list":       {`{"plan":["a",{"b":1}]}`, "plan[1]: an object where a string should be"},
		"object for a list":      {`{"Plan":{"1":"a"}}`, "Plan: an object where a string should be"},
		"arguments as array":     {`{"Args":[1]}`, "Args: an array where an object should be"},
		"arguments as text":      {`{"Args":"press OK"}`, "Args: a string where an object should be"},
		"arguments as list text": {`{"Args":"[1]"}`, "Args: a string where an object should be"},
		"action's arguments":     {`{"Actions":[{"Function":"x"},{"Function":"y","args":3}]}`, "Actions[1].args: a number where an object should be"},
		"action as text":         {`{"Actions":"click"}`, "Actions: a string where a list should be"},
		"one action, wrong":      {`{"Actions":{"function":"wait","args":[]}}`, "Actions.args: an array where an object should be"},
		"true is no text":        {`{"Plan":["a",True]}`, "Plan[1]: a boolean where a string should be"},
		"yes is no boolean":      {`{"SaveScreenshot":"yes"}`, "SaveScreenshot: a string where true or false should be"},
		"1 is no boolean":        {`{"SaveScreenshot":1}`, "SaveScreenshot: a number where true or false should be"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := llm.Decode[decision](tc.reply)
			var broken *llm.DecodeError
			require.ErrorAs(t, err, &broken)
			assert.Contains(t, broken.Reason, tc.reason)
			assert.Equal(t, tc.reply, broken.Reply)
			require.EqualError(t, err, fmt.Sprintf("llm: the reply (%d bytes) cannot be read: %s", len(tc.reply), broken.Reason))
			assert.Zero(t, got, "nothing half-filled comes out")
		})
	}
	_, _, err := llm.Decode[decision]("x")
	require.ErrorContains(t, err, "llm: the reply (1 byte) cannot be read: ")
}

// With an error the report has what was repaired until then.
func TestDecodeReportsTheRepairsOfARefusedReply(t *testing.T) {
	_, repairs, err := llm.Decode[decision](`So: {'thought': 't', 'Args': 5}`)
	require.ErrorAs(t, err, new(*llm.DecodeError))
	assert.Equal(t, []llm.Repair{
		{Kind: repair.Prose, Where: "byte 0", Count: 1}, {Kind: repair.Single, Where: "byte 5", Count: 3},
		{Kind: repair.Name, Where: "thought", Count: 1},
	}, repairs)
	raw, err := json.Marshal(repairs[0])
	require.NoError(t, err)
	assert.JSONEq(t, `{"kind":"prose","where":"byte 0","count":1}`, string(raw))
}

func TestDecodeErrorsAndRepairsQuoteNoValues(t *testing.T) {
	for _, reply := range []string{
		`I typed hunter2`, `{"Status":"hunter2","status":"hunter2x"}`, `{"Args":"hunter2"}`, `{"Actions":"hunter2"}`, `{"Args":{"n":"hunter2","n":1}}`,
		`{"SaveScreenshot":"hunter2"}`, `{"Thought":"hunter2`, `{"Thought":hunter2}`, `{"Thought":"hunter2"} {"Thought":"x"}`,
	} {
		_, _, err := llm.Decode[decision](reply)
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "hunter2", reply)
	}
	_, repairs, err := llm.Decode[decision]("I typed hunter2:\n" +
		"{'thought': 'hunter2', 'Args': \"{'pw': 'hunter2'}\", 'plan': 'hunter2', /* hunter2 */ 'Comment': 'hunter2',}")
	require.NoError(t, err)
	assert.Greater(t, len(repairs), 6)
	assert.NotContains(t, fmt.Sprint(repairs), "hunter2")
}

func TestDecodeErrorStaysShort(t *testing.T) {
	long := strings.Repeat("S", 1<<16)
	for _, err := range []error{
		last(llm.Decode[decision](`{"Args":{"` + long + `":1,"` + long + `":2}}`)),
		last(llm.Decode[decision](`{"Status":1,"Status` + strings.Repeat("-", 1<<16) + `":2}`)),
		last(llm.Decode[map[string]int](`{"` + long + `":"x"}`)),
	} {
		require.Error(t, err)
		assert.Less(t, len(err.Error()), 300)
	}
}

func last[T any](_ T, _ []llm.Repair, err error) error { return err }

type everyKind struct {
	I8    int8
	I     int
	U     uint
	U8    uint8
	F     float64
	F32   float32
	N     json.Number
	When  time.Time
	Every level
	Ptr   *int
	Bytes []byte
	Pair  [2]int
	Map   map[name]int
	Any   any
	Obj   any `type:"object"`
	Lists [][]string
	Inner *everyKind
	inner
	*Outer
}

type (
	name  string
	inner struct{ Hidden string }
	Outer struct{ Far string }
	level int
)

func (l *level) UnmarshalText(text []byte) error {
	if string(text) != "low" {
		return assert.AnError
	}
	*l = 1
	return nil
}

func TestDecodeFillsEveryKindOfField(t *testing.T) {
	got, repairs, err := llm.Decode[everyKind](`{"I8":"-128","I":3.0,"U":3e2,"U8":255,"F":"2.5","F32":1,"N":"1.50","When":"2026-01-02T03:04:05Z","Every":"low",
		"Ptr":7,"Bytes":"aGk=","Pair":[1,2],"Map":{"Key A":1},"Any":[true,null,0.1,12345678901234567890],"Obj":{"x":-0},"Lists":[["a"],"b"],"Inner":{"I":1},
		"Hidden":"h","Far":"f"}`)
	require.NoError(t, err)
	seven := 7
	assert.Equal(t, everyKind{
		I8: -128, I: 3, U: 300, U8: 255, F: 2.5, F32: 1, N: "1.50", When: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Every: 1, Ptr: &seven,
		Bytes: []byte("hi"), Pair: [2]int{1, 2}, Map: map[name]int{"Key A": 1}, Any: []any{true, nil, 0.1, json.Number("12345678901234567890")},
		Obj: map[string]any{"x": math.Copysign(0, -1)}, Lists: [][]string{{"a"}, {"b"}}, Inner: &everyKind{I: 1}, inner: inner{"h"}, Outer: &Outer{"f"},
	}, got)
	assert.Equal(t, "[number at I8, 3 times list at Lists[1]]", fmt.Sprint(repairs))
}

func TestDecodeKindsThatDoNotFit(t *testing.T) {
	for reply, reason := range map[string]string{
		`{"i8":128}`:                      "i8: a number that does not fit int8",
		`{"i":1e40}`:                      "i: a number that does not fit int",
		`{"i":1e400}`:                     "i: a number that does not fit int",
		`{"u":-1}`:                        "u: a number that does not fit uint",
		`{"f":1e999}`:                     "f: a number that does not fit float64",
		`{"f32":1e300}`:                   "f32: a number that does not fit float32",
		`{"f":"many"}`:                    "f: a string where a number should be",
		`{"f":"true"}`:                    "f: a boolean where a number should be",
		`{"when":"tomorrow"}`:             "when: a string that a time.Time does not take",
		`{"every":"high"}`:                "every: a string that a llm_test.level does not take",
		`{"every":[1]}`:                   "every: an array",
		`{"bytes":1}`:                     "bytes: a number",
		`{"pair":["x"]}`:                  "pair: an array where a int should be",
		`{"map":{"a":"x"}}`:               "map.a: a string where a number should be",
		`{"obj":[]}`:                      "obj: an array where an object should be",
		`{"lists":"a"}`:                   "lists: a string where a list should be",
		`{"inner":{"nested":1}}`:          "inner: an object with none of the names I8,",
		`{"ptr":{"x":1}}`:                 "ptr: an object where a number should be",
		`{"inner":{"inner":{"i":"1.5"}}}`: "inner.inner.i: a number that does not fit int",
	} {
		_, _, err := llm.Decode[everyKind](reply)
		var broken *llm.DecodeError
		if assert.ErrorAs(t, err, &broken, reply) {
			assert.Contains(t, broken.Reason, reason, reply)
		}
	}
}

func TestDecodeIntoOtherThanAStruct(t *testing.T) {
	m, _, err := llm.Decode[map[string]any]("x\n{\"A b\": 1}")
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"A b": 1.0}, m)

	raw, _, err := llm.Decode[json.RawMessage]("```{a: 1,}```")
	require.NoError(t, err)
	assert.Equal(t, `{"a":1}`, string(raw))

	ptr, _, err := llm.Decode[*decision](`{"status":"FINISH"}`)
	require.NoError(t, err)
	assert.Equal(t, "FINISH", ptr.Status)

	require.ErrorAs(t, last(llm.Decode[string](`{"status":"FINISH"}`)), new(*llm.DecodeError))
}

func TestDecodeFillsTheFieldsThatEncodingJSONFills(t *testing.T) {
	type Base struct{ Status, Extra string }
	type own struct {
		Base
		Status string
		Not    string `json:"-"`
		hidden string
	}
	got, _, err := llm.Decode[own](`{"status":"own","extra":"base","not":"y","hidden":"z"}`)
	require.NoError(t, err)
	assert.Equal(t, own{Base: Base{Extra: "base"}, Status: "own"}, got)
	assert.Empty(t, got.hidden)

	looped, _, err := llm.Decode[Loop](`{"x":1}`)
	require.NoError(t, err)
	assert.Equal(t, Loop{X: 1}, looped)
}

type Loop struct {
	*Loop
	X int
}

// errand may be written as a text. It writes itself so, too.
type errand struct {
	ID    string   `json:"id"`
	What  string   `json:"what" desc:"what to do" bare:"true"`
	After []string `json:"after,omitempty"`
}

func (e errand) MarshalJSON() ([]byte, error) {
	if e.ID == "" && len(e.After) == 0 {
		return json.Marshal(e.What)
	}
	type plain errand
	return json.Marshal(plain(e))
}

func (e *errand) UnmarshalJSON([]byte) error { panic("Decode repairs; this would not") }

type errands struct {
	List []errand `json:"List,omitempty"`
	One  *errand  `json:"One,omitempty"`
}

func TestDecodeTakesATextForABareStruct(t *testing.T) {
	for reply, want := range map[string]errands{
		`{"List":["a",{"ID":1,"What":"b","After":"0"}]}`: {List: []errand{{What: "a"}, {ID: "1", What: "b", After: []string{"0"}}}},
		`{"List":"a"}`:                                     {List: []errand{{What: "a"}}},
		`{"List":{"id":"1","what":"a"}}`:                   {List: []errand{{ID: "1", What: "a"}}},
		`{"List":[7,1.50,null,""]}`:                        {List: []errand{{What: "7"}, {What: "1.50"}, {}, {}}},
		`{"List":[]}`:                                      {List: []errand{}},
		`{"List":null}`:                                    {},
		`{"List":"[{\"id\":\"1\"}, \"b\"]"}`:               {List: []errand{{ID: "1"}, {What: "b"}}},
		`{"List":["{\"id\":\"1\",\"what\":\"a\"}"]}`:       {List: []errand{{ID: "1", What: "a"}}},
		`{"List":["{name} is to be filled in","{id: 1}"]}`: {List: []errand{{What: "{name} is to be filled in"}, {What: "{id: 1}"}}},
		`{"One":"a"}`:                                      {One: &errand{What: "a"}},
	} {
		got, _, err := llm.Decode[errands](reply)
		require.NoError(t, err, reply)
		assert.Equal(t, want, got, reply)
	}
	for reply, reason := range map[string]string{
		`{"List":[["a"]]}`:                   "List[0]: an array where a string or an object should be",
		`{"List":false}`:                     "List: a boolean where a list should be",
		`{"One":false}`:                      "One: a boolean where a string or an object should be",
		`{"List":[{"colour":"red"}]}`:        "List[0]: an object with none of the names id, what, after",
		`{"List":[{"what":{"x":1}}]}`:        "List[0].what: an object where a string should be",
		`{"List":[{"what":"a","What":"b"}]}`: "List[0]: \"what\" and \"What\" are one name",
	} {
		err := last(llm.Decode[errands](reply))
		require.ErrorAs(t, err, new(*llm.DecodeError), reply)
		assert.ErrorContains(t, err, reason)
	}
}
