package scenarios_test

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
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
	require.NoError(s.t, json.Unmarshal(req.Schema.JSON, &schema))
	assert.ElementsMatch(s.t, statuses, schema.Properties.Status.Enum)
	words := req.Messages[0].Parts[0].Text
	for _, status := range []fsm.Status{fsm.Continue, hostagent.Assign, fsm.Finish, fsm.Fail, fsm.Pending, fsm.Confirm, fsm.Screenshot} {
		assert.Equal(s.t, slices.Contains(statuses, status), strings.Contains(words, string(status)), "the words about %s", status)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
