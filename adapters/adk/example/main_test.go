package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, newScript()))
	assert.Contains(t, out.String(), "HostAgent:CONTINUE -> HostAgent:FINISH")
	assert.True(t, strings.HasSuffix(out.String(), "assistant: Done. Lunch with Ada is in the calendar, on the 3rd of May, 2027.\n"))
}

// Whatever is not FINISH is an error of the program.
func TestRunFails(t *testing.T) {
	short := newScript()
	short.replies = short.replies[:3]
	var out strings.Builder
	err := run(t.Context(), &out, short)
	require.ErrorContains(t, err, errScript.Error())
	assert.NotContains(t, out.String(), "assistant:")
}

func TestRunCannotPrint(t *testing.T) {
	assert.ErrorIs(t, run(t.Context(), full{}, newScript()), errFull)
}

var errFull = errors.New("the disk is full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
