package job_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/office/internal/job"
)

// Files of other kinds, and one that is not there, are found before anything starts.
func TestFilesAreChecked(t *testing.T) {
	t.Parallel()
	const kinds = "job: the document must be a .docx or .odt, and the spreadsheet a .xlsx or .ods"
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "there.docx"), nil, 0o600))
	for name, c := range map[string]struct{ in, out, want string }{
		"a PDF":             {"a.pdf", "a.xlsx", kinds},
		"an old document":   {"a.doc", "a.xlsx", kinds},
		"no ending":         {"docx", "a.xlsx", kinds},
		"a spreadsheet":     {"a.xlsx", "a.ods", kinds},
		"a table of commas": {"a.docx", "a.csv", kinds},
		"a document out":    {"a.docx", "b.docx", kinds},
		"nothing out":       {"a.odt", "", kinds},
		"no document":       {"gone.docx", "a.xlsx", "job: the document: "},
		"no folder":         {"there.docx", "none/a.xlsx", "job: the folder of the spreadsheet: "},
		"no document, .odt": {"gone.odt", "a.ods", "job: the document: "},
	} {
		run := filepath.Join(dir, "run")
		report, err := job.Run(t.Context(), job.Config{In: filepath.Join(dir, c.in), Out: filepath.Join(dir, c.out), Dir: run})
		require.ErrorContains(t, err, c.want, name)
		assert.Equal(t, c.want != kinds, errors.Is(err, fs.ErrNotExist), name)
		assert.Empty(t, report, name)
		assert.NoDirExists(t, run, name)
	}
}

// What is not installed is said before anything is made.
func TestNotInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := t.TempDir()
	in := filepath.Join(dir, "a.docx")
	require.NoError(t, os.WriteFile(in, nil, 0o600))
	report, err := job.Run(t.Context(), job.Config{In: in, Out: filepath.Join(dir, "a.xlsx"), Dir: filepath.Join(dir, "run")})
	require.ErrorContains(t, err, "stage: headless: ")
	require.NotErrorIs(t, err, fs.ErrNotExist)
	assert.Empty(t, report)
	assert.NoDirExists(t, filepath.Join(dir, "run"))
}
