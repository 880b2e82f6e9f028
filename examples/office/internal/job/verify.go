package job

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/examples/internal/table"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
	"github.com/agentfsm/agentfsm/examples/office/internal/saved"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/proof"
)

// by is who verifies.
const by = "the file, read back"

// verify compares the spreadsheet with the table that Writer's agent has extracted.
func (r *run) verify(ctx context.Context, _ proof.Claim) (proof.Finding, error) {
	no := func(format string, args ...any) (proof.Finding, error) {
		return proof.Finding{Verdict: proof.No, By: by, Evidence: fmt.Sprintf(format, args...)}, nil
	}
	name := filepath.Base(r.out)
	want, ok := r.extracted()
	if !ok {
		return no("no table was extracted in Writer")
	}
	sheet, err := saved.Read(r.out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return no("%s is not there", name)
	case err != nil:
		return no("%s cannot be read: %v", name, err)
	}
	if wrong := differ(sheet.Cells, want.Rows); wrong != "" {
		return no("%s: %s", name, wrong)
	}
	if len(sheet.Charts) != 1 || !sheet.Charts[0].Bars {
		return no("%s has %d charts, and should have one, of bars", name, len(sheet.Charts))
	}
	if is, should := sheet.Charts[0].Series, series(want); !slices.Equal(is, should) {
		return no("the chart of %s shows %v, and should show %v", name, is, should)
	}
	if wrong := r.inDocument(ctx, want); wrong != "" {
		return no("%s", wrong)
	}
	return proof.Finding{Verdict: proof.Yes, By: by, Evidence: fmt.Sprintf("%s has %d cells and a chart of %d series", name, len(sheet.Cells), len(want.Columns))}, nil
}

// series are what a chart of a table is to show.
func series(e office.Extract) (list []saved.Series) {
	last := e.Range[strings.LastIndexAny(e.Range, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")+1:]
	for _, c := range e.Columns {
		list = append(list, saved.Series{Name: c + "1", Categories: "A2:A" + last, Values: c + "2:" + c + last})
	}
	return list
}

// inDocument compares the extracted table with those of the file, which are not read from the screen; "": it is one of them.
// An .odt has no other reader.
func (r *run) inDocument(ctx context.Context, want office.Extract) string {
	if filepath.Ext(r.in) != ".docx" {
		return ""
	}
	name := filepath.Base(r.in)
	tables, err := office.File(r.in).Tables(ctx)
	if err != nil {
		return fmt.Sprintf("%s cannot be read to compare it: %v", name, err)
	}
	for _, source := range tables {
		data, err := table.Read(source)
		if err != nil {
			continue // it is another one
		}
		if e, err := office.Extracted(data, nil); err == nil && sameRows(e.Rows, want.Rows) {
			return ""
		}
	}
	return fmt.Sprintf("no table of %s has the rows that were extracted in Writer", name)
}

// sameRows reports whether rows hold the same, also where one of them has come through JSON.
func sameRows(a, b [][]any) bool {
	x, err := json.Marshal(a)
	if err != nil {
		return false
	}
	var list [][]any
	if json.Unmarshal(x, &list) != nil {
		return false
	}
	y, err := json.Marshal(b)
	if err != nil {
		return false
	}
	x, err = json.Marshal(list)
	return err == nil && bytes.Equal(x, y)
}

// extracted is the last table that Writer's agent has handed on.
func (r *run) extracted() (e office.Extract, ok bool) {
	for _, s := range r.board.Subtasks() {
		if s.App == rules.Writer && s.Status == string(fsm.Finish) {
			var found office.Extract
			if json.Unmarshal(s.Result, &found) == nil && len(found.Rows) > 0 {
				e, ok = found, true
			}
		}
	}
	return e, ok
}

// differ says what cells are not as the rows have them; "": nothing.
func differ(cells map[string]saved.Cell, rows [][]any) string {
	wanted := map[string]bool{}
	for r, row := range rows {
		for c, value := range row {
			name, err := excelize.CoordinatesToCellName(c+1, r+1)
			if err != nil {
				return err.Error()
			}
			cell, there := cells[name]
			switch value := value.(type) {
			case nil:
				if there {
					return fmt.Sprintf("%s should be empty", name)
				}
				continue
			case float64:
				if !there || cell.IsText || cell.Number != value {
					return fmt.Sprintf("%s should be the number %v", name, value)
				}
			case string:
				if value == "" && !there {
					continue
				}
				if !there || !cell.IsText || cell.Text != value {
					return fmt.Sprintf("%s should be the text %q", name, value)
				}
			}
			wanted[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(cells)) {
		if !wanted[name] {
			return fmt.Sprintf("%s should be empty, and is %s", name, cells[name])
		}
	}
	return ""
}
