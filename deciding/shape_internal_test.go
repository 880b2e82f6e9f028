package deciding

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type narrowTest struct{}

type innerEnum struct {
	How string `json:"how" enum:"a,b"`
}

func TestNarrower(t *testing.T) {
	type tree struct {
		Name string
		Sub  []tree `json:",omitempty"`
	}
	for _, v := range []any{
		"", 1, 1.5, true, [2]int{}, map[string]string{}, json.RawMessage{}, narrowTest{}, tree{},
		struct {
			A string
			B json.RawMessage `json:"b,omitempty"`
			C map[string]any  `json:"c,omitempty"`
			D *int            `json:"-"`
			e *int
		}{},
	} {
		assert.False(t, narrower(reflect.TypeOf(v), nil), "%T", v)
	}
	for _, v := range []any{
		time.Time{}, new(int), innerEnum{}, []innerEnum{}, map[string]innerEnum{}, map[int]string{},
		struct{ A []string }{},
		struct{ A any }{},
		struct {
			A json.RawMessage `json:"a,omitempty" type:"object"`
		}{},
		struct{ *innerEnum }{},
		struct{ innerEnum }{},
	} {
		assert.True(t, narrower(reflect.TypeOf(v), nil), "%T", v)
	}
}

type word string

func (w word) MarshalText() ([]byte, error) { return []byte(w), nil }
func (w *word) UnmarshalText(text []byte) error {
	*w = word(text)
	return nil
}

// What a schema does not allow is the same whether the fields are looked at that it may refuse, or
// the whole decision.
func TestMisfits(t *testing.T) {
	type order struct {
		Thought string          `json:"thought,omitempty"`
		Queue   string          `json:"queue" enum:"billing,tech"`
		Note    string          `json:"note,omitempty" enum:"urgent,later"`
		Facts   json.RawMessage `json:"facts,omitempty" type:"object"`
		Words   []string
		Deep    innerEnum   `json:"deep"`
		List    []innerEnum `json:"list,omitempty"`
		At      word        `json:"at,omitzero"`
	}
	_, fits, err := shapeOf[order](nil)
	require.NoError(t, err)
	require.NotEmpty(t, fits.fields)
	whole := &check{schema: fits.schema}
	found := 0
	for _, d := range []order{
		{},
		{Queue: "tech", Words: []string{}, Deep: innerEnum{"a"}},
		{Queue: "tech", Words: []string{"x"}, Deep: innerEnum{"b"}, Note: "later", Facts: json.RawMessage(`{"a":1}`), List: []innerEnum{{"a"}, {"b"}}, At: "x"},
		{Queue: "none", Note: "never", Facts: json.RawMessage(`7`), List: []innerEnum{{"a"}, {"c"}}},
		{Queue: "billing", Words: []string{}, Deep: innerEnum{"a"}, List: []innerEnum{{}}},
		{Queue: "billing", Words: []string{}, Facts: json.RawMessage(`{`)},
	} {
		v := reflect.ValueOf(&d).Elem()
		problems := fits.misfits(v)
		assert.Len(t, problems, len(whole.misfits(v)), "%+v", d)
		if string(d.Facts) != "{" { // which has no JSON form
			assert.ElementsMatch(t, whole.misfits(v), problems, "%+v", d)
		}
		found += len(problems)
	}
	assert.Greater(t, found, 8)
}
