package scenarios_test

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
)

// statusesOf are the statuses that a request offers, as the schema of its reply or as tools.
func statusesOf(req *llm.Request) (list []fsm.Status) {
	if req.Schema == nil {
		for i := range req.Tools {
			if status := fsm.Status(req.Tools[i].Name); slices.Contains(spokenOf, status) {
				list = append(list, status)
			}
		}
		return list
	}
	var schema struct {
		Properties struct{ Status struct{ Enum []fsm.Status } }
	}
	must(0, json.Unmarshal(req.Schema.JSON, &schema))
	return schema.Properties.Status.Enum
}

// spokenOf are the statuses that prompts of built-in agents speak of.
var spokenOf = []fsm.Status{fsm.Continue, hostagent.Assign, fsm.Finish, fsm.Fail, fsm.Pending, fsm.Confirm, fsm.Screenshot}

// offers asserts that the words of a request are about the statuses that it offers. A prompt offers
// no status that cannot work: 51_offered.txt.
func (s *stage) offers(i int) {
	s.t.Helper()
	req := s.Model.Requests()[i]
	assert.Equal(s.t, s.Config.ToolCalls, req.Schema == nil)
	offered, words := statusesOf(req), req.Messages[0].Parts[0].Text
	for _, status := range spokenOf {
		said := strings.Contains(words, string(status))
		if s.Config.ToolCalls { // its tool says it
			assert.False(s.t, said && !slices.Contains(offered, status), "the words about %s", status)
			continue
		}
		assert.Equal(s.t, slices.Contains(offered, status), said, "the words about %s", status)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
