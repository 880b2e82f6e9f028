package deciding_test

import (
	"context"
	"errors"
	"testing"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// What was repaired in a reply is recorded, also in one that is refused then.
func TestAskRecordsRepairs(t *testing.T) {
	var record sink
	_, err := deciding.Ask(trace.With(t.Context(), &record), deciding.Inquiry[decision]{
		Model:   llmtest.Script(t, `So: {"Status": 5`, `{"status": "FAIL"}`, `{"Status": "CONTINUE", "Count": 13}`, `{"Status": "FINISH",}`),
		Allowed: allowed,
		Check: func(d decision) error {
			if d.Count == 13 {
				return errors.New("not 13")
			}
			return nil
		},
	})
	require.NoError(t, err)
	assert.Equal(t, []llm.Repair{
		{Kind: repair.Name, Where: "status", Count: 1}, {Kind: repair.Comma, Where: "byte 19", Count: 1},
	}, record.repairs)
	assert.Len(t, record.refused, 3)
}

// What was repaired before a reply turned out to be none is recorded, too.
func TestAskRecordsRepairsOfWhatCannotBeRead(t *testing.T) {
	var record sink
	_, err := deciding.Ask(trace.With(t.Context(), &record), deciding.Inquiry[decision]{
		Model:   llmtest.Script(t, `{"Status": "FINISH",} or {"Status": "CONTINUE"}`, `{"Status": "FINISH"}`),
		Allowed: allowed,
	})
	require.NoError(t, err)
	assert.Contains(t, record.repairs, llm.Repair{Kind: repair.Comma, Where: "byte 19", Count: 1})
	assert.Len(t, record.refused, 1)
}

// Where nobody reads the record nothing is recorded.
func TestAskRecordsNoRepairsForNobody(t *testing.T) {
	record := sink{untimed: true}
	_, err := deciding.Ask(trace.With(t.Context(), &record), deciding.Inquiry[decision]{
		Model: llmtest.Script(t, `{"status": "finish",}`), Allowed: allowed,
	})
	require.NoError(t, err)
	assert.Empty(t, record.repairs)
	assert.Len(t, record.decisions, 1)
}

// Arrange comes before everything that looks at a decision, and what it cannot
// arrange is seen, and fed back.
func TestAskArranges(t *testing.T) {
	type wrapped struct {
		Status fsm.Status `json:"Status"`
		Inner  struct {
			Status fsm.Status `json:"Status,omitempty"`
		} `json:"Inner,omitzero" schema:"-"`
	}
	model := llmtest.Script(t, `{"Status": "CONTINUE", "Inner": {"Status": "FINISH"}}`, `{"Inner": {"Status": "finish"}}`)
	var seen []wrapped
	d, err := deciding.Ask(t.Context(), deciding.Inquiry[wrapped]{
		Model: model, Allowed: allowed, Sections: []llm.Section{{Name: "task", Value: "count"}},
		Seen: func(_ context.Context, d wrapped) { seen = append(seen, d) },
		Arrange: func(d *wrapped) error {
			if d.Status != "" {
				return errors.New("two statuses")
			}
			d.Status, d.Inner.Status = d.Inner.Status, ""
			return nil
		},
	})
	require.NoError(t, err)
	assert.Equal(t, wrapped{Status: fsm.Finish}, d)
	require.Len(t, seen, 2)
	assert.Equal(t, fsm.Finish, seen[0].Inner.Status, "as it was when it could not be arranged")
	assert.Equal(t, fsm.Status("finish"), seen[1].Status)
	requests := model.Requests()
	assert.Equal(t, "two statuses", llmtest.Section[string](t, requests[1], "last_error"))
	assert.NotContains(t, string(requests[0].Schema.JSON), "Inner", "no schema asks for it")
}
