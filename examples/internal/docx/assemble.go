package docx

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// assemble makes a Document of what the parser found.
func assemble(body []node) *Document {
	a := &assembler{doc: &Document{Blocks: []Block{}, Tables: []Table{}}}
	a.walk(body, nil, 0)
	return a.doc
}

type assembler struct{ doc *Document }

// walk numbers the tables among nodes and gives them their headings and
// captions. The blocks of the document are those outside of tables.
func (a *assembler) walk(nodes []node, path []Block, parent int) {
	captions := captionsOf(nodes)
	isCaption := map[int]bool{}
	for _, from := range captions {
		isCaption[from] = true
	}
	line := "" // that may introduce the next table
	for i, n := range nodes {
		switch {
		case n.table != nil:
			caption := n.table.caption
			if from, ok := captions[i]; ok {
				caption = nodes[from].text
			}
			a.table(n.table, caption, line, path, parent)
			line = ""
			continue
		case n.text == "":
			continue
		}
		b := Block{Kind: KindParagraph, Text: n.text}
		switch {
		case n.role.heading:
			b.Kind, b.Level = KindHeading, n.role.level
			path = append(above(path, b.Level), b)
		case isCaption[i] || n.role.caption:
			b.Kind = KindCaption
		}
		if line = ""; b.Kind == KindParagraph && introduces(n.text) {
			line = n.text
		}
		if parent == 0 {
			a.doc.Blocks = append(a.doc.Blocks, b)
		}
	}
}

// above returns a copy of the headings that a heading of that level is under.
func above(path []Block, level int) []Block {
	var kept []Block
	for _, b := range path {
		if b.Level < level {
			kept = append(kept, b)
		}
	}
	return kept
}

func (a *assembler) table(raw *rawTable, caption, line string, path []Block, parent int) {
	t := Table{
		Number: len(a.doc.Tables) + 1, Parent: parent, Caption: caption, Above: line,
		HeaderRows: raw.headerRows(), Languages: raw.languages(),
	}
	t.Rows, t.Merges, t.Unclear = raw.grid()
	for i, h := range path {
		if i == len(path)-1 {
			t.Heading = h.Text
		} else {
			t.Sections = append(t.Sections, h.Text)
		}
	}
	a.doc.Tables = append(a.doc.Tables, t)
	if parent == 0 {
		a.doc.Blocks = append(a.doc.Blocks, Block{Kind: KindTable, Table: t.Number})
	}
	for _, row := range raw.rows {
		for _, c := range row.cells {
			a.walk(c.nodes, path, t.Number)
		}
	}
}

// numberedTitle is how captions look that somebody typed: a word, a number, a
// sign, in any script: "Table 2.1: Costs", "表 3：売上".
var numberedTitle = regexp.MustCompile(`^[\p{L}\p{M}]+\.?\s*\p{Nd}+(\.\p{Nd}+)*\s*([:\x{FF1A}\x{3002}]|[.)\x{2013}\x{2014}-](\s|$))`)

// maxCaption is in characters; a longer paragraph is text, unless its style
// says that it is a caption.
const maxCaption = 200

func looksLikeCaption(n node) bool {
	if n.table != nil || n.role.heading || n.text == "" {
		return false
	}
	if n.role.caption || n.numbered {
		return true
	}
	return utf8.RuneCountInString(n.text) <= maxCaption && numberedTitle.MatchString(n.text)
}

// introduces says whether a paragraph may be the title of the table below: it is short, or ends in a colon.
func introduces(text string) bool {
	const short = 80
	n := utf8.RuneCountInString(text)
	return n <= short || n <= maxCaption && (strings.HasSuffix(text, ":") || strings.HasSuffix(text, "："))
}

// captionsOf finds for each table, by index, the paragraph that is its caption:
// the one next to it, above or below. A caption between two tables goes to the
// one that has none yet, and if both have none, to the side on which the
// other captions of the text are.
func captionsOf(nodes []node) map[int]int {
	captions := map[int]int{}
	neighbour := func(i, step int) (int, bool) {
		for i += step; i >= 0 && i < len(nodes); i += step {
			if nodes[i].table != nil {
				return i, true
			}
			if nodes[i].text != "" || nodes[i].picture {
				break
			}
		}
		return 0, false
	}
	var between []int
	sidesAbove, sidesBelow := 0, 0
	give := func(table, from int) {
		if _, has := captions[table]; !has {
			captions[table] = from
		}
	}
	for i, n := range nodes {
		if !looksLikeCaption(n) {
			continue
		}
		below, hasBelow := neighbour(i, 1)
		over, hasOver := neighbour(i, -1)
		switch {
		case hasBelow && hasOver:
			between = append(between, i)
		case hasBelow:
			sidesAbove++
			give(below, i)
		case hasOver:
			sidesBelow++
			give(over, i)
		}
	}
	captionsAreBelow := sidesBelow > sidesAbove
	for _, i := range between {
		below, _ := neighbour(i, 1)
		over, _ := neighbour(i, -1)
		_, overHas := captions[over]
		_, belowHas := captions[below]
		if !overHas && (belowHas || captionsAreBelow) {
			give(over, i)
		} else {
			give(below, i)
		}
	}
	return captions
}
