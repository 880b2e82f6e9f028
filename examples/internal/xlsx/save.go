package xlsx

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Save writes the book to path, which must end in .xlsx. A file that exists is
// replaced only with overwrite; otherwise the error is [ErrExists]. Whatever
// goes wrong, path is what it was before, and nothing else is left behind. The
// book may be changed and saved again.
func (b *Book) Save(ctx context.Context, path string, overwrite bool) error {
	if !strings.EqualFold(filepath.Ext(path), ".xlsx") {
		return &Error{Where: path, Err: ErrName}
	}
	if err := context.Cause(ctx); err != nil {
		return &Error{Where: path, Err: err}
	}
	// Through a link, the file behind it is replaced.
	target := path
	if behind, err := filepath.EvalSymlinks(path); err == nil {
		target = behind
	}
	mode, err := replaceable(target, overwrite)
	if err != nil {
		return at(path, err)
	}
	data, err := b.bytes()
	if err != nil {
		return at(path, err)
	}
	temporary, err := writeTemporary(ctx, target, data, mode)
	if err == nil {
		if err = publish(temporary, target, overwrite); err != nil {
			err = errors.Join(err, remove(temporary))
		}
	}
	return at(path, err)
}

// replaceable says whether a file may be written at target, and with which
// mode; 0: the usual one.
func replaceable(target string, overwrite bool) (fs.FileMode, error) {
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, err
	case !info.Mode().IsRegular():
		return 0, &Error{Err: ErrExists, Reason: "and is not a regular file"}
	case !overwrite:
		return 0, &Error{Err: ErrExists}
	}
	return info.Mode().Perm(), nil
}

// bytes returns the book as a file.
func (b *Book) bytes() ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for col, c := range b.columns {
		name, err := excelize.ColumnNumberToName(col)
		width, was := float64(c.width()), 0.0
		if err == nil && b.opened {
			was, err = b.file.GetColWidth(b.sheet, name)
		}
		if err == nil {
			err = b.file.SetColWidth(b.sheet, name, name, max(width, was))
		}
		if err != nil {
			return nil, err
		}
	}
	if err := b.setPage(); err != nil {
		return nil, err
	}
	buf, err := b.file.WriteToBuffer()
	if err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// writeTemporary writes data beside target, so that a rename cannot cross file
// systems. On an error nothing is left.
func writeTemporary(ctx context.Context, target string, data []byte, mode fs.FileMode) (name string, err error) {
	name = filepath.Join(filepath.Dir(target), "."+rand.Text()+".tmp")
	// os.CreateTemp would make a file that only its owner may read.
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err // nobody knows the temporary name
		}
		return "", err
	}
	_, err = f.Write(data)
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync() // the new name must not be there before the content
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return "", errors.Join(err, remove(name))
	}
	return name, nil
}

// publish gives the temporary file its name.
func publish(temporary, target string, overwrite bool) error {
	if overwrite {
		return os.Rename(temporary, target)
	}
	// A link, unlike a rename, does not replace a file that came meanwhile.
	err := os.Link(temporary, target)
	switch {
	case err == nil:
		_ = remove(temporary) // the file is there; a second name for it is no failure
		return nil
	case errors.Is(err, fs.ErrExist):
		return &Error{Err: ErrExists}
	}
	// A file system without links: look again, then rename.
	if _, err := replaceable(target, false); err != nil {
		return err
	}
	return os.Rename(temporary, target)
}

func remove(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
