package cli_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/examples/office/internal/cli"
)

func TestRun(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "a.ods")
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"help":         {[]string{"-h"}, 0, "-pictures"},
		"wrong flag":   {[]string{"-nonsense"}, 2, "-nonsense"},
		"no document":  {[]string{"-out", out}, 2, "-in names a document"},
		"maybe":        {[]string{"-in", "a.odt", "-out", out, "-confirm", "maybe"}, 2, "ask, yes or no"},
		"an argument":  {[]string{"-in", "a.odt", "-out", out, "now"}, 2, `what is "now"?`},
		"a PDF":        {[]string{"-in", "a.pdf", "-out", out}, 1, "must be a .docx or .odt"},
		"another file": {[]string{"-in", "a.odt", "-out", "a.csv"}, 1, "a .xlsx or .ods"},
	} {
		var out, errs bytes.Buffer
		status := cli.Run(t.Context(), c.args, person.Console{Out: &out, Err: &errs}, nil)
		assert.Equal(t, c.status, status, name)
		assert.Contains(t, errs.String(), c.says, name)
	}
}
