package scenarios_test

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
)

// offers asserts that the words and the schema of the i-th request offer exactly the statuses
// that it says are allowed. A prompt offers no status that cannot work: 51_offered.txt.
func (s *stage) offers(i int) {
	s.t.Helper()
	statuses := prompt[[]fsm.Status](s, i, "allowed_statuses")
	var schema struct {
		Properties struct{ Status struct{ Enum []fsm.Status } }
	}
	req := s.Model.Requests()[i]
	if s.Config.ToolCalls {
		s.offersTools(req, statuses)
		return
	}
	require.NoError(s.t, json.Unmarshal(req.Schema.JSON, &schema))
	assert.ElementsMatch(s.t, statuses, schema.Properties.Status.Enum)
	words := req.Messages[0].Parts[0].Text
	for _, status := range []fsm.Status{fsm.Continue, hostagent.Assign, fsm.Finish, fsm.Fail, fsm.Pending, fsm.Confirm, fsm.Screenshot} {
		assert.Equal(s.t, slices.Contains(statuses, status), strings.Contains(words, string(status)), "the words about %s", status)
	}
}

// offersTools asserts that the tools of a request include those of these statuses, and of no other.
func (s *stage) offersTools(req *llm.Request, statuses []fsm.Status) {
	s.t.Helper()
	assert.Nil(s.t, req.Schema)
	words := req.Messages[0].Parts[0].Text
	for _, status := range []fsm.Status{fsm.Continue, hostagent.Assign, fsm.Finish, fsm.Fail, fsm.Pending, fsm.Confirm, fsm.Screenshot} {
		offered := slices.Contains(statuses, status)
		assert.Equal(s.t, offered, slices.ContainsFunc(req.Tools, func(tool llm.Tool) bool { return tool.Name == string(status) }), "the tool %s", status)
		assert.True(s.t, offered || !strings.Contains(words, string(status)), "the words about %s", status)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
