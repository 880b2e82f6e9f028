package wordcases

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

// Check says what is wrong in a workbook that was made of the document: its first sheet must have the cells of Want and
// no others, and its only chart must be a bar chart of all their rows and columns.
func (c *Case) Check(xlsx []byte) error {
	if c.Want == nil {
		return fmt.Errorf("wordcases: %s: nobody can tell its numbers, and there is a file", c.Name)
	}
	sheet, err := xlsxtest.Read(xlsx)
	if err != nil {
		return fmt.Errorf("wordcases: %s: %w", c.Name, err)
	}
	var series []string
	for y, row := range c.Want {
		for x, want := range row {
			name := fmt.Sprintf("%c%d", 'A'+x, y+1)
			if got := sheet.Cells[name]; !same(got, want, x > 0 && y > 0) {
				return fmt.Errorf("wordcases: %s: %s is %+v, not %q", c.Name, name, got, want)
			}
			if delete(sheet.Cells, name); y == 0 && x > 0 {
				series = append(series, fmt.Sprintf("%s A2:A%d %c2:%c%d", name, len(c.Want), 'A'+x, 'A'+x, len(c.Want)))
			}
		}
	}
	if len(sheet.Cells) > 0 || len(sheet.Charts) != 1 || !sheet.Charts[0].Bars {
		return fmt.Errorf("wordcases: %s: there are also the cells %v, and %d charts", c.Name, sheet.Cells, len(sheet.Charts))
	}
	var drawn []string
	for _, s := range sheet.Charts[0].Series {
		for _, ref := range []*string{&s.Name, &s.Categories, &s.Values} {
			*ref = strings.ReplaceAll((*ref)[strings.LastIndex(*ref, "!")+1:], "$", "")
			if !strings.Contains(*ref, ":") && ref != &s.Name {
				*ref += ":" + *ref
			}
		}
		drawn = append(drawn, s.Name+" "+s.Categories+" "+s.Values)
	}
	if got, want := strings.Join(drawn, ", "), strings.Join(series, ", "); got != want {
		return fmt.Errorf("wordcases: %s: the chart shows %s, not %s", c.Name, got, want)
	}
	return nil
}

func same(got xlsxtest.Cell, want string, number bool) bool {
	if !number || want == "" {
		return got.Text == want && !got.Number
	}
	n, err := strconv.ParseFloat(want, 64)
	f, ok := got.Float()
	return err == nil && ok && n == f
}
