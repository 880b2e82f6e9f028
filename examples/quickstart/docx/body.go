package docx

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/tables"
)

// block is a paragraph or a table.
type block struct {
	paragraph
	table *tables.Source
}

// body reads the paragraphs and tables of the document, and gives tables their names.
func (r *reader) body(body *node) (list []tables.Source, texts []string) {
	var blocks []block
	r.walk(body, func(n *node) {
		switch n.name() {
		case "tbl":
			blocks = append(blocks, block{table: r.table(n)})
		case "p":
			if p := r.paragraph(n); p.says != "" {
				blocks = append(blocks, block{paragraph: p})
			}
		}
	})
	var path []paragraph // the headings above
	captions := captionsOf(blocks)
	for i, b := range blocks {
		if b.table == nil {
			texts = append(texts, b.says)
			if b.level > 0 {
				path = append(slices.DeleteFunc(path, func(p paragraph) bool { return p.level >= b.level }), b.paragraph)
			}
			continue
		}
		b.table.Number, b.table.Caption = len(list)+1, cmp.Or(captions[i], b.table.Caption)
		if i > 0 && blocks[i-1].level == 0 && !blocks[i-1].isCaption() && len(blocks[i-1].says) <= maxName {
			b.table.Above = blocks[i-1].says
		}
		for _, h := range path {
			b.table.Sections = append(b.table.Sections, h.says)
		}
		if n := len(path); n > 0 {
			b.table.Heading, b.table.Sections = b.table.Sections[n-1], b.table.Sections[:n-1]
		}
		list = append(list, *b.table)
	}
	return list, texts
}

// walk visits the children of an element, and those of elements around them.
func (r *reader) walk(parent *node, visit func(*node)) {
	for i := range parent.Nodes {
		if n := &parent.Nodes[i]; through[n.name()] {
			r.walk(n, visit)
		} else {
			visit(n)
		}
	}
}

// maxName is how many bytes a paragraph may have that is a name of a table.
const maxName = 200

// typed is how captions begin that have no style: "Table 2.1: Costs".
var typed = regexp.MustCompile(`^[\p{L}\p{M}]+\.?\s*\p{Nd}+(\.\p{Nd}+)*\s*([:：。]|[.)–—-](\s|$))`)

func (b block) isCaption() bool {
	return b.table == nil && b.level == 0 && (b.caption || len(b.says) <= maxName && typed.MatchString(b.says))
}

// captionsOf finds the captions of tables, by place: all above or all below. If the document does not show which, a
// caption between two tables belongs to neither.
func captionsOf(blocks []block) map[int]string {
	isTable := func(i int) bool { return i >= 0 && i < len(blocks) && blocks[i].table != nil }
	sides := map[int]bool{} // 1: above its table
	for i, b := range blocks {
		if b.isCaption() && isTable(i-1) != isTable(i+1) {
			sides[map[bool]int{true: 1, false: -1}[isTable(i+1)]] = true
		}
	}
	captions := map[int]string{}
	for i, b := range blocks {
		for _, side := range []int{1, -1} {
			if b.isCaption() && isTable(i+side) && (!isTable(i-side) || sides[side] && !sides[-side]) {
				captions[i+side] = b.says
			}
		}
	}
	return captions
}

var (
	// plainRow and plainCell are properties that change nothing that is read.
	plainRow  = set("cnfStyle divId gridBefore gridAfter wBefore wAfter cantSplit trHeight tblCellSpacing jc tblHeader del hidden ins trPrChange")
	plainCell = set("cnfStyle tcW gridSpan vMerge tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark headers cellIns tcPrChange")
)

func (r *reader) table(tbl *node) *tables.Source {
	t := &tables.Source{Caption: strings.TrimSpace(tbl.child("tblPr").child("tblCaption").attr("val"))}
	languages, above, headed := map[string]bool{}, map[int]int{}, true
	deleted := r.deletedColumns(tbl)
	r.walk(tbl, func(tr *node) {
		props := tr.child("trPr")
		hidden := props.child("hidden")
		if tr.name() != "tr" || props.child("del").name() == "del" || hidden.name() == "hidden" && hidden.on() {
			return
		}
		unknown := unknownIn(props, plainRow)
		row, here := make([]string, count(props.child("gridBefore"), 0)), map[int]int{} // merges, by column
		y, at := len(t.Rows), 0
		r.walk(tr, func(tc *node) {
			if at++; tc.name() != "tc" || deleted[at] && tc.child("tcPr").child("cellDel").name() == "cellDel" {
				return
			}
			props, col := tc.child("tcPr"), len(row)
			span, merge := count(props.child("gridSpan"), 1), props.child("vMerge")
			row = slices.Concat(row, make([]string, max(1, min(span, 100))))
			if i, ok := above[col]; ok && merge.name() == "vMerge" && merge.attr("val") != "restart" && t.Merges[i].Cols == span {
				t.Merges[i].Rows, here[col] = t.Merges[i].Rows+1, i // Word does not show what this cell says
				return
			}
			row[col] = r.cell(tc, languages, cmp.Or(unknown, unknownIn(props, plainCell)))
			here[col], t.Merges = len(t.Merges), append(t.Merges, tables.Merge{Row: y, Col: col, Rows: 1, Cols: span})
		})
		if headed = headed && props.child("tblHeader").name() == "tblHeader" && props.child("tblHeader").on(); headed {
			t.HeaderRows++
		}
		above, t.Rows = here, append(t.Rows, row)
	})
	t.Merges = slices.DeleteFunc(t.Merges, func(m tables.Merge) bool { return m.Rows == 1 && m.Cols == 1 })
	if !languages[""] {
		t.Languages = strings.Join(slices.Sorted(maps.Keys(languages)), " ")
	}
	return t
}

// deletedColumns returns which cells are deleted in every row, from 1. If only some are, the rest of their rows moves.
func (r *reader) deletedColumns(tbl *node) map[int]bool {
	gone := map[int]int{}
	rows := 0
	r.walk(tbl, func(tr *node) {
		at := 0
		r.walk(tr, func(tc *node) {
			if at++; tc.child("tcPr").child("cellDel").name() == "cellDel" {
				gone[at]++
			}
		})
		if tr.name() == "tr" {
			rows++
		}
	})
	all := map[int]bool{}
	for at, n := range gone {
		all[at] = n == rows
	}
	return all
}
