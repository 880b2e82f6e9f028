package shop

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
)

// order is what a page says that would be ordered.
type order struct {
	reference string
	lines     []sites.Line
	text      string // for a person; "": there is none
}

func (o order) String() string { return o.text }

// is reports whether an order of the supplier's database is that one.
func (o order) is(sent sites.Order) bool {
	return o.reference == sent.Reference && maps.Equal(units(o.lines), units(sent.Lines))
}

func units(lines []sites.Line) map[string]int {
	sum := map[string]int{}
	for _, l := range lines {
		sum[l.SKU] += l.Quantity
	}
	return sum
}

var (
	referenceIs = regexp.MustCompile(`^Reference: (.+)$`)
	partOf      = regexp.MustCompile(`^part \d+ of \d+ of the page`)
	// A name is what the page likes to write; the rest has a form. (?s) since it may also
	// have lines.
	rowIs = regexp.MustCompile(`(?s)^([A-Z]{2}-[0-9]{4}(?:-L)?) \| (.*) \| ([0-9]{1,3}(?:,?[0-9]{3})*) \| ([a-z]{1,5})$`)
)

const (
	reviewCaption = "What will be ordered"
	reviewHeader  = "SKU | Name | Quantity | Unit"
)

// review reads what a page says that would be ordered, or says why it cannot be read.
// A person is asked about what was read here, in words of this program: of the page's
// own only the names of articles are among them, in quotes. What could be read in two
// ways is not read.
func review(controls []desktop.Control) (o order, problem string) {
	v := visit{}
	v.walk(controls)
	switch {
	case v.parted:
		return order{}, "only a part of the page was seen"
	case v.references != 1 || v.captions != 1 || !v.header || v.bad == "" && len(v.order.lines) == 0:
		return order{}, "the page does not show clearly which order would be sent"
	case v.bad != "":
		return order{}, "a line of the order cannot be read: " + strconv.Quote(clip(v.bad))
	}
	v.order.text = fmt.Sprintf("reference %q, and %s", v.order.reference, strings.Join(v.told, ", "))
	return v.order, ""
}

// visit is a look at all of a page.
type visit struct {
	order                order
	told                 []string
	references, captions int
	inside               bool // of the table
	header, parted       bool
	bad                  string // a row that is none
}

func (v *visit) walk(list []desktop.Control) {
	for _, c := range list {
		found := referenceIs.FindStringSubmatch(c.Value)
		switch {
		case c.Type == "note" && partOf.MatchString(c.Value):
			v.parted = true
		case c.Type == "paragraph" && found != nil:
			v.references++
			v.order.reference = found[1]
		case c.Type == "caption":
			if v.inside = c.Value == reviewCaption; v.inside {
				v.captions++
			}
		case c.Type == "row" && v.inside && !v.header:
			if v.header = c.Value == reviewHeader; !v.header {
				v.bad = c.Value
			}
		case c.Type == "row" && v.inside:
			v.row(c.Value)
		}
		v.walk(c.Children)
	}
}

func (v *visit) row(text string) {
	found := rowIs.FindStringSubmatch(text)
	if found == nil {
		v.bad = text
		return
	}
	quantity, err := strconv.Atoi(strings.ReplaceAll(found[3], ",", ""))
	if err != nil {
		v.bad = text
		return
	}
	v.order.lines = append(v.order.lines, sites.Line{SKU: found[1], Quantity: quantity})
	v.told = append(v.told, fmt.Sprintf("%d %s of %s %s", quantity, found[4], found[1], strconv.Quote(clip(found[2]))))
}
