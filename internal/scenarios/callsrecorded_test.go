package scenarios_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// reader is a model that reads a table in two steps. Its first reply is refused, whichever process asks.
type reader struct {
	t     *testing.T
	calls bool
	asked map[string]string // requests, by what they ask for: another process asks the same
	again int               // requests that came again
}

const signature = "signed by the model"

func (m *reader) Complete(_ context.Context, req *llm.Request) (*llm.Response, error) {
	key, reply := "the table", `{"Status": "CONTINUE", "Function": "texts", "Args": {"id": "t1"}}`
	_, later := llm.FindSection(req, "history")
	switch {
	case later:
		key, reply = "the answer", `{"Status": "FINISH", "Result": {"rows": [4, 7]}}`
	case len(req.Messages) == 2:
		key, reply = "the first reply", `{"Status": "NOPE", "Comment": "a slip"}`
	}
	raw, err := json.Marshal(req)
	require.NoError(m.t, err)
	if was, again := m.asked[key]; again {
		m.again++
		assert.True(m.t, was == string(raw), "another process asks for %s as the first did", key) //nolint:testifylint // Equal would print every prompt
	}
	m.asked[key] = string(raw)
	resp := &llm.Response{Text: reply}
	if m.calls {
		resp = inCalls(req, resp)
		resp.Reasoning = json.RawMessage(`{"signature":"` + signature + `"}`)
		assert.Equal(m.t, key == "the table", strings.Contains(string(raw), signature), "of %s: thoughts are for the reply that was refused", key)
	}
	return resp, nil
}

// recorded reads the table in a run of a store, in one process.
func (m *reader) recorded(in store.Store, steps *bytes.Buffer) (round.Result, error) {
	s, err := durable.Open(m.t.Context(), m.stage().alone(), in, "run", &durable.Options{Round: &round.Options{Observe: round.JSONL(steps)}})
	require.NoError(m.t, err)
	return s.Continue(m.t.Context(), "read the table")
}

func (m *reader) stage() *stage {
	s := onStage(m.t)
	s.Word.SetControls(desktop.Control{ID: "t1", Type: "Table", Value: "2023 4, 2024 7"})
	s.Config.Model, s.Config.ToolCalls = m, m.calls
	return s
}

// A process dies at any record, also between a refused reply and the next one. The next process goes on as the first
// would have, and its replay is the same, whatever the form of replies is. A fork has another reply.
func TestScenario52_CallsAreRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var whole []string // the steps, by form
		for _, calls := range []bool{false, true} {
			again := 0
			for left := 1; ; left++ {
				m := &reader{t: t, calls: calls, asked: map[string]string{}}
				in, steps := store.Memory(), &bytes.Buffer{}
				res, err := m.recorded(&frail{Store: in, left: left}, steps)
				died := err != nil
				if died {
					require.ErrorIs(t, err, errDied)
					res, err = m.recorded(in, steps)
				}
				require.NoError(t, err)
				assert.JSONEq(t, `{"rows":[4,7]}`, res.Answer)
				assert.Equal(t, 3, res.Calls)
				assert.NotContains(t, steps.String(), signature)
				_, err = durable.Replay(t.Context(), m.stage().alone(), in, "run", nil)
				require.NoError(t, err)
				again += m.again
				if died {
					continue
				}
				whole = append(whole, steps.String())
				m.fork(in)
				assert.Greater(t, left, 3)
				break
			}
			assert.Positive(t, again, "replies that were lost with their process")
		}
		for _, words := range []string{`"function":"texts"`, `"rows":[4,7]`} {
			assert.Equal(t, strings.Count(whole[0], words), strings.Count(whole[1], words), words)
		}
	})
}

// fork goes on from the last reply as if it were another one.
func (m *reader) fork(in store.Store) {
	var last durable.Record
	for r, err := range durable.Records(m.t.Context(), in, "run") {
		require.NoError(m.t, err)
		if r.Kind == "call" {
			last = r
		}
	}
	change := durable.Change{Seq: last.Seq, Reply: `{"Status": "FINISH", "Result": "other"}`}
	if m.calls {
		assert.Contains(m.t, last.String(), `FINISH {`)
		change = durable.Change{Seq: last.Seq, Calls: []llm.Call{{ID: "1", Name: "FINISH", Args: json.RawMessage(`{"Result": "other"}`)}}}
	}
	require.NoError(m.t, durable.Fork(m.t.Context(), in, "run", in, "fork", change))
	s, err := durable.Open(m.t.Context(), m.stage().alone(), in, "fork", nil)
	require.NoError(m.t, err)
	res, err := s.Continue(m.t.Context(), "read the table")
	require.NoError(m.t, err)
	assert.Equal(m.t, "other", res.Answer)
	change.Question = "q"
	require.ErrorContains(m.t, durable.Fork(m.t.Context(), in, "run", in, "both", change), "at once")
}
