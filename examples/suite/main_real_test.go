//go:build linux

package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// installed ends a test where a program of a task is not installed.
func installed(t testing.TB) {
	t.Helper()
	realpartstest.Need(t)
	var programs []string
	for _, x := range everyTask(t) {
		programs = append(programs, x.Needs...)
	}
	slices.Sort(programs)
	realpartstest.Desktop(t, headless.Missing(t.Context(), slices.Compact(programs)...))
}

// The rules do all tasks, and again with the same scores. AGENTFSM_RUNS says how many tasks are enough.
func TestRealSuite(t *testing.T) {
	installed(t)
	want, names := full(t), []string{}
	for _, x := range everyTask(t) {
		names = append(names, x.Name)
	}
	enough := realpartstest.Runs(len(names))
	for _, name := range names[enough:] {
		delete(want, name)
	}
	for range 2 {
		var out, errs bytes.Buffer
		status := run(t.Context(), []string{"-tasks", strings.Join(names[:enough], ",")}, &out, &errs)
		t.Logf("%s%s", out.String(), errs.String())
		assert.Equal(t, want, scores(out.String()))
		assert.Zero(t, status)
		assert.Empty(t, errs.String())
	}
}
