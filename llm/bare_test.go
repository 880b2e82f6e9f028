package llm_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

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

func TestBareDecode(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want errands
	}{
		"texts":             {`{"List":["a","b"]}`, errands{List: []errand{{What: "a"}, {What: "b"}}}},
		"objects":           {`{"List":[{"ID":1,"What":"a","After":"0"}]}`, errands{List: []errand{{ID: "1", What: "a", After: []string{"0"}}}}},
		"both":              {`{"List":["a",{"id":"1"}]}`, errands{List: []errand{{What: "a"}, {ID: "1"}}}},
		"one text":          {`{"List":"a"}`, errands{List: []errand{{What: "a"}}}},
		"one object":        {`{"List":{"id":"1","what":"a"}}`, errands{List: []errand{{ID: "1", What: "a"}}}},
		"number":            {`{"List":[7,1.50]}`, errands{List: []errand{{What: "7"}, {What: "1.50"}}}},
		"null inside":       {`{"List":[null]}`, errands{List: []errand{{}}}},
		"empty text":        {`{"List":[""]}`, errands{List: []errand{{}}}},
		"empty list":        {`{"List":[]}`, errands{List: []errand{}}},
		"no list":           {`{"List":null}`, errands{}},
		"list in a text":    {`{"List":"[{\"id\":\"1\"}, \"b\"]"}`, errands{List: []errand{{ID: "1"}, {What: "b"}}}},
		"object in a text":  {`{"List":["{\"id\":\"1\",\"what\":\"a\"}"]}`, errands{List: []errand{{ID: "1", What: "a"}}}},
		"a brace in a text": {`{"List":["{name} is to be filled in","{id: 1}"]}`, errands{List: []errand{{What: "{name} is to be filled in"}, {What: "{id: 1}"}}}},
		"a field":           {`{"One":"a"}`, errands{One: &errand{What: "a"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := llm.Decode[errands](tc.text)
			require.NoError(t, err)
			assert.Equal(t, tc.want, got)
		})
	}
}

func TestBareDecodeRefuses(t *testing.T) {
	for text, reason := range map[string]string{
		`{"List":[["a"]]}`:                   "List[0]: an array where a string or an object should be",
		`{"List":[true]}`:                    "List[0]: a boolean where a string or an object should be",
		`{"List":false}`:                     "List: a boolean where a list should be",
		`{"One":false}`:                      "One: a boolean where a string or an object should be",
		`{"List":[{"colour":"red"}]}`:        "List[0]: an object with none of the names id, what, after",
		`{"List":[{"what":{"x":1}}]}`:        "List[0].what: an object where a string should be",
		`{"List":[{"what":"a","What":"b"}]}`: "List[0]: \"what\" and \"What\" are one name",
	} {
		_, _, err := llm.Decode[errands](text)
		var unclear *llm.DecodeError
		require.ErrorAs(t, err, &unclear, text)
		assert.Contains(t, unclear.Reason, reason)
	}
}

func TestBareSchema(t *testing.T) {
	s, err := llm.SchemaOf[errands]("errands")
	require.NoError(t, err)
	const one = `{"anyOf":[{"type":"string"},{"type":"object","properties":{"id":{"type":"string"},"what":{"type":"string","description":"what to do"},` +
		`"after":{"type":"array","items":{"type":"string"}}},"required":["id","what"],"additionalProperties":false}]}`
	assert.Equal(t, `{"type":"object","properties":{"List":{"type":"array","items":`+one+`},"One":`+one+`},"additionalProperties":false}`, string(s.JSON))
}

type bareNumber struct {
	N int `json:"n" bare:"true"`
}

type bareHidden struct {
	text string `bare:"true"`
	N    int
}

func TestBareMustBeAString(t *testing.T) {
	_, err := llm.SchemaOf[struct{ List []bareNumber }]("x")
	assert.ErrorContains(t, err, "bare: N of llm_test.bareNumber is no exported string")
	_, err = llm.SchemaOf[struct{ List []bareHidden }]("x")
	assert.ErrorContains(t, err, "llm: schema of ")
	_, _, err = llm.Decode[struct{ List []bareNumber }](`{"List":[1]}`)
	assert.ErrorContains(t, err, "llm: schema of ")
	assert.Empty(t, bareHidden{}.text)
}
