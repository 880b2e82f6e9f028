package job

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// folders is a run whose files are in one folder, and whose own folder is another.
func folders(t testing.TB) *run {
	t.Helper()
	user, own := t.TempDir(), t.TempDir()
	return &run{
		Config: Config{In: filepath.Join(user, "report.docx"), Out: filepath.Join(user, "sales.xlsx")},
		in:     filepath.Join(own, "report.docx"), out: filepath.Join(own, "sales.xlsx"),
	}
}

func write(t testing.TB, file, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
}

// has checks what is in a file; "": it is not there.
func has(t testing.TB, file, text string) {
	t.Helper()
	if text == "" {
		assert.NoFileExists(t, file)
		return
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, text, string(data))
}

// alone checks that a folder has those files, and no other.
func alone(t testing.TB, folder string, names ...string) {
	t.Helper()
	list, err := os.ReadDir(folder)
	require.NoError(t, err)
	found := []string{}
	for _, e := range list {
		found = append(found, e.Name())
	}
	assert.ElementsMatch(t, names, found)
}

func TestBring(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		out, ownIn, ownOut string // what is there
		in, want           string // what is in the folder of the run then
	}{
		"a new spreadsheet": {"", "", "", "document", ""},
		"one that is there": {"old", "", "", "document", "old"},
		"brought before":    {"old", "edited", "drawn", "edited", "drawn"},
		"only the document": {"old", "", "drawn", "document", "drawn"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := folders(t)
			write(t, r.In, "document")
			for file, text := range map[string]string{r.Out: c.out, r.in: c.ownIn, r.out: c.ownOut} {
				if text != "" {
					write(t, file, text)
				}
			}
			require.NoError(t, r.bring())
			has(t, r.in, c.in)
			has(t, r.out, c.want)
			has(t, r.In, "document")
			has(t, r.Out, c.out)
		})
	}
}

// A document that is not there, or is no file, leaves nothing that the next process would take for it.
func TestBringFails(t *testing.T) {
	t.Parallel()
	r := folders(t)
	require.ErrorIs(t, r.bring(), fs.ErrNotExist)
	require.NoError(t, os.Mkdir(r.In, 0o700))
	require.Error(t, r.bring())
	alone(t, filepath.Dir(r.in))

	r = folders(t)
	write(t, r.In, "document")
	require.NoError(t, os.Mkdir(r.Out, 0o700))
	require.Error(t, r.bring(), "a folder is where the spreadsheet is to go")
}

func TestDeliver(t *testing.T) {
	t.Parallel()
	r := folders(t)
	write(t, r.out, "drawn")
	require.NoError(t, r.deliver())
	has(t, r.Out, "drawn")
	alone(t, filepath.Dir(r.Out), "sales.xlsx")

	require.NoError(t, r.deliver(), "a process that goes on delivers it once more")

	r = folders(t)
	write(t, r.In, "document")
	write(t, r.Out, "old")
	require.NoError(t, r.bring())
	write(t, r.out, "drawn into it")
	require.NoError(t, r.deliver())
	has(t, r.Out, "drawn into it")
	alone(t, filepath.Dir(r.Out), "sales.xlsx", "report.docx")
}

// A file that nobody has agreed to lose stays.
func TestDeliverKeepsWhatOthersWrote(t *testing.T) {
	t.Parallel()
	for name, old := range map[string]string{"there was none": "", "it was another": "old"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := folders(t)
			write(t, r.In, "document")
			if old != "" {
				write(t, r.Out, old)
			}
			require.NoError(t, r.bring())
			write(t, r.out, "drawn")
			write(t, r.Out, "of somebody else")
			require.Error(t, r.deliver())
			has(t, r.Out, "of somebody else")
			alone(t, filepath.Dir(r.Out), "sales.xlsx", "report.docx")
		})
	}
}

// What cannot be delivered leaves what was there, and nothing else.
func TestDeliverFails(t *testing.T) {
	t.Parallel()
	r := folders(t)
	write(t, r.Out, "old")
	err := r.deliver()
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "job: ")
	require.NoError(t, os.Mkdir(r.out, 0o700))
	require.Error(t, r.deliver(), "a folder is no spreadsheet")
	has(t, r.Out, "old")
	alone(t, filepath.Dir(r.Out), "sales.xlsx")

	r = folders(t)
	write(t, r.out, "drawn")
	require.NoError(t, os.MkdirAll(filepath.Join(r.Out, "inside"), 0o700))
	require.Error(t, r.deliver(), "a folder is where the spreadsheet is to go")
	alone(t, filepath.Dir(r.Out), "sales.xlsx")

	r.Out = filepath.Join(filepath.Dir(r.Out), "gone", "sales.xlsx")
	assert.ErrorIs(t, r.deliver(), fs.ErrNotExist)
}

// What cannot be delivered is kept, and the error says where.
func TestKeep(t *testing.T) {
	r := folders(t)
	t.Setenv("TMPDIR", t.TempDir())
	write(t, r.out, "drawn")
	why := errors.New("the folder is full")
	err := r.keep(why)
	require.ErrorIs(t, err, why)
	_, file, ok := strings.Cut(err.Error(), "; it is in ")
	require.True(t, ok, err)
	has(t, file, "drawn")

	r.Dir = filepath.Dir(r.out)
	assert.EqualError(t, r.keep(why), "the folder is full; it is in "+r.out)

	require.NoError(t, os.Remove(r.out))
	r.Dir = ""
	err = r.keep(why)
	require.ErrorIs(t, err, why)
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

// A place where no file can be written is found before the work is done.
func TestTryOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, tryOut(filepath.Join(dir, "a.xlsx")))
	alone(t, dir)
	require.ErrorIs(t, tryOut(filepath.Join(dir, "none", "a.xlsx")), fs.ErrNotExist)
	_, err := os.Stat("/dev/full")
	if err == nil {
		assert.Error(t, tryOut("/proc/a.xlsx"), "nobody makes files there")
	}
}
