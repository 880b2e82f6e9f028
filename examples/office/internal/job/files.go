package job

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// bring copies the document, and the spreadsheet that is to be replaced, into the folder of the run.
func (r *run) bring() error {
	document, err := os.ReadFile(r.In)
	if err == nil {
		err = os.WriteFile(r.in, document, 0o600)
	}
	if err != nil {
		return fmt.Errorf("job: the document: %w", err)
	}
	r.before, err = os.ReadFile(r.Out)
	if err == nil {
		err = os.WriteFile(r.out, r.before, 0o600)
	}
	if errors.Is(err, fs.ErrNotExist) {
		r.before = nil
		_, err = os.Stat(filepath.Dir(r.Out))
	}
	if err != nil {
		return fmt.Errorf("job: the spreadsheet: %w", err)
	}
	return nil
}

// deliver puts the spreadsheet where it was wanted, whole or not at all. What another program has put there meanwhile
// stays: nobody has agreed to lose that.
func (r *run) deliver() error {
	data, err := os.ReadFile(r.out)
	if err != nil {
		return fmt.Errorf("job: %w", err)
	}
	part := filepath.Join(filepath.Dir(r.Out), "."+filepath.Base(r.Out)+".part")
	defer func() { _ = os.Remove(part) }() // a link leaves it
	if err = os.WriteFile(part, data, 0o644); err == nil {
		if now, failed := os.ReadFile(r.Out); r.before == nil {
			err = os.Link(part, r.Out) // fails if there is a file
		} else if failed != nil || !bytes.Equal(now, r.before) {
			err = fmt.Errorf("%s was changed while the agents worked", r.Out)
		} else {
			err = os.Rename(part, r.Out)
		}
	}
	if err == nil {
		return nil
	}
	// It outlives the run elsewhere.
	dir, failed := os.MkdirTemp("", "office-")
	kept := filepath.Join(dir, filepath.Base(r.Out))
	if failed == nil {
		failed = os.WriteFile(kept, data, 0o600)
	}
	if failed != nil {
		return errors.Join(err, failed)
	}
	return fmt.Errorf("job: %w; it is in %s", err, kept)
}
