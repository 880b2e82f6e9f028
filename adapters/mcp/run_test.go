package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// A HostAgent chooses a server, and an AppAgent works with its tools.
func TestWholeRound(t *testing.T) {
	a, b := newBench(t, "a"), newBench(t, "b")
	d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "archive", Transport: a.memory(t)}, {Name: "notes", Transport: b.memory(t)}}})
	screen, err := d.Screen()
	require.NoError(t, err)
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Desktop: screen, Model: llmtest.Script(nil,
		`{"Status": "ASSIGN", "ControlText": "The b", "CurrentSubTask": "note milk"}`,
		`{"Status": "FINISH", "Function": "note", "Args": {"text": "milk"}, "Result": "noted"}`,
		`{"Status": "FINISH", "Result": "Milk is noted."}`,
	)}})
	require.NoError(t, err)
	r, err := round.New(host, "remember the milk", nil)
	require.NoError(t, err)
	res, err := r.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "Milk is noted.", res.Answer)
	assert.Zero(t, a.notes.Load())
	assert.EqualValues(t, 1, b.notes.Load())
}

// What a server does not call harmless is not done without a person's yes.
func TestPolicyStopsTheCall(t *testing.T) {
	b := newBench(t, "b")
	d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "notes", Transport: b.memory(t), IgnoreAnnotations: true}}})
	screen, err := d.Screen()
	require.NoError(t, err)
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Desktop: screen, Model: llmtest.Script(nil,
		`{"Status": "ASSIGN", "ControlText": "notes", "CurrentSubTask": "note milk"}`,
		`{"Status": "FINISH", "Function": "note", "Args": {"text": "milk"}, "Result": "noted"}`,
		`{"Status": "PENDING", "Questions": ["what now?"]}`,
	)}})
	require.NoError(t, err)
	r, err := round.New(host, "remember the milk", nil)
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.ErrorIs(t, err, round.ErrFailed)
	assert.Zero(t, b.notes.Load())
}
