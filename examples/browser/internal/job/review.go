package job

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// order is what a page says that would be ordered.
type order struct {
	reference string
	text      string // for a person
}

// rowIs is a line of the order. The page can write anything into a name; the rest has a form.
var rowIs = regexp.MustCompile(`(?s)^([A-Z]{2}-[0-9]{4}) \| (.*) \| ([0-9]{1,3}(?:,?[0-9]{3})*)$`)

// review reads the order that a page shows, or says why it cannot be read. It writes the order in words of this program,
// and quotes the names of articles. A page with two references or two tables could be read in two ways.
func review(controls []desktop.Control) (o order, problem string) {
	var references, lines []string
	tables, inside, header := 0, false, false
	var walk func([]desktop.Control)
	walk = func(list []desktop.Control) {
		for _, c := range list {
			if text, found := strings.CutPrefix(c.Value, "Reference: "); found {
				references = append(references, text)
			}
			line := rowIs.FindStringSubmatch(c.Value)
			switch {
			case c.Type == "note": // the desktop shows only a part of a long page
				problem = "only a part of the page was seen"
			case c.Type == "caption":
				header = false
				if inside = c.Value == "What will be ordered"; inside {
					tables++
				}
			case c.Type != "row" || !inside:
			case !header:
				if header = c.Value == "SKU | Name | Quantity"; !header {
					problem = "the table has other columns"
				}
			case line == nil:
				problem = fmt.Sprintf("a line of the order cannot be read: %.80q", c.Value)
			default:
				lines = append(lines, fmt.Sprintf("%s of %s %.80q", line[3], line[1], line[2]))
			}
			walk(c.Children)
		}
	}
	walk(controls)
	if problem == "" && (len(references) != 1 || tables != 1 || len(lines) == 0) {
		problem = "the page does not show clearly which order would be sent"
	}
	if problem != "" {
		return order{}, problem
	}
	return order{references[0], "reference " + strconv.Quote(references[0]) + ", and " + strings.Join(lines, ", ")}, ""
}
