package deciding

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
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
