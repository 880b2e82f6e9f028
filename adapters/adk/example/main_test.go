package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, newScript()))
	assert.Contains(t, out.String(), "Clerk:CONTINUE -> Clerk:FINISH")
	assert.True(t, strings.HasSuffix(out.String(), "assistant: Done. Lunch with Ada is in the calendar, on the 3rd of May, 2027.\n"))
}

// Any end but FINISH is an error of the program.
func TestRunFails(t *testing.T) {
	var out strings.Builder
	require.ErrorContains(t, run(t.Context(), &out, &script{}), "the script has no reply left")
	assert.NotContains(t, out.String(), "assistant:")
}
