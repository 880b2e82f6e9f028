package table

import (
	"fmt"
	"slices"
)

// Column is a numeric column, as a [Summary] has it.
type Column struct {
	Name string `json:"name,omitempty"`
	Unit string `json:"unit,omitempty"` // such as % or $; "" for plain numbers
}

// Drawn returns which columns a chart shows when nobody asks for certain ones, by
// their places. It has one axis, so they are those of the unit that most of them
// have, and a column of totals, which would dwarf the others, is none of them.
func Drawn(columns []Column) []int {
	all := make([]int, len(columns))
	for i := range all {
		all[i] = i
	}
	return drawnOf(columns, all)
}

func drawnOf(columns []Column, among []int) []int {
	parts := slices.DeleteFunc(slices.Clone(among), func(i int) bool { return isTotal(columns[i].Name) })
	if len(parts) == 0 {
		parts = slices.Clone(among)
	}
	count, most := map[string]int{}, ""
	for _, i := range parts {
		count[columns[i].Unit]++
	}
	for _, i := range slices.Backward(parts) { // the first one of two that are even
		if count[columns[i].Unit] >= count[most] {
			most = columns[i].Unit
		}
	}
	return slices.DeleteFunc(parts, func(i int) bool { return columns[i].Unit != most })
}

// picker finds the columns of one table that a request names.
type picker struct {
	*wish
	s      *Summary
	names               // of the table
	of     []vocabulary // the name of each column
	series vocabulary   // all of them
}

// columnsOf returns the columns that the request names, nil if it names none.
// What it names and the chart cannot show is a [*ChoiceError].
func (w *wish) columnsOf(s *Summary) ([]int, error) {
	p := &picker{wish: w, s: s, names: newNames(s)}
	for _, c := range s.Columns {
		p.of = append(p.of, vocabularyOf(c.Name))
	}
	p.series = union(p.of...)
	if c := p.unread(); c != nil {
		return nil, p.refuse("the column %q cannot be drawn: %s", c.Name, c.Why)
	}
	var columns []int
	for _, group := range w.groups {
		found, err := p.group(group)
		if err != nil {
			return nil, err
		}
		columns = append(columns, found...)
	}
	said := vocabulary{}
	said.add(w.all()...)
	if len(columns) == 0 && w.only && len(w.groups) > 0 && !p.bare.within(said) {
		return nil, p.refuse("it says only, and no column is called %s", quoted(w.rest()))
	}
	if len(columns) == 0 && s.Doubt != "" {
		return nil, p.refuse("not all of its columns can be drawn: %s", s.Doubt)
	}
	if len(columns) > 0 && len(s.Columns) < s.Series {
		return nil, p.refuse("it has %d numeric columns, and I can choose among the first %d only", s.Series, len(s.Columns))
	}
	slices.Sort(columns)
	columns = slices.Compact(columns)
	return columns, p.together(columns)
}

// unread is a column that the request names and that has no numbers.
func (p *picker) unread() *Unread {
	for i, c := range p.s.Others {
		words := p.rest()
		if c.Quantities { // then its name in that of the table is enough
			words = p.all()
		}
		in := vocabularyOf(c.Name)
		for _, w := range words {
			if in.has(w) && !p.series.has(w) && (c.Quantities || !p.title.has(w)) {
				return &p.s.Others[i]
			}
		}
	}
	return nil
}

// group returns the columns that have all words of a group which any column has.
func (p *picker) group(group []word) ([]int, error) {
	group = slices.DeleteFunc(slices.Clone(group), func(w word) bool { return !p.series.has(w) })
	if len(group) == 0 {
		return nil, nil
	}
	found := p.having(group)
	if len(found) == 0 { // some of its words may be about the table
		group = slices.DeleteFunc(group, p.title.has)
		found = p.having(group)
	}
	if len(group) == 0 || len(found) == 0 {
		return nil, p.refuse("no column is called %s", quoted(p.rest()))
	}
	said := vocabulary{}
	said.add(group...)
	if only := slices.DeleteFunc(slices.Clone(found), func(i int) bool { return !p.of[i].within(said) }); len(only) > 0 {
		return only, nil
	}
	return drawnOf(p.s.Columns, found), nil
}

func (p *picker) having(words []word) []int {
	var found []int
	for i, name := range p.of {
		if name.all(words) {
			found = append(found, i)
		}
	}
	return found
}

// together checks that columns can be meant, and drawn, together.
func (p *picker) together(columns []int) error {
	fit := func(column int) vocabulary {
		v := vocabulary{}
		v.add(slices.DeleteFunc(p.rest(), func(w word) bool { return !p.of[column].has(w) })...)
		return v
	}
	for _, a := range columns {
		for _, b := range columns {
			one, other := p.s.Columns[a], p.s.Columns[b]
			// To "Q1 and Q2 revenue", "Q1 costs" fits a little and "Q1 revenue" better.
			if little, better := fit(a), fit(b); len(little) < len(better) && little.within(better) && !p.of[a].within(little) {
				return p.refuse("is %q meant, or only %q?", one.Name, other.Name)
			}
			if one.Unit != other.Unit {
				return p.refuse("%q is in %s and %q in %s, and the chart has one axis", one.Name, UnitName(one.Unit), other.Name, UnitName(other.Unit))
			}
		}
	}
	return nil
}

func (p *picker) refuse(format string, args ...any) error {
	return &ChoiceError{Err: ErrColumns, Detail: fmt.Sprintf(format, args...), Tables: []Summary{*p.s}}
}

// UnitName is a unit, for people.
func UnitName(unit string) string {
	if unit == "" {
		return "plain numbers"
	}
	return unit
}
