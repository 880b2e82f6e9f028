package appagent_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/people"
)

// What the model may write, with somebody to ask. testdata has it; -update writes it anew.
func TestSchema(t *testing.T) {
	b := newBench(t, say(fsm.Finish))
	b.Config.User = people.Later()
	b.finish()
	var schema bytes.Buffer
	require.NoError(t, json.Indent(&schema, b.Model.Last().Schema.JSON, "", "  "))
	golden.Equal(t, "schema.json", schema.String()+"\n")
}

// acted is how many commands were no observation.
func (b *bench) acted() int {
	n := 0
	for _, e := range b.Desktop.Log() {
		if !e.Command.Looks {
			n++
		}
	}
	return n
}

// The screenshot of a step is kept where the model asks for it, in any of the
// forms that models write.
func TestSaveScreenshot(t *testing.T) {
	var replies []any
	for _, wish := range []any{m{"save": true, "reason": "the chart"}, "True", "why not", true, "False", []int{1}, false} {
		replies = append(replies, m{"Status": "CONTINUE", "Thought": "look", "SaveScreenshot": wish})
	}
	b := newBench(t, append(replies, say(fsm.Finish))...)
	agent := b.agent()
	_, err := b.drive(agent, "do it")
	require.NoError(t, err)
	all, _, err := blackboard.NewKey[[]struct{ Agent, Screenshot, Reason string }](boarddata.Trajectories).Get(agent.Board())
	require.NoError(t, err)
	var reasons []string
	for _, note := range all {
		if note.Screenshot != "" {
			reasons = append(reasons, note.Reason)
			assert.Equal(t, "AppAgent/word/report", note.Agent)
			mediaType, data, ok := agent.Board().Blob(note.Screenshot)
			require.True(t, ok)
			assert.Equal(t, "image/png", mediaType)
			assert.NotEmpty(t, data)
		}
	}
	assert.Equal(t, []string{"the chart", "", "why not", ""}, reasons)
}
