package appagent

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

// Whatever field the data has, one that is added later included: it is in a snapshot,
// with all that is in it, changes tell it, and that it is no more.
func TestChangesTellEveryField(t *testing.T) {
	fields := 0
	eachField(reflect.TypeFor[data](), nil, func(name string, path []int) {
		fields++
		t.Run(name, func(t *testing.T) {
			eachLeaf(t, reflect.TypeFor[data]().FieldByIndex(path).Type)
			first, second := &Agent{}, &Agent{}
			before, err := second.Snapshot()
			require.NoError(t, err)
			tell := func(d data) []byte {
				first.data = d
				first.SetStatus(d.Status)
				first.Decide(d.Decision.To, d.Decision.By, d.Decision.Reason)
				changes, err := first.Changes()
				require.NoError(t, err)
				require.NotEmpty(t, changes)
				require.NoError(t, second.Apply(changes))
				want, err := first.Snapshot()
				require.NoError(t, err)
				got, err := second.Snapshot()
				require.NoError(t, err)
				require.Equal(t, string(want), string(got))
				return got
			}
			var d data
			fill(reflect.ValueOf(&d).Elem().FieldByIndex(path))
			assert.NotEqual(t, string(before), string(tell(d)), "it is in no snapshot")
			if name != "Memory" { // which is never forgotten
				assert.Equal(t, string(before), string(tell(data{})))
			}
		})
	})
	assert.Greater(t, fields, 12)
}

// eachField visits the fields of a struct, those of embedded ones as its own.
func eachField(typ reflect.Type, path []int, visit func(name string, path []int)) {
	for i := range typ.NumField() {
		f, at := typ.Field(i), append(slices.Clip(path), i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			eachField(f.Type, at, visit)
			continue
		}
		visit(f.Name, at)
	}
}

// eachLeaf looks at what a type has inside: each thing alone makes another JSON text.
func eachLeaf(t *testing.T, typ reflect.Type) {
	full := reflect.New(typ).Elem()
	fill(full)
	want, err := json.Marshal(full.Interface())
	require.NoError(t, err)
	var walk func(at func(root reflect.Value) reflect.Value, typ reflect.Type, name string)
	walk = func(at func(reflect.Value) reflect.Value, typ reflect.Type, name string) {
		v := reflect.New(full.Type()).Elem()
		fill(v)
		at(v).SetZero()
		got, err := json.Marshal(v.Interface())
		if assert.NoError(t, err, name) {
			assert.NotEqual(t, string(want), string(got), "%s is not in the JSON", name)
		}
		switch {
		case typ.Kind() == reflect.Pointer:
			walk(func(r reflect.Value) reflect.Value { return at(r).Elem() }, typ.Elem(), name)
		case typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Struct:
			walk(func(r reflect.Value) reflect.Value { return at(r).Index(0) }, typ.Elem(), name)
		case typ.Kind() == reflect.Struct:
			for i := range typ.NumField() {
				if f := typ.Field(i); f.Name != "_" {
					walk(func(r reflect.Value) reflect.Value { return at(r).Field(i) }, f.Type, name+"."+f.Name)
				}
			}
		}
	}
	walk(func(r reflect.Value) reflect.Value { return r }, typ, typ.String())
}

// fill puts something into a value, and into all that is in it.
func fill(v reflect.Value) {
	switch of := v.Addr().Interface().(type) {
	case *json.RawMessage:
		*of = json.RawMessage(`{"x":1}`)
		return
	case *map[string]any:
		*of = map[string]any{"x": "y"}
		return
	case *fsm.Cause:
		*of = fsm.ByModel
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		v.SetUint(1)
	case reflect.Float64, reflect.Float32:
		v.SetFloat(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("x").Convert(v.Type().Key()), value)
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(field) // panics where a field is not exported: it would be in no snapshot
		}
	default:
		panic("nobody knows how to fill a " + v.Type().String())
	}
}
