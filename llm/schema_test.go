package llm_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

type step struct {
	Thought   string          `json:"Thought" desc:"why, in a <sentence>"`
	Plan      []string        `json:"Plan,omitempty"`
	Mode      string          `json:"Mode" enum:"fast, slow" alias:"Speed"`
	Level     int             `json:"Level" enum:"1,2"`
	Size      uint16          `json:"Size,omitzero"`
	Share     float64         `json:"Share"`
	Args      json.RawMessage `json:"Args,omitempty" type:"object" desc:"what the tool takes"`
	Result    any             `json:"Result,omitempty"`
	Took      stamp           `json:"Took"`
	Day       string          `json:"Day" format:"date"`
	Steps     []step          `json:"Steps,omitempty"`
	Target    struct{ ID string }
	Skipped   string `json:"-"`
	Unasked   string `json:"Unasked" schema:"-"`
	unnoticed string
	Shared
}

type Shared struct {
	Status string
}

type stamp int

func (*stamp) UnmarshalJSON([]byte) error { return nil }

// The kinds of fields are those of internal/schemaof.
func TestSchemaOf(t *testing.T) {
	_ = step{}.unnoticed
	s, err := llm.SchemaOf[*step]("next_step-1")
	require.NoError(t, err)
	assert.Equal(t, "next_step-1", s.Name)
	self := strings.Join(strings.Fields(`"type":"object","properties":{
		"Thought":{"type":"string","description":"why,~in~a~<sentence>"},
		"Plan":{"type":"array","items":{"type":"string"}},
		"Mode":{"type":"string","enum":["fast","slow"]},
		"Level":{"type":"integer","enum":[1,2]},
		"Size":{"type":"integer","minimum":0},
		"Share":{"type":"number"},
		"Args":{"type":"object","description":"what~the~tool~takes"},
		"Result":{},
		"Took":{},
		"Day":{"type":"string","format":"date"},
		"Steps":{"type":"array","items":{"$ref":"#/$defs/step"}},
		"Target":{"type":"object","properties":{"ID":{"type":"string"}},"required":["ID"],"additionalProperties":false},
		"Status":{"type":"string"}},
		"required":["Thought","Mode","Level","Share","Took","Day","Target","Status"],"additionalProperties":false`), "")
	assert.Equal(t, `{`+self+`,"$defs":{"step":{`+self+`}}}`, strings.ReplaceAll(string(s.JSON), " ", "~"))
}

func TestSchemaOfABareStruct(t *testing.T) {
	s, err := llm.SchemaOf[errands]("errands")
	require.NoError(t, err)
	const one = `{"anyOf":[{"type":"string"},{"type":"object","properties":{"id":{"type":"string"},"what":{"type":"string","description":"what to do"},` +
		`"after":{"type":"array","items":{"type":"string"}}},"required":["id","what"],"additionalProperties":false}]}`
	assert.Equal(t, `{"type":"object","properties":{"List":{"type":"array","items":`+one+`},"One":`+one+`},"additionalProperties":false}`, string(s.JSON))
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
	listsSelf    struct{ L selfList }
	selfList     []selfList
	bareNumber   struct {
		N int `json:"n" bare:"true"`
	}
	enumOfBool struct {
		B bool `enum:"true"`
	}
	enumOfWords struct {
		N []int `enum:"one"`
	}
)

// mistake is what SchemaOf and Decode say of a type.
type mistake struct{ schema, decode error }

func mistaken[T any](reply string) mistake {
	_, err := llm.SchemaOf[T]("x")
	return mistake{err, last(llm.Decode[T](reply))}
}

// A type that no reply can fill is a mistake of the program, and not of the model.
func TestTypesThatNoReplyCanFill(t *testing.T) {
	for name, tc := range map[string]struct {
		err     mistake
		problem string
	}{
		"chan":            {mistaken[withChan](`{"C":1}`), "C: JSON has no chan int"},
		"interface":       {mistaken[withIface](`{"I":1}`), "I: error is an interface with methods"},
		"map keys":        {mistaken[withMap](`{"M":{"1":"x"}}`), "the keys of map[int]string are no strings"},
		"two names":       {mistaken[twoNames](`{"a_b":1}`), `B: the names "AB" and "a_b" are one`},
		"two aliases":     {mistaken[twoAliases](`{"x":1}`), `B: the alias "X" is also a name of "A"`},
		"no name":         {mistaken[noName](`{"x":1}`), "A"},
		"hidden embedded": {mistaken[embedsHidden](`{"x":1}`), "inner"},
		"inside a list":   {mistaken[struct{ L []chan int }](`{"L":1}`), "L: JSON has no chan int"},
		"inside a map":    {mistaken[struct{ M map[string]withChan }](`{"M":{"a":{"C":1}}}`), "M.C: JSON has no chan int"},
		"inside a struct": {mistaken[struct{ S twoNames }](`{"S":{"AB":1}}`), "are one"},
		"bare number":     {mistaken[struct{ List []bareNumber }](`{"List":[1]}`), "bare: N of llm_test.bareNumber is no exported string"},
	} {
		require.ErrorContains(t, tc.err.schema, "llm: schema of ", name)
		assert.ErrorContains(t, tc.err.schema, tc.problem, name)
		require.ErrorContains(t, tc.err.decode, "llm: schema of ", name)
		assert.NotErrorAs(t, tc.err.decode, new(*llm.DecodeError), name)
	}
}

func TestSchemaOfRefuses(t *testing.T) {
	for problem, err := range map[string]error{
		"the name is empty":            second(llm.SchemaOf[decision]("")),
		"may not have ' '":             second(llm.SchemaOf[decision]("a b")),
		"must be a struct":             second(llm.SchemaOf[[]string]("x")),
		"a list or map of itself":      second(llm.SchemaOf[listsSelf]("x")),
		"enum is for strings, numbers": second(llm.SchemaOf[enumOfBool]("x")),
		`N: enum: "one" is no number`:  second(llm.SchemaOf[enumOfWords]("x")),
	} {
		assert.ErrorContains(t, err, "llm: schema of ")
		assert.ErrorContains(t, err, problem)
	}
	require.ErrorAs(t, last(llm.Decode[listsSelf](`{"L":1}`)), new(*llm.DecodeError), "there is no endless recursion")
}

func second[T any](_ T, err error) error { return err }
