package durable

import (
	"encoding/json"
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
