package rules

import (
	"fmt"
	"path/filepath"
	"strings"
)

// wish is what a request says.
type wish struct {
	table string // such as "draw a bar chart of the sales table"
	out   string // path of the spreadsheet
}

const saveAs = "Save the spreadsheet as "

// Request is what the agents are asked for: what a person wants, and where the spreadsheet goes.
func Request(wanted, out string) string {
	return fmt.Sprintf("%s\n%s%s", wanted, saveAs, out)
}

func parse(request string) (w wish) {
	for line := range strings.Lines(request) {
		line = strings.TrimSpace(line)
		if out, ok := strings.CutPrefix(line, saveAs); ok {
			w.out = out
		} else {
			w.table = strings.TrimSpace(w.table + " " + line)
		}
	}
	return w
}

// file is the name of the spreadsheet, which is in the window's title once it is saved.
func (w wish) file() string { return filepath.Base(w.out) }
