package job

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/tables"
)

// node is an element of WordprocessingML.
type node struct {
	XMLName  xml.Name   `xml:""`
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []node     `xml:",any"`
}

// child returns the first child of a name; nil: there is none.
func (n *node) child(name string) *node {
	for i := range n.Children {
		if n.Children[i].XMLName.Local == name {
			return &n.Children[i]
		}
	}
	return nil
}

// val is the attribute val of a property, "true" if it has none.
func (n *node) val() string {
	for _, a := range n.Attrs {
		if a.Name.Local == "val" {
			return a.Value
		}
	}
	return "true"
}

// on reports whether a property, such as vanish, holds.
func (n *node) on(property string) bool {
	p := n.child(property)
	return p != nil && p.val() != "0" && p.val() != "false"
}

// readDocx reads the tables and texts of a document, by another way than the screen. It knows less of WordprocessingML
// than Word: what it cannot read is [tables.Unknown], so that the table is not the one on the screen.
func readDocx(file string) (list []tables.Source, texts []string, err error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, nil, err
	}
	defer z.Close() //nolint:errcheck // it was only read
	part, err := z.Open("word/document.xml")
	if err != nil {
		return nil, nil, err
	}
	defer part.Close() //nolint:errcheck // it was only read
	var root node
	if err := xml.NewDecoder(io.LimitReader(part, 64<<20)).Decode(&root); err != nil {
		return nil, nil, err
	}
	body := root.child("body")
	if body == nil {
		return nil, nil, errors.New("the document has no body")
	}
	var walk func(n *node)
	walk = func(n *node) {
		for i := range n.Children {
			switch c := &n.Children[i]; c.XMLName.Local {
			case "tbl":
				list = append(list, c.table(len(list)+1))
			case "p":
				texts = append(texts, c.text())
			case "sdt", "sdtContent", "ins", "moveTo":
				walk(c)
			}
		}
	}
	walk(body)
	return list, texts, nil
}

// all returns the descendants of a name, not inside of one another.
func (n *node) all(name string) (list []*node) {
	for i := range n.Children {
		if c := &n.Children[i]; c.XMLName.Local == name {
			list = append(list, c)
		} else if c.XMLName.Local != "tbl" {
			list = append(list, c.all(name)...)
		}
	}
	return list
}

// table is a table without its hidden and deleted rows.
func (n *node) table(number int) tables.Source {
	s := tables.Source{Number: number}
	above := map[int]int{} // the merge that covers a column, by its place in s.Merges
	for _, row := range n.all("tr") {
		if p := row.child("trPr"); p != nil && (p.on("hidden") || p.child("del") != nil) {
			continue
		}
		var texts []string
		for _, cell := range row.all("tc") {
			wide, p, column := 1, cell.child("tcPr"), len(texts)
			vertical := ""
			if p != nil {
				if span := p.child("gridSpan"); span != nil {
					wide, _ = strconv.Atoi(span.val())
				}
				if merge := p.child("vMerge"); merge != nil {
					vertical = merge.val()
				}
			}
			texts = append(texts, make([]string, max(wide, 1))...)
			if at, covered := above[column]; covered && vertical != "" && vertical != "restart" {
				s.Merges[at].Rows++
				continue
			}
			delete(above, column)
			texts[column] = cell.text()
			if vertical == "restart" {
				above[column] = len(s.Merges)
			}
			if wide > 1 || vertical == "restart" {
				s.Merges = append(s.Merges, tables.Merge{Row: len(s.Rows), Col: column, Rows: 1, Cols: max(wide, 1)})
			}
		}
		s.Rows = append(s.Rows, texts)
	}
	return s
}

// raised and lowered are what a person sees of digits.
var (
	raised  = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")
	lowered = strings.NewReplacer("0", "₀", "1", "₁", "2", "₂", "3", "₃", "4", "₄", "5", "₅", "6", "₆", "7", "₇", "8", "₈", "9", "₉")
)

// text is what a person reads: without deletions and hidden texts, with raised and lowered digits.
func (n *node) text() string {
	var b strings.Builder
	for i := range n.Children {
		c := &n.Children[i]
		switch c.XMLName.Local {
		case "t":
			b.WriteString(c.Text)
		case "tab":
			b.WriteString("\t")
		case "br", "cr":
			b.WriteString("\n")
		case "noBreakHyphen":
			b.WriteString("‑")
		case "p":
			if b.Len() > 0 {
				b.WriteString("\n")
			}
			b.WriteString(c.text())
		case "r":
			text := c.text()
			if p := c.child("rPr"); p != nil {
				if p.on("vanish") {
					continue
				}
				if v := p.child("vertAlign"); v != nil && v.val() == "superscript" {
					text = raised.Replace(text)
				} else if v != nil && v.val() == "subscript" {
					text = lowered.Replace(text)
				}
			}
			b.WriteString(text)
		case "sym", "drawing", "pict", "object", "oMath", "oMathPara", "tbl", "footnoteReference", "endnoteReference", "AlternateContent":
			b.WriteString(tables.Unknown)
		case "ins", "moveTo", "hyperlink", "smartTag", "sdt", "sdtContent", "fldSimple", "customXml", "dir", "bdo", "ruby", "rubyBase":
			b.WriteString(c.text())
		}
	}
	return b.String()
}
