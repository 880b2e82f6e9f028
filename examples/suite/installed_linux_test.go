package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What is not installed is said in the line of the task, before anything starts.
func TestNotInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, more := range [][]string{nil, {"-pictures", "-v"}, {"-model", "m"}} {
		if slices.Contains(more, "-model") {
			t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
		}
		var out, errs bytes.Buffer
		assert.Equal(t, 1, run(t.Context(), append(more, "-tasks", "mail,calculator"), &out, &errs))
		assert.Contains(t, out.String(), "| calculator |  | 0 | 0 | 0 | 0.0 s |\n| mail |  | 0 | 0 | 0 | 0.0 s |\n\n0 of 2 tasks are done.\n")
		lines := strings.Split(errs.String(), "\n")
		assert.Len(t, lines, 3, errs.String())
		assert.Regexp(t, "^calculator: .*not installed.*galculator", lines[0])
		assert.Regexp(t, "^mail: .*not installed.*mousepad", lines[1])
	}
}
