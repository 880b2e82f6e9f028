package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/examples/internal/tables"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/proof"
)

// verify compares the saved spreadsheet with the table that Writer's agent has extracted.
func (r *run) verify(ctx context.Context, _ proof.Claim) (proof.Finding, error) {
	found := proof.Finding{Verdict: proof.No, By: "the file, read back"}
	want, ok := r.extracted()
	if !ok {
		found.Evidence = "no table was extracted in Writer"
		return found, nil
	}
	name := filepath.Base(r.out)
	sheet, err := readSheet(ctx, r.out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		found.Evidence = name + " is not there"
	case err != nil:
		found.Evidence = fmt.Sprintf("%s cannot be read: %v", name, err)
	default:
		found.Evidence = sheet.differs(want)
	}
	if found.Evidence == "" {
		found.Verdict = proof.Yes
		found.Evidence = fmt.Sprintf("%s has %d cells and a chart of %d series", name, len(sheet.cells), len(want.Columns))
	}
	return found, nil
}

// extracted is the last table that Writer's agent has handed on.
func (r *run) extracted() (want tables.Extract, ok bool) {
	for _, s := range r.board.Subtasks() {
		var found tables.Extract
		if s.App == rules.Writer && s.Status == string(fsm.Finish) && json.Unmarshal(s.Result, &found) == nil && len(found.Rows) > 0 {
			want, ok = found, true
		}
	}
	return want, ok
}

// differs says what in a sheet is not as it should be; "": nothing.
func (s *sheet) differs(want tables.Extract) string {
	cells := map[string]any{}
	for r, row := range want.Rows {
		for c, value := range row {
			name, err := excelize.CoordinatesToCellName(c+1, r+1)
			if err != nil {
				return err.Error()
			}
			if value == nil || value == "" {
				continue
			}
			if is, there := s.cells[name]; !there || is != value {
				return fmt.Sprintf("%s should be %#v, and is %#v", name, value, is)
			}
			cells[name] = value
		}
	}
	for name, value := range s.cells {
		if _, wanted := cells[name]; !wanted {
			return fmt.Sprintf("%s should be empty, and is %#v", name, value)
		}
	}
	if len(s.charts) != 1 || !s.charts[0].bars {
		return fmt.Sprintf("there are %d charts, and should be one, of bars", len(s.charts))
	}
	last := want.Range[strings.LastIndexAny(want.Range, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")+1:]
	var list []series
	for _, c := range want.Columns {
		list = append(list, series{c + "1", "A2:A" + last, c + "2:" + c + last})
	}
	chart := s.charts[0]
	switch {
	case !slices.Equal(chart.series, list):
		return fmt.Sprintf("the chart shows %v, and should show %v", chart.series, list)
	case strings.Join(strings.Fields(chart.title), " ") != strings.Join(strings.Fields(want.Title), " "):
		return fmt.Sprintf("the title of the chart is %q, and should be %q", chart.title, want.Title)
	}
	return ""
}
