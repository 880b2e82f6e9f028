package schemaof_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/schemaof"
)

func exact(name string) string { return name }

var (
	plain = &schemaof.Rules{Fields: func(typ reflect.Type) ([]schemaof.Field, error) { return schemaof.Fields(typ, exact), nil }}
	bare  = &schemaof.Rules{Fields: plain.Fields, Bare: func(typ reflect.Type) (bool, error) { return typ == reflect.TypeFor[leaf](), nil }}
	own   = &schemaof.Rules{Fields: plain.Fields, Object: true}
)

type (
	leaf   struct{ V int }
	other  struct{ V string }
	reader struct{ V bool }
)

func (*reader) UnmarshalJSON([]byte) error { return nil }

const leafSchema = `{"type":"object","properties":{"V":{"type":"integer"}},"required":["V"],"additionalProperties":false}`

// Each type has its own schema under each rules, also the second time, and the caller owns it.
func TestOf(t *testing.T) {
	type key struct {
		typ   reflect.Type
		rules *schemaof.Rules
	}
	want := map[key]string{
		{reflect.TypeFor[leaf](), plain}:     leafSchema,
		{reflect.TypeFor[*leaf](), plain}:    leafSchema,
		{reflect.TypeFor[leaf](), bare}:      `{"anyOf":[{"type":"string"},` + leafSchema + `]}`,
		{reflect.TypeFor[other](), plain}:    strings.Replace(leafSchema, "integer", "string", 1),
		{reflect.TypeFor[reader](), plain}:   `{}`,
		{reflect.TypeFor[reader](), own}:     strings.Replace(leafSchema, "integer", "boolean", 1),
		{reflect.TypeFor[[]leaf](), bare}:    `{"type":"array","items":{"anyOf":[{"type":"string"},` + leafSchema + `]}}`,
		{reflect.TypeFor[struct{}](), plain}: `{"type":"object","properties":{},"additionalProperties":false}`,
	}
	var wg sync.WaitGroup
	for range 3 {
		for key, schema := range want {
			wg.Go(func() {
				for range 2 {
					got, err := key.rules.Of(key.typ)
					assert.NoError(t, err)
					assert.Equal(t, schema, string(got))
					clear(got)
				}
			})
		}
	}
	wg.Wait()
}

// mu and nu contain themselves and each other, and a list between two structs is no circle.
type (
	mu struct {
		Nu   *nu           `json:",omitempty"`
		Mus  map[string]mu `json:",omitempty"`
		Rows rows          `json:",omitempty" desc:"as <tr>"`
	}
	nu   struct{ Mu *mu }
	rows []struct{ Sub rows }
	ring []map[string]ring
)

func TestTypesThatContainThemselves(t *testing.T) {
	got, err := plain.Of(reflect.TypeFor[mu]())
	require.NoError(t, err)
	const (
		of = `{"type":"object","properties":{"Nu":{"type":"object","properties":{"Mu":{"$ref":"#/$defs/mu"}},"additionalProperties":false},` +
			`"Mus":{"type":"object","additionalProperties":{"$ref":"#/$defs/mu"}},` +
			`"Rows":{"type":"array","items":{"$ref":"#/$defs/type"},"description":"as <tr>"}},"additionalProperties":false`
		row = `{"type":"object","properties":{"Sub":{"type":"array","items":{"$ref":"#/$defs/type"}}},"required":["Sub"],"additionalProperties":false}`
	)
	assert.Equal(t, of+`,"$defs":{"mu":`+of+`},"type":`+row+`}}`, string(got))
	_, err = plain.Of(reflect.TypeFor[struct{ A []ring }]())
	assert.EqualError(t, err, "A: schemaof_test.ring is a list or map of itself")
}

// An error has the path of the field, and a struct that cannot be read says why itself.
func TestErrors(t *testing.T) {
	refused := errors.New("not this one")
	picky := &schemaof.Rules{Fields: func(typ reflect.Type) ([]schemaof.Field, error) {
		if typ == reflect.TypeFor[leaf]() {
			return nil, refused
		}
		return schemaof.Fields(typ, exact), nil
	}, Bare: func(typ reflect.Type) (bool, error) {
		if typ == reflect.TypeFor[other]() {
			return false, fmt.Errorf("%v is odd", typ)
		}
		return false, nil
	}}
	for want, typ := range map[string]reflect.Type{
		"A.B: JSON has no chan int":        reflect.TypeFor[struct{ A []struct{ B *chan int } }](),
		"A: schemaof_test.other is odd":    reflect.TypeFor[struct{ A *other }](),
		"A.B: JSON has no complex128":      reflect.TypeFor[struct{ A struct{ B complex128 } }](),
		"the keys of map[int]int are no s": reflect.TypeFor[map[int]int](),
		"not this one":                     reflect.TypeFor[struct{ A leaf }](),
	} {
		_, err := picky.Of(typ)
		assert.ErrorContains(t, err, want)
	}
	_, err := picky.Of(reflect.TypeFor[struct{ A leaf }]())
	assert.ErrorIs(t, err, refused)
}

type Inner struct {
	A, B string
	C    string `json:"-"`
}

type hidden struct{ D int }

// Fields are those that encoding/json has.
func TestFields(t *testing.T) {
	type Outer struct {
		Inner
		*hidden
		Named Inner `json:"inner,omitzero"`
		E     int   `json:"A"`
		g     int
		Inn   struct{} `json:"inn"`
	}
	_ = Outer{}.g
	var got []string
	for _, f := range schemaof.Fields(reflect.TypeFor[Outer](), exact) {
		got = append(got, fmt.Sprint(f.JSON, f.Index, f.Options, f.Unset != nil))
	}
	assert.Equal(t, []string{"B[0 1]false", "D[1 0]true", "inner[2]omitzerofalse", "A[3]false", "inn[5]false"}, got)
	raw, err := json.Marshal(Outer{hidden: &hidden{}, Named: Inner{A: "x"}})
	require.NoError(t, err)
	assert.Equal(t, `{"B":"","D":0,"inner":{"A":"x","B":""},"A":0,"inn":{}}`, string(raw))
}
