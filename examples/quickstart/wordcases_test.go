package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/wordcases"
)

// Documents that are easy to read wrongly: the file has the numbers that a person reads on the page, or the run says why
// there is none.
func TestWordCases(t *testing.T) {
	t.Parallel()
	list := wordcases.All()
	require.GreaterOrEqual(t, len(list), 40)
	for _, c := range list {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			in, out := filepath.Join(dir, "in.docx"), filepath.Join(dir, "out.xlsx")
			require.NoError(t, os.WriteFile(in, c.Docx(), 0o600))
			o := quickstart(t, "-in", in, "-out", out, "-request", c.Request)
			if c.Refused != "" {
				assert.Equal(t, 1, o.status, "%s: %s", c.Why, o.answer)
				assert.Contains(t, o.errors, "FAIL: ")
				assert.Contains(t, o.errors, c.Refused, c.Why)
				assert.Equal(t, []string{"in.docx"}, files(t, dir))
				return
			}
			require.Equal(t, 0, o.status, "%s: %s", c.Why, o.errors)
			data, err := os.ReadFile(out)
			require.NoError(t, err)
			assert.NoError(t, c.Check(data), c.Why)
		})
	}
}
