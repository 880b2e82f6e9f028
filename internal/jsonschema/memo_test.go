package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/jsonschema"
)

func TestRemembered(t *testing.T) {
	schema := func(i int) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(`{"type":"integer","maximum":%d}`, i))
	}
	first, err := jsonschema.Remembered(schema(0))
	require.NoError(t, err)
	again, err := jsonschema.Remembered(schema(0))
	require.NoError(t, err)
	assert.Same(t, first, again)

	for i := range 1000 { // more than are kept
		s, err := jsonschema.Remembered(schema(i))
		require.NoError(t, err)
		assert.Empty(t, s.Validate(json.Number(fmt.Sprint(i))))
		assert.NotEmpty(t, s.Validate(json.Number(fmt.Sprint(i+1))), "each is checked by its own schema")
	}
	again, err = jsonschema.Remembered(schema(0))
	require.NoError(t, err)
	assert.NotSame(t, first, again, "the oldest are forgotten")
}

func TestRememberedDoesNotKeep(t *testing.T) {
	for range 2 {
		_, err := jsonschema.Remembered(json.RawMessage(`{"type":7}`))
		var broken *jsonschema.CompileError
		require.ErrorAs(t, err, &broken, "an error is one each time")
	}
	large := json.RawMessage(`{"description":"` + strings.Repeat("x", 5000) + `"}`)
	first, err := jsonschema.Remembered(large)
	require.NoError(t, err)
	again, err := jsonschema.Remembered(large)
	require.NoError(t, err)
	assert.NotSame(t, first, again)

	mine := json.RawMessage(`{"type":"string"}`)
	_, err = jsonschema.Remembered(mine)
	require.NoError(t, err)
	copy(mine, `{"type":"number"}`) // the caller's to change
	s, err := jsonschema.Remembered(json.RawMessage(`{"type":"string"}`))
	require.NoError(t, err)
	assert.Empty(t, s.Validate("text"))
}
