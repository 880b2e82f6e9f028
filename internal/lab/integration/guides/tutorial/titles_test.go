package main

import (
	"testing"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStates(t *testing.T) {
	fsmtest.Run(t, states, func() fsm.Agent { return &Writer{name: "writer", data: data{Task: "otters"}} })
}

func TestWriter(t *testing.T) {
	model := llmtest.Script(t,
		`{"Title": "Everything about otters", "Status": "CHECK"}`,
		`{"Title": "Otters", "Status": "CHECK"}`,
	)
	assert.Equal(t, "Otters", run(t, &Writer{name: "writer", model: model}, "otters page"))
}

func TestHost(t *testing.T) {
	host, err := newHost(llmtest.Script(t,
		`{"ControlLabel": "0", "CurrentSubTask": "otters page", "Status": "ASSIGN"}`,
		`{"Title": "Otters", "Status": "CHECK"}`,
		`{"Result": "Otters", "Status": "FINISH"}`,
	))
	require.NoError(t, err)
	assert.Equal(t, "Otters", run(t, host, "name my otters page"))
}

func run(t *testing.T, agent fsm.Worker, request string) string {
	t.Helper()
	r, err := round.New(agent, request, &round.Options{Observe: func(s round.Step) { t.Log(s) }})
	require.NoError(t, err)
	res, err := r.Run(t.Context())
	require.NoError(t, err) // nil: the agent reached FINISH
	return res.Answer
}
