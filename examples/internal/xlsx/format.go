package xlsx

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// SetFormat sets how the numbers of a column, from 1, are shown: a number
// format such as #,##0.00 or 0%; "" is the usual one. Values stay as they are.
func (b *Book) SetFormat(col int, format string) error {
	name, err := Column(col)
	if err != nil {
		return err
	}
	if strings.Count(format, `"`)%2 != 0 || len(format) > 255 {
		return &Error{Where: name, Err: ErrFormat, Reason: strconv.Quote(format)}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	style, ok := b.formats[format]
	if !ok && format != "" {
		style, err = b.file.NewStyle(&excelize.Style{CustomNumFmt: &format})
		if err != nil {
			return &Error{Where: name, Err: ErrFormat, Reason: err.Error()}
		}
		b.formats[format] = style
	}
	if err := b.file.SetColStyle(b.sheet, name, style); err != nil {
		return at(name, err)
	}
	b.column(col).format = format
	return nil
}

// SetHeader makes a row the header: bold, and over numbers to the right as they are. A
// format of a column that is set later takes it from its cell.
func (b *Book) SetHeader(row int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	family, err := b.file.GetDefaultFont()
	if err != nil {
		return at(fmt.Sprint("row ", row), err)
	}
	for p := range b.numbers {
		if p.row != row {
			continue
		}
		look := &excelize.Style{Font: &excelize.Font{Bold: true, Family: family, Size: 11}}
		if format := b.column(p.col).format; format != "" {
			look.CustomNumFmt = &format
		}
		if b.numbers[place{p.col, row + 1}] {
			look.Alignment = &excelize.Alignment{Horizontal: "right"}
		}
		cell := cellName(p.col, p.row)
		style, err := b.file.NewStyle(look)
		if err == nil {
			err = b.file.SetCellStyle(b.sheet, cell, cell, style)
		}
		if err != nil {
			return at(cell, err)
		}
	}
	return nil
}
