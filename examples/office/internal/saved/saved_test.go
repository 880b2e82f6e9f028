package saved_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
	"github.com/agentfsm/agentfsm/examples/office/internal/saved"
)

func TestCellsPrint(t *testing.T) {
	t.Parallel()
	for want, cell := range map[string]saved.Cell{
		`"North"`: text("North"), `""`: text(""), `"4"`: text("4"), "4": number(4), "-1204.5": number(-1204.5), "0.1": number(0.1), "1e+21": number(1e21),
	} {
		assert.Equal(t, want, cell.String())
	}
}

// What is no spreadsheet is an error that names the file, but not where it is.
func TestOtherFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := saved.Read(filepath.Join(dir, "gone.xlsx"))
	require.ErrorIs(t, err, fs.ErrNotExist)

	archive := docxtest.Zip(map[string]string{"a": "b"})
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a.pdf":     {archive, "saved: a.pdf: neither .xlsx nor .ods"},
		"a":         {archive, "saved: a: neither .xlsx nor .ods"},
		"text.xlsx": {[]byte("Region;2024\n"), "saved: zip: not a valid zip file"},
		"empty.ods": {nil, "saved: zip: not a valid zip file"},
		"cut.ods":   {docxtest.Zip(map[string]string{"content.xml": sheets("")})[:200], "saved: zip: not a valid zip file"},
		"none.ods":  {archive, "saved: none.ods: it has no sheet"},
		"none.xlsx": {archive, "saved: none.xlsx: "},
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, c.data, 0o600))
		sheet, err := saved.Read(file)
		assert.ErrorContains(t, err, c.want, name)
		assert.Nil(t, sheet, name)
	}
}
