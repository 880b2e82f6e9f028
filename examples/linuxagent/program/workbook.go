package program

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/desktop"
)

const sheet = "Answer"

type (
	rowsInput struct {
		Rows [][]any `json:"rows" desc:"texts, numbers, and null for an empty cell"`
	}
	saved struct {
		File string `json:"file"`
	}
)

// newWorkbook returns the tools of an .xlsx file. Only the sheet Answer changes, and nothing is on disk before
// save_workbook, which refuses if the file changed meanwhile.
func newWorkbook(path string) (desktop.Desktop, error) {
	var mu sync.Mutex
	var book *excelize.File
	var was fs.FileInfo // nil: there was no file
	stat := func() (fs.FileInfo, error) {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil //nolint:nilnil // no file is no error here
		}
		return info, err
	}
	write := func(_ context.Context, in rowsInput) (_ saved, err error) {
		mu.Lock()
		defer mu.Unlock()
		if was, err = stat(); err != nil {
			return saved{}, err
		}
		book = excelize.NewFile()
		if was != nil {
			if book, err = excelize.OpenFile(path); err != nil {
				return saved{}, fmt.Errorf("%s: %w", path, err)
			}
		}
		if was == nil {
			err = book.SetSheetName("Sheet1", sheet)
		} else if err = book.DeleteSheet(sheet); err == nil {
			_, err = book.NewSheet(sheet)
		}
		for i, row := range in.Rows {
			err = errors.Join(err, book.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &row))
		}
		return saved{path}, err
	}
	save := func(context.Context, struct{}) (_ saved, err error) {
		mu.Lock()
		defer mu.Unlock()
		now, err := stat()
		switch {
		case err != nil:
			return saved{}, err
		case book == nil:
			return saved{}, errors.New("nothing is written")
		case (was == nil) != (now == nil) || was != nil && (!os.SameFile(was, now) || was.Size() != now.Size() || !was.ModTime().Equal(now.ModTime())):
			return saved{}, errors.New("the file was changed by somebody else meanwhile")
		}
		file, err := os.CreateTemp(filepath.Dir(path), ".workbook-*")
		if err != nil {
			return saved{}, err
		}
		err = errors.Join(book.Write(file), file.Sync(), file.Close())
		if err == nil {
			err = os.Rename(file.Name(), path)
		}
		if err != nil {
			return saved{}, errors.Join(err, os.Remove(file.Name()))
		}
		was, err = stat()
		return saved{path}, err
	}
	return desktop.New(
		desktop.Func("write_rows", "Replace the sheet by rows, from A1 on.", write, &desktop.Annotations{IdempotentHint: true}),
		desktop.Func("save_workbook", "Save the workbook. Other sheets stay.", save, &desktop.Annotations{DestructiveHint: true}),
	)
}
