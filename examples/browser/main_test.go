package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/examples/internal/person"
)

func TestFlags(t *testing.T) {
	for name, c := range map[string]struct {
		env    map[string]string
		args   []string
		status int
		says   string
	}{
		"help":               {nil, []string{"-h"}, 0, "-confirm"},
		"argument":           {nil, []string{"go"}, 2, `what is "go"?`},
		"unknown":            {nil, []string{"-fast"}, 2, "-fast"},
		"confirm":            {nil, []string{"-confirm", "maybe"}, 2, "not ask, yes or no"},
		"no run":             {nil, []string{"-runs", "0"}, 2, "must be 1 at least"},
		"a key and no model": {map[string]string{"OPENAI_API_KEY": "k"}, nil, 2, "say with -model"},
		"a URL and no model": {map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, nil, 2, "say with -model"},
		"model of nowhere":   {nil, []string{"-model", "m"}, 2, "says where it is"},
		"gullible model":     {map[string]string{"OPENAI_API_KEY": "k"}, []string{"-model", "m", "-gullible"}, 2, "-gullible"},
		"no parts":           {nil, []string{"-parts", "nowhere", "-out", t.TempDir()}, 1, "internal/lab/realparts/install.sh"},
		"record":             {nil, []string{"-jsonl", t.TempDir()}, 1, "-jsonl"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, variable := range []string{"OPENAI_API_KEY", "OPENAI_BASE_URL"} {
				t.Setenv(variable, c.env[variable])
			}
			var errs bytes.Buffer
			status := run(t.Context(), c.args, person.Console{In: strings.NewReader(""), Out: io.Discard, Err: &errs})
			assert.Equal(t, c.status, status)
			assert.Contains(t, errs.String(), c.says)
			if c.status == 2 {
				assert.Equal(t, 1, strings.Count(errs.String(), "\n"), "one line, which says what is wrong: %s", errs.String())
			}
		})
	}
}
