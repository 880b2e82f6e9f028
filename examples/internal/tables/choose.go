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

// captioned is how most captions begin.
var captioned = regexp.MustCompile(`^[\p{L}\p{M}]+\.?\s*\d{1,3}(\.\d+)*\s*([:.)：。–—-]|$)`)

// Choose returns the table that a request means, by its place: each word of the request is in its title or in a name
// above it. A request without a name means the only table that can be drawn.
func Choose(request string, list []Summary) (int, error) {
	if len(list) == 0 {
		return 0, errors.New("the document has no table")
	}
	asked := words(request)
	var best []int
	rank := 1
	for i, s := range list {
		bare := words(captioned.ReplaceAllString(s.Title, ""))
		r := 0
		switch all := append(words(s.Title), words(strings.Join(s.Under, " "))...); {
		case len(asked) == 0 && s.Unfit == "":
			r = 1
		case len(asked) == 0 || !within(asked, all):
		case within(bare, asked) && len(bare) > 0:
			r = 3 // it is called exactly that
		case within(asked, words(s.Title)):
			r = 2
		default:
			r = 1
		}
		if r > rank {
			best, rank = nil, r
		}
		if r == rank {
			best = append(best, i)
		}
	}
	switch {
	case len(best) == 0:
		return 0, fmt.Errorf("%w: none is called %q; the tables are %s", ErrNone, asked, titles(list, nil))
	case len(best) > 1:
		return 0, fmt.Errorf("%w: %s", ErrSeveral, titles(list, best))
	}
	if s := list[best[0]]; s.Unfit != "" {
		return 0, fmt.Errorf("%s cannot be drawn: %s", s.shown(), s.Unfit)
	}
	return best[0], nil
}

func (s *Summary) shown() string {
	if s.Title == "" {
		return fmt.Sprintf("table %d, which has no name,", s.Number)
	}
	return fmt.Sprintf("%q", s.Title)
}

// titles lists some tables, nil: all.
func titles(list []Summary, which []int) string {
	var names []string
	for i := range list {
		if which == nil || slices.Contains(which, i) {
			names = append(names, list[i].shown())
		}
	}
	const most = 10
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
