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
	for _, want := range []string{"Clerk:CONTINUE -> Clerk:FINISH", "  approved: Allow send_mail", "assistant: Done: ", "Ada knows that the expenses are 1000."} {
		assert.Contains(t, out.String(), want)
	}
}

// Any end but FINISH is an error of the program.
func TestRunFails(t *testing.T) {
	var out strings.Builder
	require.ErrorContains(t, run(t.Context(), &out, &script{}), "the script has no reply left")
	assert.NotContains(t, out.String(), "assistant:")
}
