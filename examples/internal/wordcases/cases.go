package wordcases

import (
	_ "embed"
	"fmt"
	"strings"
)

// Case is a document and what a chart of it must show.
type Case struct {
	Name    string
	Why     string // what is special in it
	Request string
	// Want is the sheet as a person reads it from the page: a header, then a label and numbers in each row. It is
	// nil if nobody can tell.
	Want [][]string
	// Refused is a part of the reason for which the quickstart refuses the document, "" if it draws Want.
	Refused string
	// Office says that the document is also for a real LibreOffice.
	Office bool

	body     []string // lines of cases.txt
	language string   // of docDefaults
	theme    string   // themeFontLang of the settings
	styles   string   // more styles
}

// DefaultRequest is that of cases that name none.
const DefaultRequest = "Extract the sales table from the Word document and create a bar chart in Excel"

//go:embed cases.txt
var file string

// All returns the cases of cases.txt. It panics if the file is broken.
func All() []Case {
	_, text, _ := strings.Cut(file, "\n== ")
	var list []Case
	for block := range strings.SplitSeq(text, "\n== ") {
		list = append(list, parse(block))
	}
	return list
}

// parse reads one case: its name and properties, its body, and what is wanted, separated by lines "--".
func parse(block string) Case {
	parts := strings.Split(block, "\n--\n")
	if len(parts) != 3 {
		panic(fmt.Sprintf("wordcases: %d parts in %.40q", len(parts), block))
	}
	lines := strings.Split(parts[0], "\n")
	c := Case{Name: lines[0], Request: DefaultRequest, body: strings.Split(parts[1], "\n")}
	for _, line := range lines[1:] {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "why":
			c.Why = value
		case "request":
			c.Request = value
		case "language":
			c.language = value
		case "theme":
			c.theme = value
		case "style":
			c.styles += value
		case "office":
			c.Office = true
		default:
			panic("wordcases: what is " + line)
		}
	}
	for line := range strings.SplitSeq(strings.TrimSpace(parts[2]), "\n") {
		if reason, ok := strings.CutPrefix(line, "FAIL: "); ok {
			c.Refused = reason
		} else {
			c.Want = append(c.Want, cells(line))
		}
	}
	return c
}

// cells splits a line at its bars.
func cells(line string) []string {
	list := strings.Split(line, "|")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}
