package cli_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/examples/browser/internal/cli"
	"github.com/agentfsm/agentfsm/examples/internal/person"
)

func TestRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"help":         {[]string{"-h"}, 0, "-hostile"},
		"wrong flag":   {[]string{"-nonsense"}, 2, "-nonsense"},
		"no runs":      {[]string{"-runs", "0"}, 2, "-runs must be 1"},
		"maybe":        {[]string{"-confirm", "maybe"}, 2, "ask, yes or no"},
		"an argument":  {[]string{"now"}, 2, `what is "now"?`},
		"no parts":     {[]string{"-parts", t.TempDir(), "-out", t.TempDir()}, 1, "a part is not installed"},
		"no out":       {[]string{"-out", "/dev/null/x"}, 1, "/dev/null"},
		"no such file": {[]string{"-jsonl", "/dev/null/x", "-out", t.TempDir()}, 1, "/dev/null/x"},
	} {
		var out, errs bytes.Buffer
		status := cli.Run(t.Context(), c.args, person.Console{Out: &out, Err: &errs}, nil)
		assert.Equal(t, c.status, status, name)
		assert.Contains(t, errs.String(), c.says, name)
	}
}
