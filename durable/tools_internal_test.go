package durable

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/records"
)

// A list of tools is kept once, however often it is looked at, and anew when it is another one: also where the desktop
// has written into its own.
func TestToolsAreKeptWhenTheyChange(t *testing.T) {
	j := &recorder{}
	list := []desktop.Tool{{Name: "a", InputSchema: json.RawMessage(`{"type":"object"}`)}, {Name: "b"}}
	kinds := func() (kinds []string) {
		for _, p := range j.pending {
			kinds = append(kinds, p.Kind)
		}
		j.pending = nil
		return kinds
	}
	for _, c := range []struct {
		change func()
		want   []string
	}{
		{func() {}, []string{records.KindBlob, records.KindTools}},
		{func() {}, []string{records.KindTools}},
		{func() { list = list[:1] }, []string{records.KindBlob, records.KindTools}},
		{func() { copy(list[0].InputSchema[9:], "string") }, []string{records.KindBlob, records.KindTools}},
		{func() {}, []string{records.KindTools}},
		{func() { list[0].InputSchema = json.RawMessage(`{`) }, []string{records.KindTools}}, // an error
	} {
		c.change()
		require.NoError(t, j.listed(list, nil))
		assert.Equal(t, c.want, kinds())
	}
}

// Every field of a tool counts.
func TestSameTool(t *testing.T) {
	var whole desktop.Tool
	for i := range reflect.TypeFor[desktop.Tool]().NumField() {
		changed := whole
		switch f := reflect.ValueOf(&changed).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Slice:
			f.SetBytes([]byte("{}"))
		default:
			changed.Annotations.ReadOnlyHint = true
		}
		require.NotEqual(t, whole, changed)
		assert.False(t, sameTool(whole, changed), "%+v", changed)
		assert.True(t, sameTool(changed, changed))
	}
}

// A step looks at its tools once at least, and they are the same as before.
func BenchmarkListedTools(b *testing.B) {
	var list []desktop.Tool
	for _, name := range []string{desktop.ClickInput, desktop.KeyboardInput, desktop.GetUITree, desktop.ReadTable, desktop.SelectMenu, desktop.WaitFor} {
		tool, _ := desktop.ToolNamed(name)
		list = append(list, tool)
	}
	j := &recorder{}
	b.ReportAllocs()
	for b.Loop() {
		if err := j.listed(list, nil); err != nil {
			b.Fatal(err)
		}
		j.pending = j.pending[:0]
	}
}
