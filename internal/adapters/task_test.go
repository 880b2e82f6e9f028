package adapters_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/adapters"
)

// The tag cannot be made of the constant.
func TestTaskArguments(t *testing.T) {
	field, ok := reflect.TypeFor[adapters.TaskArguments]().FieldByName("Request")
	require.True(t, ok)
	assert.Equal(t, "request", field.Tag.Get("json"))
	assert.Equal(t, adapters.RequestDescription, field.Tag.Get("jsonschema"))
}
