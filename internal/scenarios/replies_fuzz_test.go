package scenarios_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/sample"
)

// FuzzReply gives any text to an agent as its model's reply. It is understood or
// fed back, never both; what is understood has a status that the table allows,
// and is understood again, as the same and without a repair, when it is written
// as JSON.
func FuzzReply(f *testing.F) {
	for i, c := range readReplies(f) {
		if c.Kind != "plain" && i%sample.Every(5) == sample.Every(5)-1 { // TestScenario25_Replies takes others
			f.Add(c.Kind == "host", c.Reply)
		}
	}
	f.Fuzz(func(t *testing.T, host bool, reply string) {
		kind := "app"
		if host {
			kind = "host"
		}
		got := understand(t, kind, reply)
		if got.decision == nil {
			assert.NotEmpty(t, got.fedBack)
			return
		}
		assert.Empty(t, got.fedBack)
		var d struct{ Status fsm.Status }
		require.NoError(t, json.Unmarshal(got.decision, &d))
		assert.Equal(t, fsm.ParseStatus(string(d.Status)), d.Status)
		if len(got.decision) > acting.MaxOutput {
			return // the record of a step may cut it
		}
		again := understand(t, kind, string(got.decision))
		assert.Empty(t, again.fedBack)
		assert.Empty(t, again.repairs)
		assert.JSONEq(t, string(got.decision), string(again.decision))
	})
}
