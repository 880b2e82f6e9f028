package hostagent_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
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
