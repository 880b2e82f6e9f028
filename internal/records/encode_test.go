package records_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/records"
)

// No member of a record is forgotten, and each has its name.
func TestEncodeAsJSON(t *testing.T) {
	all := records.Record{V: records.Version, Kind: records.KindRound, At: time.Date(2026, 11, 28, 9, 30, 0, 5, time.UTC)}
	v := reflect.ValueOf(&all).Elem()
	check := func(n *records.Record) {
		want, err := json.Marshal(n)
		require.NoError(t, err)
		got, err := records.Encode(n)
		require.NoError(t, err)
		assert.JSONEq(t, string(want), string(got))
	}
	check(&all)
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() != reflect.Pointer {
			continue
		}
		one := all
		member := reflect.ValueOf(&one).Elem().Field(i)
		member.Set(reflect.New(f.Type().Elem()))
		check(&one)
	}
	for _, f := range v.Fields() {
		if f.Kind() == reflect.Pointer {
			f.Set(reflect.New(f.Type().Elem()))
		}
	}
	check(&all)
}

// The id of a command stands in its record once.
func TestEncodeLeavesOut(t *testing.T) {
	n := &records.Record{
		V: records.Version, Kind: records.KindLook, At: time.Now().UTC(),
		Act:    &records.Act{ID: "c-1", Command: desktop.Command{ToolName: "get_ui_tree", Looks: true, CallID: "c-1"}},
		Result: &records.Result{ID: "c-1", Status: desktop.Success},
	}
	raw, err := records.Encode(n)
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(raw), "c-1"), string(raw))
	back, err := records.Read(raw)
	require.NoError(t, err)
	assert.Equal(t, n, back)
}

// Of a record that cannot be encoded nothing is written.
func TestEncodeFails(t *testing.T) {
	for name, n := range map[string]*records.Record{
		"its time":   {At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), Step: &records.Step{}},
		"its member": {Act: &records.Act{Command: desktop.Command{Parameters: map[string]any{"f": func() {}}}}, Step: &records.Step{}},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := records.Encode(n)
			require.Error(t, err)
			assert.Nil(t, raw)
		})
	}
}
