package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
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

// workbook is an .xlsx file. Only the sheet Answer changes, and nothing is on disk before save_workbook, which refuses if
// the file changed meanwhile.
type workbook struct {
	path string

	mu     sync.Mutex
	before []byte // what the file had; nil: there was none
	book   *excelize.File
}

func newWorkbook(path string) (desktop.Desktop, error) {
	w := &workbook{path: path}
	return desktop.New(
		desktop.Func("write_rows", "Replace the sheet by rows, from A1 on.", w.write, &desktop.Annotations{IdempotentHint: true}),
		desktop.Func("save_workbook", "Save the workbook. Other sheets stay.", w.save, &desktop.Annotations{DestructiveHint: true}),
	)
}

// read returns nil if there is no file.
func (w *workbook) read() ([]byte, error) {
	data, err := os.ReadFile(w.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

func (w *workbook) write(_ context.Context, in rowsInput) (saved, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before, err := w.read()
	book := excelize.NewFile()
	if err == nil && before == nil {
		err = book.SetSheetName("Sheet1", sheet)
	} else if err == nil {
		if book, err = excelize.OpenReader(bytes.NewReader(before)); err == nil {
			_, failed := book.NewSheet("." + sheet) // a workbook has one sheet at least
			err = errors.Join(failed, book.DeleteSheet(sheet), book.SetSheetName("."+sheet, sheet))
		}
	}
	if err != nil {
		return saved{}, fmt.Errorf("%s: %w", w.path, err)
	}
	for i, row := range in.Rows {
		err = errors.Join(err, book.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &row))
	}
	w.book, w.before = book, before
	return saved{w.path}, err
}

func (w *workbook) save(context.Context, struct{}) (saved, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now, err := w.read()
	switch {
	case err != nil:
		return saved{}, err
	case w.book == nil:
		return saved{}, errors.New("nothing is written")
	case (now == nil) != (w.before == nil) || !bytes.Equal(now, w.before):
		return saved{}, errors.New("the file was changed by somebody else meanwhile")
	}
	data, err := w.book.WriteToBuffer()
	if err != nil {
		return saved{}, err
	}
	part := w.path + ".part"
	if err = os.WriteFile(part, data.Bytes(), 0o644); err == nil {
		err = os.Rename(part, w.path)
	}
	w.before = data.Bytes()
	return saved{w.path}, err
}
