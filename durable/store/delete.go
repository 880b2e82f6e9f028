package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Delete implements [Store]. It deletes the file of the run, and those beside it that end in .lock and
// .moved. A Read that is under way goes on to the end of the run as it was. An Append that hangs holds
// Delete up for a second, and fails when it goes on.
//
// On Windows Delete fails while somebody reads the run, and the file that ends in .lock stays, empty.
func (s *FileStore) Delete(ctx context.Context, run string) error {
	hold, err := s.locks.drive(ctx, run, false)
	if err != nil {
		return err
	}
	err = folder(s.locks.dir).delete(ctx, fileName(run), os.Remove)
	if err == nil {
		hold.forget(s.locks.file(run))
	}
	if err = errors.Join(err, hold.Release(ctx)); err != nil {
		return fmt.Errorf("store: delete run %q: %w", run, err)
	}
	return nil
}

// delete removes the files that have records of a run. The caller drives it.
func (d folder) delete(ctx context.Context, name string, remove func(path string) error) error {
	limited, cancel := context.WithTimeout(ctx, stuckAfter)
	defer cancel()
	f, _, err := d.lock(limited, name, forWriting) // who appends beside comes before, or after
	switch {
	case err == nil && sharesOpen:
		defer func() { _ = f.Close() }() // nothing was written
	case err == nil:
		err = f.Close() // what is open stays on such a system
	case errors.Is(err, fs.ErrNotExist) || ctx.Err() == nil && limited.Err() != nil && sharesOpen:
		err = nil // nothing is there, or who hangs finds that its file has gone
	}
	// What was moved goes first: without the other file it is taken for the run.
	path := d.path(name)
	for _, p := range []string{strings.TrimSuffix(path, fileSuffix) + markSuffix, moved(path), path} {
		if err != nil {
			break
		}
		if err = remove(p); err == nil {
			err = d.syncFolder()
		} else if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return err
}
