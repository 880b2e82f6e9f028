package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFlags(t *testing.T) {
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"help":           {[]string{"-h"}, 0, "-pictures"},
		"argument":       {[]string{"sum"}, 2, `what is "sum"?`},
		"unknown":        {[]string{"-fast"}, 2, "-fast"},
		"no such task":   {[]string{"-tasks", "sum,tea"}, 2, `no task "tea"`},
		"no limit":       {[]string{"-limit", "soon"}, 2, "-limit"},
		"no endpoint":    {[]string{"-model", "m"}, 2, "belong together"},
		"a task is none": {[]string{"-tasks", "-v"}, 2, `no task "-v"`},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			assert.Equal(t, c.status, run(t.Context(), c.args, &out, &errs))
			assert.Contains(t, errs.String(), c.says)
			assert.Empty(t, out.String(), "nothing has begun")
		})
	}
}

// Who has said where a model is means it.
func TestEndpointWithoutModel(t *testing.T) {
	for _, name := range []string{"OPENAI_BASE_URL", "OPENAI_API_KEY"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "x")
			var out, errs bytes.Buffer
			assert.Equal(t, 2, run(t.Context(), nil, &out, &errs))
			assert.Contains(t, errs.String(), "unset both")
		})
	}
}
