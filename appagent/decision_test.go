package appagent_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

type schema struct {
	Type       string `json:"type"`
	Properties map[string]struct {
		Description string   `json:"description"`
		Enum        []string `json:"enum"`
	} `json:"properties"`
	Required []string `json:"required"`
}

func schemaOf(t *testing.T, req *llm.Request) schema {
	t.Helper()
	var s schema
	require.NotNil(t, req.Schema)
	require.NoError(t, json.Unmarshal(req.Schema.JSON, &s))
	return s
}

func TestSchema(t *testing.T) {
	b := newBench(t, say(fsm.Finish))
	b.Config.User = people.Later()
	b.finish()
	s := schemaOf(t, b.Model.Last())
	assert.Equal(t, "object", s.Type)
	assert.Equal(t, []string{"Status"}, s.Required)
	allowed := []string{"CONTINUE", "PENDING", "CONFIRM", "SCREENSHOT", "FINISH", "FAIL"}
	assert.Equal(t, allowed, s.Properties["Status"].Enum)
	assert.Equal(t, allowed, section[[]string](b, 0, "allowed_statuses"))
	names := []string{
		"Observation", "Thought", "ControlLabel", "ControlText", "Function", "Args", "Actions", "Plan",
		"Status", "Comment", "Questions", "SaveScreenshot", "Result",
	}
	assert.Len(t, s.Properties, len(names))
	for _, name := range names {
		assert.NotEmpty(t, s.Properties[name].Description, name)
	}
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
	for name, tc := range map[string]struct {
		wish   any
		saved  bool
		reason string
	}{
		"true as text":     {"True", true, ""},
		"false as text":    {"False", false, ""},
		"object":           {m{"save": true, "reason": "the chart"}, true, "the chart"},
		"a list, whatever": {[]int{1}, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, m{"Status": "FINISH", "Comment": "seen", "SaveScreenshot": tc.wish})
			agent := b.agent()
			_, err := b.drive(agent, "do it")
			require.NoError(t, err)
			all, _, err := blackboard.NewKey[[]json.RawMessage](boarddata.Trajectories).Get(agent.Board())
			require.NoError(t, err)
			if !tc.saved {
				assert.Len(t, all, 1)
				return
			}
			require.Len(t, all, 2)
			var note struct{ Agent, Screenshot, Reason string }
			require.NoError(t, json.Unmarshal(all[1], &note))
			assert.Equal(t, tc.reason, note.Reason)
			assert.Equal(t, "AppAgent/word/report", note.Agent)
			blob, data, ok := agent.Board().Blob(note.Screenshot)
			require.True(t, ok)
			assert.Equal(t, "image/png", blob.MediaType)
			assert.NotEmpty(t, data)
		})
	}
	b := newBench(t, m{"Status": "FINISH", "Comment": "seen", "SaveScreenshot": true})
	b.Config.NoImages = true
	b.finish()
}
