package job

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// bring copies the document, and a spreadsheet that is there, into the folder of the run. What is there already was
// brought by the process before.
func (r *run) bring() error {
	for _, c := range []struct {
		from, to string
		must     bool
	}{{r.In, r.in, true}, {r.Out, r.before(), false}, {r.before(), r.out, false}} {
		if _, err := os.Stat(c.to); err == nil {
			continue
		}
		if err := copyFile(c.from, c.to, os.Rename); err != nil && (c.must || !errors.Is(err, os.ErrNotExist)) {
			return err
		}
	}
	return nil
}

// before is the spreadsheet as it was before the run, if there was one.
func (r *run) before() string { return r.out + ".before" }

// deliver puts the spreadsheet where it was wanted. What somebody else has put there meanwhile stays: nobody has agreed to
// lose that.
func (r *run) deliver() error {
	if same(r.out, r.Out) { // by the process before
		return nil
	}
	place := os.Rename
	switch _, err := os.Stat(r.before()); {
	case errors.Is(err, os.ErrNotExist):
		place = os.Link // fails where a file is
	case err == nil && !same(r.before(), r.Out):
		return fmt.Errorf("job: %s was changed while the agents worked", r.Out)
	}
	if err := copyFile(r.out, r.Out, place); err != nil {
		return fmt.Errorf("job: %w", err)
	}
	return nil
}

// keep puts the spreadsheet where it outlives the run, and says where.
func (r *run) keep(err error) error {
	if r.Dir != "" {
		return fmt.Errorf("%w; it is in %s", err, r.out)
	}
	dir, failed := os.MkdirTemp("", "office-")
	if failed == nil {
		to := filepath.Join(dir, filepath.Base(r.out))
		if failed = copyFile(r.out, to, os.Rename); failed == nil {
			return fmt.Errorf("%w; it is in %s", err, to)
		}
	}
	return errors.Join(err, failed)
}

// enough is how many bytes a folder must take for a spreadsheet.
const enough = 1 << 16

// tryOut reports why no file can be written at a place.
func tryOut(file string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(file), ".*.part")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, enough))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// same reports whether two files hold the same.
func same(a, b string) bool {
	x, err := os.ReadFile(a)
	if err != nil {
		return false
	}
	y, err := os.ReadFile(b)
	return err == nil && bytes.Equal(x, y)
}

// copyFile copies a file: whole, or not at all. place gives the copy its name.
func copyFile(from, to string, place func(part, to string) error) error {
	part := filepath.Join(filepath.Dir(to), "."+filepath.Base(to)+".part")
	err := copyTo(part, from)
	if err == nil {
		err = place(part, to)
	}
	if removed := os.RemoveAll(part); err == nil { // a link leaves it
		err = removed
	}
	return err
}

func copyTo(part, from string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it was only read
	out, err := os.Create(part)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
