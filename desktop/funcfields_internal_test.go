package desktop

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of two embedded fields of one name encoding/json knows neither, and takes the
// name for that of a third. Vet refuses such a struct in Go text.
func TestTwoFieldsOfOneName(t *testing.T) {
	text := reflect.TypeFor[string]()
	half := func(other string) reflect.Type {
		return reflect.StructOf([]reflect.StructField{{Name: "V", Type: text, Tag: `json:"v"`}, {Name: other, Type: text}})
	}
	typ := reflect.StructOf([]reflect.StructField{
		{Name: "Left", Type: half("A"), Anonymous: true}, {Name: "Right", Type: half("B"), Anonymous: true},
		{Name: "Upper", Type: text, Tag: `json:"V"`},
	})
	into := reflect.New(typ)
	require.NoError(t, json.Unmarshal([]byte(`{"v":"evil"}`), into.Interface()))
	assert.Equal(t, "evil", into.Elem().FieldByName("Upper").String())

	_, err := schemaOf(typ)
	assert.ErrorContains(t, err, `V: another field of struct {`)

	// Of a name with such signs encoding/json takes no notice.
	_, err = schemaOf(reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[int](), Tag: `json:"a'b"`}}))
	assert.EqualError(t, err, `A: encoding/json does not take "a'b" for a name`)
}
