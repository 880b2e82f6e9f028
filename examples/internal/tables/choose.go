package tables

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// ErrNone says that no table has the words of a request in its names, ErrSeveral that more than one has.
var (
	ErrNone    = errors.New("no table fits the request")
	ErrSeveral = errors.New("more than one table fits the request")
)

// common words say nothing about which table is meant. Every other word of a request must be in a name of the table.
var common = strings.Fields(`a an the of in on at to from for with by per and or as is are be it its this that these into onto out up
	which what please me my i we us our want need like can could called named titled extract take get read copy find fetch pull make
	create draw build produce plot show put turn convert generate insert add use using give visualize present display save bar bars
	chart charts graph diagram horizontal excel word microsoft table tables document file report spreadsheet sheet workbook data
	values numbers figures new simple then s`)

// words returns the words of a text that are not common, in small letters and in the singular.
func words(text string) []string {
	list := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) })
	list = slices.DeleteFunc(list, func(w string) bool { return slices.Contains(common, w) })
	for i, w := range list {
		if stem, ok := strings.CutSuffix(w, "ies"); ok && len(stem) > 1 {
			list[i] = stem + "y"
		} else if len(w) > 3 && !strings.HasSuffix(w, "ss") {
			list[i] = strings.TrimSuffix(w, "s")
		}
	}
	return list
}

// within reports whether all words are in a list.
func within(words, list []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(list, w) })
}

// Choose returns the table that a request means: each word of the request is in its title or in a name above it. A
// request without a name means the only table that can be drawn.
func Choose(request string, list []*Table) (*Table, error) {
	if len(list) == 0 {
		return nil, errors.New("the document has no table")
	}
	asked := words(request)
	var fits [4][]*Table // by how well they fit
	for _, t := range list {
		title, bare := words(t.Title), words(captioned.ReplaceAllString(t.Title, ""))
		rank := 0
		switch {
		case !within(asked, append(title, words(strings.Join(t.Under, " "))...)), len(asked) == 0 && t.Unfit != "":
		case within(bare, asked) && len(bare) > 0:
			rank = 3 // it is called exactly that
		case within(asked, title):
			rank = 2
		default:
			rank = 1
		}
		fits[rank] = append(fits[rank], t)
	}
	var best []*Table
	for _, some := range fits[1:] {
		if len(some) > 0 {
			best = some
		}
	}
	switch {
	case len(best) == 0:
		return nil, fmt.Errorf("%w: none is called %q; the tables are %s", ErrNone, asked, titles(list))
	case len(best) > 1:
		return nil, fmt.Errorf("%w: %s", ErrSeveral, titles(best))
	case best[0].Unfit != "":
		return nil, fmt.Errorf("%s cannot be drawn: %s", best[0].shown(), best[0].Unfit)
	}
	return best[0], nil
}

func (t *Table) shown() string {
	if t.Title == "" {
		return fmt.Sprintf("table %d, which has no name,", t.Number)
	}
	return fmt.Sprintf("%q", t.Title)
}

func titles(list []*Table) string {
	const most = 10
	var names []string
	for _, t := range list[:min(most, len(list))] {
		names = append(names, t.shown())
	}
	if more := len(list) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

var (
	asksForChart = regexp.MustCompile(`(?i)\b(bars?|barcharts?|charts?|graphs?|diagrams?)\b`)
	otherChart   = regexp.MustCompile(`(?i)\b(pie|line|area|scatter|radar|bubble|donut|doughnut)[- ]?(chart|graph|diagram|plot)`)
)

// CheckRequest refuses a request for something other than a bar chart.
func CheckRequest(request string) error {
	if otherChart.MatchString(request) || !asksForChart.MatchString(request) {
		return fmt.Errorf("tables: can only draw bar charts of tables, and %q asks for something else", request)
	}
	return nil
}
