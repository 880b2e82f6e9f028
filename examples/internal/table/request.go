package table

import (
	"slices"
	"strings"
)

// wish is what a request says of the table and of its columns.
type wish struct {
	number string   // "3" of "table 3"
	table  []word   // "sales" of "the sales table" and of "the table of sales"
	groups [][]word // all other words that are not common, cut at "and" and commas
	only   bool     // it says "only"
}

// rest is the words of the groups.
func (w *wish) rest() []word { return slices.Concat(w.groups...) }

// all is all the words that must be found in a document.
func (w *wish) all() []word { return append(slices.Clone(w.table), w.rest()...) }

// The words that have a part in how a request is read.
var (
	tableWords = set("table tables")
	onlyWords  = set("only just alone")
	lists      = set(", and or versus vs") // between things that are listed
	joints     = set("by of in per and")   // within a name, such as sales by region
	leads      = set("of on about for called named titled the")
)

// parse reads a request.
func parse(request string) *wish {
	words, w := besideNames(split(request)), &wish{}
	taken := make([]bool, len(words))
	for i := range words {
		w.only = w.only || onlyWords[words[i].raw]
		if !tableWords[words[i].raw] {
			continue
		}
		if at := numberAfter(words, i); at > 0 {
			w.number = words[at].raw
			for ; at > i; at-- {
				taken[at] = true
			}
			continue
		}
		from, to := nameAround(words, i)
		for ; from < to; from++ {
			if taken[from] = true; !words[from].common {
				w.table = append(w.table, words[from])
			}
		}
	}
	var group []word
	for i, next := range words {
		if lists[next.raw] && len(group) > 0 {
			w.groups, group = append(w.groups, group), nil
		}
		if !taken[i] && !next.common {
			group = append(group, next)
		}
	}
	if len(group) > 0 {
		w.groups = append(w.groups, group)
	}
	return w
}

// numberAfter is the place of 3 in "table 3" and "table no. 3"; 0 for none. A year
// is no number of a table.
func numberAfter(words []word, table int) int {
	at := table + 1
	for at < len(words) && (words[at].raw == "no" || words[at].raw == "number" || words[at].raw == comma) {
		at++
	}
	if at < len(words) && len(words[at].raw) < 4 && allDigits(words[at].raw) {
		return at
	}
	return 0
}

// nameAround is where the name stands in "the sales by region table", or else in
// "the table of sales by region".
func nameAround(words []word, table int) (from, to int) {
	inName := func(i int) bool {
		return i >= 0 && i < len(words) && (!words[i].common || joints[words[i].raw])
	}
	for from = table; inName(from - 1); {
		from--
	}
	if slices.ContainsFunc(words[from:table], func(w word) bool { return !w.common }) {
		return from, table
	}
	for from = table + 1; from < len(words) && leads[words[from].raw]; {
		from++
	}
	for to = from; inName(to); {
		to++
	}
	if from < len(words) && joints[words[from].raw] { // "the table in Word", "the table and …"
		return 0, 0
	}
	return from, to
}

// quoted lists words for an error.
func quoted(words []word) string {
	var list []string
	for _, w := range words {
		if q := `"` + w.shown + `"`; !slices.Contains(list, q) {
			list = append(list, q)
		}
	}
	return strings.Join(list, ", ")
}
