package job

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// bring copies the document, and a spreadsheet that is there, into the folder of the run. What is there already was
// brought by the process before.
func (r *run) bring() error {
	for from, to := range map[string]string{r.In: r.in, r.Out: r.out} {
		if _, err := os.Stat(to); err == nil {
			continue
		}
		if err := copyFile(from, to); err != nil && (from == r.In || !errors.Is(err, os.ErrNotExist)) {
			return err
		}
	}
	return nil
}

// deliver puts the spreadsheet where it was wanted.
func (r *run) deliver() error {
	if err := copyFile(r.out, r.Out); err != nil {
		return fmt.Errorf("job: %w", err)
	}
	return nil
}

// copyFile copies a file: whole, or not at all.
func copyFile(from, to string) error {
	part := filepath.Join(filepath.Dir(to), "."+filepath.Base(to)+".part")
	err := copyTo(part, from)
	if err == nil {
		err = os.Rename(part, to)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(part))
	}
	return nil
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
