package xlsx

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/xuri/excelize/v2"
)

// maxUnzipped is how large a workbook may be when it is unpacked.
const maxUnzipped = 256 << 20

// Open reads a workbook and returns it at one of its sheets, which is added when
// there is none of that name. The other sheets are kept as they are, as far as the
// library behind this package understands them. Errors are those of the file system,
// and [ErrBroken].
func Open(path, sheet string) (*Book, error) {
	file, err := excelize.OpenFile(path, excelize.Options{UnzipSizeLimit: maxUnzipped, UnzipXMLSizeLimit: maxUnzipped})
	if err != nil {
		if errors.As(err, new(*fs.PathError)) {
			return nil, at(path, err)
		}
		return nil, &Error{Where: path, Err: ErrBroken, Reason: err.Error()}
	}
	b := &Book{file: file, numbers: map[place]bool{}, columns: map[int]*column{}, formats: map[string]int{}, opened: true}
	if err := b.at(sheetName(sheet)); err != nil {
		return nil, errors.Join(&Error{Where: path, Err: ErrBroken, Reason: err.Error()}, file.Close())
	}
	return b, nil
}

// at goes to a sheet and looks which of its cells hold something.
func (b *Book) at(name string) error {
	b.sheet = name
	for _, there := range b.file.GetSheetList() {
		if strings.EqualFold(there, name) {
			b.sheet = there
		}
	}
	if _, err := b.file.NewSheet(b.sheet); err != nil { // one that is there stays
		return err
	}
	rows, err := b.file.GetRows(b.sheet, excelize.Options{RawCellValue: true})
	if err != nil {
		return err
	}
	for r, row := range rows {
		for c, text := range row {
			cell, err := Cell(c+1, r+1)
			if err != nil {
				return err
			}
			kind, err := b.file.GetCellType(b.sheet, cell)
			if err != nil {
				return err
			}
			if text != "" {
				b.numbers[place{c + 1, r + 1}] = kind == excelize.CellTypeNumber || kind == excelize.CellTypeUnset
			}
		}
	}
	return nil
}

// Clear empties all cells of the sheet.
func (b *Book) Clear() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for p := range b.numbers {
		if err := b.set(p, nil); err != nil {
			return err
		}
	}
	return nil
}
