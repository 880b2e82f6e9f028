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

	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
)

// decision has the shapes that the decisions of agents have.
type decision struct {
	Observation    string          `json:"Observation,omitempty" desc:"what you see"`
	Thought        string          `json:"Thought,omitempty"`
	CurrentSubTask string          `json:"CurrentSubTask,omitempty"`
	ControlLabel   string          `json:"ControlLabel,omitempty" alias:"Control,Target Id"`
	Plan           []string        `json:"Plan,omitempty"`
	Questions      []string        `json:"Questions,omitempty"`
	Status         string          `json:"Status,omitempty"`
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
// decoded is what comes of a reply: the value and the repairs, or the reason to refuse it.
func decoded[T any](t *testing.T) func(reply string) string {
	t.Helper()
	return func(reply string) string {
		got, repairs, err := llm.Decode[T](reply)
		if err != nil {
			var broken *llm.DecodeError
			require.ErrorAs(t, err, &broken, reply)
			assert.Zero(t, got, "nothing half-filled comes out")
			require.EqualError(t, err, fmt.Sprintf("llm: the reply (%d bytes) cannot be read: %s", len(reply), broken.Reason))
			return "refused: " + broken.Reason
		}
		raw, err := json.Marshal(got)
		require.NoError(t, err)
		lines := []string{string(raw)}
		for _, r := range repairs {
			lines = append(lines, r.String())
		}
		return strings.Join(lines, "\n")
	}
}

// A reply is read, and each kind of repair is reported with its place and number. More
// replies are in testdata/replies of the module.
func TestDecode(t *testing.T) { golden.Cases(t, "decode.txt", decoded[decision](t)) }

func TestDecodeKindsThatDoNotFit(t *testing.T) {
	golden.Cases(t, "decode_kinds.txt", decoded[everyKind](t))
}

func TestDecodeTakesATextForABareStruct(t *testing.T) {
	golden.Cases(t, "decode_bare.txt", decoded[errands](t))
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
	require.ErrorContains(t, last(llm.Decode[decision]("x")), "llm: the reply (1 byte) cannot be read: ")
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

func TestDecodeIntoOtherThanAStruct(t *testing.T) {
	m, _, err := llm.Decode[map[string]any]("So:\n{\"A b\": 1}")
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
