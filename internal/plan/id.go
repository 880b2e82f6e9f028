package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Folded is the form in which ids and tasks are compared: without regard to case,
// to full-width forms of ASCII, and to how many spaces there are.
func Folded(text string) string {
	return strings.Map(foldRune, strings.Join(strings.Fields(text), " "))
}

func foldRune(r rune) rune {
	if '！' <= r && r <= '～' { // the full-width forms of ! to ~
		r -= '！' - '!'
	}
	// The least of all that are one letter in different cases: k, K and the sign of
	// kelvin, for which ToLower would not do.
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return least
}

// invisible reports whether a text has a character that nobody sees: two ids that
// look the same would be two.
func invisible(text string) bool { return strings.ContainsFunc(text, unseen) }

func unseen(r rune) bool {
	return r == '\u2800' || // a letter of braille without dots
		unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// quote puts a text into quotes, and shows what nobody would see in it.
func quote(text string) string {
	if invisible(text) {
		return strconv.QuoteToASCII(text)
	}
	return strconv.Quote(text)
}

// visible is an id for a text in which it stands without quotes.
func visible(id string) string {
	if invisible(id) {
		return quote(id)
	}
	return id
}

// spell returns the draft trimmed, in which each id that the plan has, and each
// that something depends on, is written as it was first. What is not dropped goes first.
func (p Plan) spell(d Draft) Draft {
	known := map[string]string{} // ids by what they are compared by
	add := func(id string) {
		if key := Folded(id); id != "" && known[key] == "" {
			known[key] = id
		}
	}
	for _, e := range slices.Concat(p.kept(), p.Dropped()) {
		add(e.ID)
	}
	first := func(id string) string { return cmp.Or(known[Folded(id)], id) }
	items := make(Draft, len(d))
	for i, item := range d {
		items[i] = item.trimmed()
		if items[i].ID != "" {
			items[i].ID = first(items[i].ID) // two new ids that are one stay as they are, and are refused
		}
	}
	for i := range items {
		add(items[i].ID)
	}
	for i := range items {
		needs := items[i].DependsOn
		for n, id := range needs {
			needs[n] = first(id)
		}
		items[i].DependsOn = slices.Clip(unique(needs))
	}
	return items
}
