package table

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Choice is a table, and what of it a request wants to see.
type Choice struct {
	Index   int   // in the list
	Columns []int // of Summary.Columns, sorted; nil: the request names none
	Words   []string
}

// Choose returns which of the tables the request means. Each word of the request
// must be one that every request has or be found in what the table is called,
// and there must be one such table. Errors: [ErrNoTables], [*NotFoundError],
// [*UnfitError], [*ChoiceError].
func Choose(request string, tables []Summary) (Choice, error) {
	if len(tables) == 0 {
		return Choice{}, ErrNoTables
	}
	w := parse(request)
	at, err := w.tableOf(tables)
	if err != nil {
		return Choice{}, err
	}
	chosen := tables[at]
	if chosen.Unfit != "" {
		return Choice{}, &UnfitError{Table: chosen.Number, Name: chosen.Title(), Err: chosen.reason()}
	}
	columns, err := w.columnsOf(&chosen)
	if err != nil {
		return Choice{}, err
	}
	return Choice{Index: at, Columns: columns, Words: sorted(w.all())}, nil
}

func (w *wish) tableOf(tables []Summary) (int, error) {
	if w.number == "" && len(w.all()) == 0 {
		return theOnlyOne(tables)
	}
	var best []int
	rank := 0
	for i := range tables {
		if w.number != "" && !hasNumber(tables, i, w.number) {
			continue
		}
		switch r := w.rank(newNames(&tables[i])); {
		case r > rank:
			best, rank = []int{i}, r
		case r == rank && r > 0:
			best = append(best, i)
		}
	}
	switch len(best) {
	case 0:
		return 0, &ChoiceError{Err: ErrNoSuch, Detail: w.missing(tables), Tables: tables}
	case 1:
		return best[0], nil
	}
	var several []Summary
	for _, i := range best {
		several = append(several, tables[i])
	}
	return 0, &ChoiceError{Err: ErrSeveral, Tables: several}
}

// theOnlyOne is for a request that names no table: the one that can be drawn, or could if its numbers were clear.
func theOnlyOne(tables []Summary) (int, error) {
	var fit []int
	none := &NotFoundError{}
	for i, s := range tables {
		if s.Unfit == "" || s.Doubt != "" {
			fit = append(fit, i)
		} else {
			none.Tables = append(none.Tables, &UnfitError{Table: s.Number, Name: s.Title(), Err: s.reason()})
		}
	}
	switch len(fit) {
	case 0:
		return 0, none
	case 1:
		return fit[0], nil
	}
	return 0, &ChoiceError{Err: ErrNotNamed, Tables: tables}
}

// names is what a table is called, and by what.
type names struct {
	title  vocabulary // its caption, else its heading
	bare   vocabulary // the title without "Table 1:" and common words
	label  vocabulary // the header of the label column
	header vocabulary // all of its header
	around vocabulary // the headings that it is under
	above  vocabulary // the line above it, if it has no caption
}

// captionNumber is what most captions begin with.
var captionNumber = regexp.MustCompile(`^[\p{L}\p{M}]+\.?\s*(\d{1,3})(\.\d+)*\s*([:.)：。–—-]|$)`)

func newNames(s *Summary) names {
	title := cmp.Or(oneLine(s.Caption), oneLine(s.Heading))
	if captionNumber.FindString(title) == title {
		title = s.Heading // such as "Table 3" alone
	}
	n := names{title: vocabularyOf(title), bare: vocabulary{}, label: vocabularyOf(s.Label)}
	for _, w := range split(captionNumber.ReplaceAllString(title, "")) {
		if !w.common {
			n.bare.add(w)
		}
	}
	n.header = union(n.label, vocabularyOf(s.Header...))
	for _, c := range s.Columns {
		n.header.add(split(c.Name)...)
	}
	for _, c := range s.Others {
		n.header.add(split(c.Name)...)
	}
	n.around = vocabularyOf(append([]string{s.Heading}, s.Sections...)...)
	if oneLine(s.Caption) == "" {
		n.above = vocabularyOf(s.Above)
	}
	return n
}

// rank says how well a table fits; 0: it does not.
func (w *wish) rank(n names) int {
	all, said := w.all(), vocabulary{}
	said.add(all...)
	untitled := len(n.bare) == 0
	if untitled {
		n.title = n.header // all that it has
	}
	named := func(words []word) bool { return slices.ContainsFunc(words, n.title.has) }
	switch {
	case len(all) == 0:
		return 1 // "table 3" is enough
	case !union(n.title, n.header, n.around, n.above).all(all):
		return 0
	case len(n.above) > 0 && !named(all) && n.above.all(w.table) && slices.ContainsFunc(all, n.above.has):
		return 1
	case len(w.table) > 0 && !(named(w.table) && union(n.title, n.label, n.around).all(w.table)):
		return 0 // "the sales table" is not one of costs with a column for sales
	case untitled:
		return 2
	case n.bare.within(said) && said.within(n.bare):
		return 4 // it is called exactly that
	case n.title.all(all), n.bare.within(said):
		return 3 // the title says all of the request, or the request all of the title
	case union(n.title, n.header).all(all):
		return 2
	case named(all):
		return 1 // the chapter says the rest
	}
	return 0
}

// hasNumber reports whether a table is "table 3": by its caption or, in a document
// without numbers in captions, by its place.
func hasNumber(tables []Summary, at int, number string) bool {
	numbered := func(s Summary) string {
		if m := captionNumber.FindStringSubmatch(oneLine(s.Caption)); m != nil {
			return m[1]
		}
		return ""
	}
	if slices.ContainsFunc(tables, func(s Summary) bool { return numbered(s) != "" }) {
		return numbered(tables[at]) == number
	}
	return strconv.Itoa(tables[at].Number) == number
}

// missing says what fits no table.
func (w *wish) missing(tables []Summary) string {
	var known vocabulary
	for i := range tables {
		n := newNames(&tables[i])
		known = union(known, n.title, n.header, n.around, n.above)
	}
	unknown := slices.DeleteFunc(w.all(), known.has)
	if len(unknown) == 0 {
		unknown = w.all()
	}
	what := quoted(unknown)
	if w.number != "" {
		what = strings.TrimSuffix("table "+w.number+", "+what, ", ")
	}
	return what
}

func sorted(words []word) []string {
	v := vocabulary{}
	v.add(words...)
	list := make([]string, 0, len(v))
	for part := range v {
		list = append(list, part)
	}
	slices.Sort(list)
	return list
}
