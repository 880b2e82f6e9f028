package docx

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/examples/internal/tables"
)

func (r *reader) table(tbl *node) *tables.Source {
	t := &tables.Source{Caption: tbl.child("tblPr").child("tblCaption").attr("val")}
	var rows []*node // those that a person sees
	for _, tr := range tbl.all() {
		if p := tr.child("trPr"); tr.name() == "tr" && p.child("del") == nil && !p.child("hidden").on() {
			rows = append(rows, tr)
		}
	}
	gone := deletedColumns(rows)
	languages, above, headed := map[string]bool{}, map[int]int{}, true
	for y, tr := range rows {
		props := tr.child("trPr")
		row, here := make([]string, number(props.child("gridBefore"), 0)), map[int]int{} // merges, by column
		for i, tc := range cells(tr) {
			props, col := tc.child("tcPr"), len(row)
			if gone[i] {
				continue
			}
			span, merge := number(props.child("gridSpan"), 1), props.child("vMerge")
			row = slices.Concat(row, make([]string, max(1, span)))
			if at, ok := above[col]; ok && merge != nil && merge.attr("val") != "restart" && t.Merges[at].Cols == span {
				t.Merges[at].Rows, here[col] = t.Merges[at].Rows+1, at // Word does not show what this cell says
				continue
			}
			row[col] = r.cell(tc, languages)
			here[col], t.Merges = len(t.Merges), append(t.Merges, tables.Merge{Row: y, Col: col, Rows: 1, Cols: span})
		}
		if headed = headed && props.child("tblHeader").on(); headed {
			t.HeaderRows++
		}
		above, t.Rows = here, append(t.Rows, row)
	}
	if !languages[""] {
		t.Languages = slices.Sorted(maps.Keys(languages))
	}
	return t
}

func cells(tr *node) []*node {
	return slices.DeleteFunc(tr.all(), func(n *node) bool { return n.name() != "tc" })
}

// deletedColumns returns which cells are deleted in every row. If only some are, the rest of their rows moves.
func deletedColumns(rows []*node) map[int]bool {
	times := map[int]int{}
	for _, tr := range rows {
		for i, tc := range cells(tr) {
			if tc.child("tcPr").child("cellDel") != nil {
				times[i]++
			}
		}
	}
	gone := map[int]bool{}
	for i, n := range times {
		gone[i] = n == len(rows)
	}
	return gone
}

func number(n *node, otherwise int) int {
	if v, err := strconv.Atoi(n.attr("val")); err == nil && v >= 0 && v <= 100 {
		return v
	}
	return otherwise
}

// unreadable are properties of a cell that move cells.
var unreadable = map[string]string{"cellDel": "a deleted cell", "cellMerge": "a merge that is tracked", "hMerge": "an old merge"}

// cell returns the text of a cell, and what of it cannot be read.
func (r *reader) cell(tc *node, languages map[string]bool) string {
	var lines []string
	var unknown string
	struck, listed := false, false
	for _, p := range tc.child("tcPr").nodes() {
		if why := unreadable[p.name()]; why != "" {
			unknown = why
		}
	}
	for _, n := range tc.all() {
		switch name := n.name(); {
		case name == "p":
			p := r.paragraph(n)
			if p.Text != "" {
				lines, listed = append(lines, p.Text), listed || p.listed
			}
			maps.Copy(languages, p.languages)
			if struck = struck || p.struck; unknown == "" {
				unknown = p.unknown
			}
		case name != "tcPr" && !unseen[name] && unknown == "":
			unknown = "the element " + name
		}
	}
	says := strings.Join(lines, "\n")
	words := strings.IndexFunc(says, unicode.IsLetter) == 0
	switch {
	case words && unknown == picture:
		return says // beside words it changes nothing
	case unknown == "" && struck && says == "":
		unknown = "a text that is struck through"
	case unknown == "" && listed && !words:
		unknown = "the number or bullet of a list"
	}
	if unknown != "" {
		says = strings.TrimSpace(says + " " + tables.Unknown + " (" + unknown + ")")
	}
	return says
}
