package llm_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

func TestScenario25_WhatDecodeUnderstands(t *testing.T) {
	finish := decision{Status: "FINISH"}
	for name, tc := range map[string]struct {
		reply string
		want  decision
	}{
		"plain":                 {`{"Status":"FINISH"}`, finish},
		"fence":                 {"```json\n{\"Status\":\"FINISH\"}\n```", finish},
		"fence without a name":  {"```\n{\"Status\":\"FINISH\"}\n```", finish},
		"fence in one line":     {"`{\"Status\":\"FINISH\"}`", finish},
		"tildes":                {"~~~ JSON\n{\"Status\":\"FINISH\"}\n~~~~", finish},
		"prose around":          {"My answer for [1]:\n\n{\"Status\":\"FINISH\"}\n\nAnything {else}?", finish},
		"byte order mark":       {"\ufeff{\"Status\":\"FINISH\"}", finish},
		"trailing comma":        {`{"Plan":["a","b",],"Status":"FINISH",}`, decision{Plan: []string{"a", "b"}, Status: "FINISH"}},
		"comments":              {"{ // done\n \"Status\": \"FINISH\" /* really */ }", finish},
		"single quotes":         {`{'Status': 'FINISH', 'SaveScreenshot': True}`, decision{Status: "FINISH", SaveScreenshot: true}},
		"said twice":            {"{\"Status\":\"FINISH\"}\nThat is:\n```json\n{ \"Status\": \"FINISH\" }\n```", finish},
		"whole reply quoted":    {`"{\"Status\":\"FINISH\"}"`, finish},
		"thoughts in front":     {"<think>{\"Status\":\"FAIL\"}?</think>{\"Status\":\"FINISH\"}", finish},
		"snake_case":            {`{"current_subtask":"x","save_screenshot":true,"status":"FINISH"}`, decision{CurrentSubTask: "x", SaveScreenshot: true, Status: "FINISH"}},
		"words":                 {`{"Current Sub-Task":"x","STATUS":"FINISH"}`, decision{CurrentSubTask: "x", Status: "FINISH"}},
		"PascalCase":            {`{"CurrentSubtask":"x","Status":"FINISH"}`, decision{CurrentSubTask: "x", Status: "FINISH"}},
		"alias":                 {`{"target_id":"7","Status":"FINISH"}`, decision{ControlLabel: "7", Status: "FINISH"}},
		"one name, one value":   {`{"Current Sub-Task":"x","current_subtask":"x","Status":"FINISH"}`, decision{CurrentSubTask: "x", Status: "FINISH"}},
		"one name, 3 and \"3\"": {`{"ControlLabel":3,"control_label":"3","Status":"FINISH"}`, decision{ControlLabel: "3", Status: "FINISH"}},
		"lists as one string":   {`{"Plan":"open it","questions":"which?","Status":"FINISH"}`, decision{Plan: []string{"open it"}, Questions: []string{"which?"}, Status: "FINISH"}},
		"list as empty string":  {`{"Questions":" ","Status":"FINISH"}`, finish},
		"list as null":          {`{"Questions":null,"Plan":[],"Status":"FINISH"}`, decision{Plan: []string{}, Status: "FINISH"}},
		"text as null":          {`{"CurrentSubTask":null,"Status":"FINISH"}`, finish},
		"list inside a string":  {`{"Plan":"[\"a\", \"b\"]","Status":"FINISH"}`, decision{Plan: []string{"a", "b"}, Status: "FINISH"}},
		"mark is no list":       {`{"Plan":"[1]","Questions":"[1] which?","Status":"FINISH"}`, decision{Plan: []string{"[1]"}, Questions: []string{"[1] which?"}, Status: "FINISH"}},
		"list of numbers":       {`{"Plan":[1,"b"],"Status":"FINISH"}`, decision{Plan: []string{"1", "b"}, Status: "FINISH"}},
		"number as label":       {`{"ControlLabel":12,"Status":"FINISH"}`, decision{ControlLabel: "12", Status: "FINISH"}},
		"text as boolean":       {`{"SaveScreenshot":" True ","Status":"FINISH"}`, decision{SaveScreenshot: true, Status: "FINISH"}},
		"text as false":         {`{"SaveScreenshot":"false","Status":"FINISH"}`, finish},
		"arguments":             {`{"Args":{"Key_Name":1,"deep":[{"x":null}]},"Status":"FINISH"}`, decision{Args: map[string]any{"Key_Name": 1.0, "deep": []any{map[string]any{"x": nil}}}, Status: "FINISH"}},
		"arguments in a string": {`{"Args":"{\"text\": \"hi\"}","Status":"FINISH"}`, decision{Args: map[string]any{"text": "hi"}, Status: "FINISH"}},
		"arguments, loosely":    {`{"Args":"{'n': 1,}","Status":"FINISH"}`, decision{Args: map[string]any{"n": 1.0}, Status: "FINISH"}},
		"arguments empty":       {`{"Args":"","Status":"FINISH"}`, finish},
		"long id":               {`{"Args":{"id":12345678901234567890},"Status":"FINISH"}`, decision{Args: map[string]any{"id": json.Number("12345678901234567890")}, Status: "FINISH"}},
		"one action, no list":   {`{"Actions":{"function":"wait","args":"{\"s\":1}"}}`, decision{Actions: []action{{Function: "wait", Args: json.RawMessage(`{"s":1}`)}}}},
		"status in the action":  {`{"actions":[{"Function":"wait","status":" finish "}]}`, decision{Actions: []action{{Function: "wait", Status: " finish "}}}},
		"arguments left out":    {`{"Actions":[{"Function":"wait","Args":""},{"Function":"x","Args":null}]}`, decision{Actions: []action{{Function: "wait"}, {Function: "x"}}}},
		"status as written":     {`{"Status":" finish\n"}`, decision{Status: " finish\n"}},
		"line break in text":    {"{\"Thought\":\"one\ntwo\",\"Status\":\"FINISH\"}", decision{Thought: "one\ntwo", Status: "FINISH"}},
		"any result":            {`{"Result":[1.50,{'B':1,"a":2}],"Status":"FINISH"}`, decision{Result: json.RawMessage(`[1.50,{"B":1,"a":2}]`), Status: "FINISH"}},
		"result stays a string": {`{"Result":"{\"a\":1}","Status":"FINISH"}`, decision{Result: json.RawMessage(`"{\"a\":1}"`), Status: "FINISH"}},
		"no result":             {`{"Result":null,"Status":"FINISH"}`, finish},
		"names nobody knows":    {`{"Confidence":0.9,"---":1,"Status":"FINISH"}`, finish},
		"nothing said":          {`{}`, decision{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := llm.Decode[decision](tc.reply)
			require.NoError(t, err)
			assert.Equal(t, tc.want, got)
		})
	}
}

func TestScenario26_WhatDecodeRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ reply, reason string }{
		"nothing":                {"", "the text is empty"},
		"no JSON":                {"I have finished.", "there is no JSON object in it"},
		"two objects":            {`{"Status":"FINISH"} or {"Status":"FAIL"}`, "a second object, different from the first (at byte 23)"},
		"array":                  {`[{"Status":"FINISH"},{}]`, "an array where one object should be (at byte 0)"},
		"array of words":         {`["FINISH"]`, "an array where one object should be"},
		"scalar":                 {`"FINISH"`, "a string where one object should be"},
		"number":                 {`42`, "a number where one object should be"},
		"cut off":                {`{"Args":{"Status":"FINISH"},"Thought":"and then`, "a string is not closed (at byte 38)"},
		"quote too many":         {`{"Thought":"press "OK"","Status":"FINISH"}`, "is a quote in a string not escaped?"},
		"Windows path":           {`{"Thought":"C:\Users","Status":"FINISH"}`, `a backslash itself is \\`},
		"one name twice":         {`{"Status":"FINISH","Status":"FAIL"}`, `"Status" is there twice, with different values`},
		"one name, two values":   {`{"Current Sub-Task":"x","current_subtask":"y","Status":"FINISH"}`, `"Current Sub-Task" and "current_subtask" are one name, and their values differ`},
		"alias, two values":      {`{"Target-ID":1,"Control":2}`, `"Target-ID" and "Control" are one name, and their values differ`},
		"second has other type":  {`{"Thought":"x","thought":["x"]}`, "thought: an array where a string should be"},
		"twice in an argument":   {`{"Args":{"n":1,"n":2},"Status":"FINISH"}`, `"n" is there twice, with different values`},
		"nothing known":          {`{"response":{"Status":"FINISH"}}`, "an object with none of the names Observation, Thought,"},
		"list as text":           {`{"Thought":["a","b"]}`, "Thought: an array where a string should be"},
		"object as text":         {`{"Status":{"value":"FINISH"}}`, "Status: an object where a string should be"},
		"object in a list":       {`{"plan":["a",{"b":1}]}`, "plan[1]: an object where a string should be"},
		"object for a list":      {`{"Plan":{"1":"a"}}`, "Plan: an object where a string should be"},
		"arguments as array":     {`{"Args":[1]}`, "Args: an array where an object should be"},
		"arguments as text":      {`{"Args":"press OK"}`, "Args: a string where an object should be"},
		"arguments as number":    {`{"Args":1}`, "Args: a number where an object should be"},
		"arguments as list text": {`{"Args":"[1]"}`, "Args: a string where an object should be"},
		"action's arguments":     {`{"Actions":[{"Function":"x"},{"Function":"y","args":3}]}`, "Actions[1].args: a number where an object should be"},
		"action as text":         {`{"Actions":"click"}`, "Actions: a string where a list should be"},
		"one action, wrong":      {`{"Actions":{"function":"wait","args":[]}}`, "Actions.args: an array where an object should be"},
		"false is no text":       {`{"Thought":false}`, "Thought: a boolean where a string should be"},
		"true is no text":        {`{"Plan":["a",True]}`, "Plan[1]: a boolean where a string should be"},
		"yes is no boolean":      {`{"SaveScreenshot":"yes"}`, "SaveScreenshot: a string where true or false should be"},
		"1 is no boolean":        {`{"SaveScreenshot":1}`, "SaveScreenshot: a number where true or false should be"},
		"half a character":       {`{"Thought":"\ud83d"}`, "half of a surrogate pair"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := llm.Decode[decision](tc.reply)
			var broken *llm.DecodeError
			require.ErrorAs(t, err, &broken)
			require.ErrorAs(t, err, new(*llm.DecodeError))
			assert.Contains(t, broken.Reason, tc.reason)
			assert.Equal(t, tc.reply, broken.Reply)
			assert.Contains(t, err.Error(), broken.Reason)
			assert.True(t, strings.HasPrefix(err.Error(), "llm: "), err.Error())
			assert.Zero(t, got, "nothing half-filled comes out")
		})
	}
}

func TestDecodeErrorQuotesNoValues(t *testing.T) {
	const secret = "hunter2"
	for _, reply := range []string{
		`I typed hunter2`, `{"Status":"hunter2","status":"hunter2x"}`, `{"Args":"hunter2"}`, `{"Actions":"hunter2"}`, `{"Args":{"n":"hunter2","n":1}}`,
		`{"SaveScreenshot":"hunter2"}`, `{"Thought":"hunter2`, `{"Thought":hunter2}`, `{"Thought":"hunter2"} {"Thought":"x"}`,
	} {
		_, _, err := llm.Decode[decision](reply)
		require.Error(t, err)
		assert.NotContains(t, err.Error(), secret, reply)
	}
}

func TestDecodeErrorStaysShort(t *testing.T) {
	long := strings.Repeat("S", 1<<16)
	for _, reply := range []string{
		`{"Args":{"` + long + `":1,"` + long + `":2}}`,
		`{"Status":1,"Status` + strings.Repeat("-", 1<<16) + `":2}`,
	} {
		_, _, err := llm.Decode[decision](reply)
		require.Error(t, err)
		assert.Less(t, len(err.Error()), 300)
	}
	_, _, err := llm.Decode[map[string]int](`{"` + long + `":"x"}`)
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 300)
}

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
	switch string(text) {
	case "low":
		*l = 1
		return nil
	default:
		return assert.AnError
	}
}

func TestDecodeKinds(t *testing.T) {
	got, _, err := llm.Decode[everyKind](`{"i8":"-128","i":3.0,"u":3e2,"u8":255,"f":"2.5","f32":1,"n":"1.50","when":"2026-01-02T03:04:05Z","every":"low","ptr":7,
		"bytes":"aGk=","pair":[1,2],"map":{"Key A":1},"any":[true,null],"obj":"{\"x\":1}","lists":[["a"],"b"],"inner":{"i":1},"hidden":"h","far":"f"}`)
	require.NoError(t, err)
	seven := 7
	assert.Equal(t, everyKind{
		I8: -128, I: 3, U: 300, U8: 255, F: 2.5, F32: 1, N: "1.50", When: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Every: 1, Ptr: &seven,
		Bytes: []byte("hi"), Pair: [2]int{1, 2}, Map: map[name]int{"Key A": 1}, Any: []any{true, nil}, Obj: map[string]any{"x": 1.0},
		Lists: [][]string{{"a"}, {"b"}}, Inner: &everyKind{I: 1}, inner: inner{"h"}, Outer: &Outer{"f"},
	}, got)
}

func TestDecodeKindsThatDoNotFit(t *testing.T) {
	for reply, reason := range map[string]string{
		`{"i8":128}`:                      "i8: a number that does not fit int8",
		`{"i":1.5}`:                       "i: a number that does not fit int",
		`{"i":1e40}`:                      "i: a number that does not fit int",
		`{"i":1e400}`:                     "i: a number that does not fit int",
		`{"u":-1}`:                        "u: a number that does not fit uint",
		`{"f":1e999}`:                     "f: a number that does not fit float64",
		`{"f32":1e300}`:                   "f32: a number that does not fit float32",
		`{"f":"many"}`:                    "f: a string where a number should be",
		`{"f":"true"}`:                    "f: a boolean where a number should be",
		`{"n":[1]}`:                       "n: an array where a number should be",
		`{"when":"tomorrow"}`:             "when: a string that a time.Time does not take",
		`{"every":"high"}`:                "every: a string that a llm_test.level does not take",
		`{"every":[1]}`:                   "every: an array",
		`{"bytes":1}`:                     "bytes: a number",
		`{"pair":["x"]}`:                  "pair: an array where a int should be",
		`{"map":{"a":"x"}}`:               "map.a: a string where a number should be",
		`{"obj":[]}`:                      "obj: an array where an object should be",
		`{"lists":"a"}`:                   "lists: a string where a list should be",
		`{"inner":"x"}`:                   "inner: a string where an object should be",
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

	_, _, err = llm.Decode[string](`{"status":"FINISH"}`)
	require.ErrorAs(t, err, new(*llm.DecodeError))
}

type (
	withChan  struct{ C chan int }
	withIface struct{ I error }
	withMap   struct{ M map[int]string }
	twoNames  struct {
		A string `json:"a_b"`
		B string `json:"AB"`
	}
	twoAliases struct {
		A string `alias:"x"`
		B string `alias:"X"`
	}
	noName struct {
		A string `json:"--"`
	}
	embedsHidden struct{ *inner }
	Loop         struct {
		*Loop
		X int
	}
	listsSelf struct{ L selfList }
	selfList  []selfList
)

func TestDecodeSaysThatTheProgramIsWrong(t *testing.T) {
	for name, err := range map[string]error{
		"chan":            last(llm.Decode[withChan](`{"C":1}`)),
		"interface":       last(llm.Decode[withIface](`{"I":1}`)),
		"map keys":        last(llm.Decode[withMap](`{"M":{"1":"x"}}`)),
		"two names":       last(llm.Decode[twoNames](`{"a_b":1}`)),
		"two aliases":     last(llm.Decode[twoAliases](`{"x":1}`)),
		"no name":         last(llm.Decode[noName](`{"x":1}`)),
		"hidden embedded": last(llm.Decode[embedsHidden](`{"x":1}`)),
		"in a list":       last(llm.Decode[struct{ L []chan int }](`{"L":1}`)),
	} {
		assert.NotErrorAs(t, err, new(*llm.DecodeError), name)
		assert.ErrorContains(t, err, "llm: schema of ", name)
	}
	looped, _, err := llm.Decode[Loop](`{"x":1}`) // has a field less deep: its own
	require.NoError(t, err)
	assert.Equal(t, 1, looped.X)
	_, _, err = llm.Decode[listsSelf](`{"L":1}`) // and no endless recursion
	require.ErrorAs(t, err, new(*llm.DecodeError))
}

func last[T any](_ T, _ []llm.Repair, err error) error { return err }

func TestEmbeddedFieldIsHidden(t *testing.T) {
	type Base struct{ Status, Extra string }
	type own struct {
		Base
		Status string
	}
	got, _, err := llm.Decode[own](`{"status":"own","extra":"base"}`)
	require.NoError(t, err)
	assert.Equal(t, own{Base: Base{Extra: "base"}, Status: "own"}, got)
}

func TestFieldsThatAreLeftAlone(t *testing.T) {
	type own struct {
		Seen   string
		Not    string `json:"-"`
		hidden string
	}
	got, _, err := llm.Decode[own](`{"seen":"x","not":"y","hidden":"z"}`)
	require.NoError(t, err)
	assert.Equal(t, own{Seen: "x"}, got)
	assert.Empty(t, got.hidden)
}

func TestDecodeKeepsFloats(t *testing.T) {
	got, _, err := llm.Decode[map[string]any](`{"a":0.1,"b":-0,"c":1.7976931348623157e308}`)
	require.NoError(t, err)
	assert.Equal(t, 0.1, got["a"])
	assert.Equal(t, math.Copysign(0, -1), got["b"])
	assert.Equal(t, json.Number("1.7976931348623157e308"), got["c"])
}
