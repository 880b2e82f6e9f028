package docx

import (
	"encoding/xml"
	"fmt"
	"strings"
	"unicode"
)

// node is a paragraph or a table, as it stands in the text.
type node struct {
	text     string
	role     role
	table    *rawTable
	numbered bool            // has a field that counts tables or figures
	picture  bool            // has a drawing, which a caption near it may belong to
	listed   bool            // has a number or bullet of a list
	struck   bool            // has text that is struck through
	unclear  string          // what a person sees and is not in the text
	language map[string]bool // of its digits
}

// document reads the main part.
func (p *parser) document() ([]node, error) {
	var body []node
	err := p.root(func(e xml.StartElement) error {
		if !isW(e, "document") {
			return &Error{Part: p.part, Err: ErrNotWord, Reason: fmt.Sprintf("its main part is a %q", e.Name.Local)}
		}
		return p.children(func(e xml.StartElement) error {
			if !isW(e, "body") {
				return p.skip()
			}
			nodes, err := p.nodes(p.other)
			body = append(body, nodes...)
			return err
		})
	})
	return body, err
}

// nodes reads the paragraphs and tables of the current element, and calls properties with those of a cell.
func (p *parser) nodes(properties func(xml.StartElement) error) ([]node, error) {
	var found []node
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch {
		case isW(e, "p"):
			n, boxes, err := p.paragraph()
			found = append(append(found, n), boxes...)
			return err
		case isW(e, "tbl"):
			t, err := p.table()
			found = append(found, node{table: t})
			return err
		case isW(e, "tcPr"):
			return p.children(properties)
		case isAlternative(e):
			return p.alternative(visit)
		case through(e):
			return p.children(visit)
		case !unseen[wName(e)]:
			found = append(found, strange(e))
		}
		return p.skip()
	}
	err := p.children(visit)
	return found, err
}

// strange is an element between paragraphs that is not known.
func strange(e xml.StartElement) node {
	return node{text: string(unicode.ReplacementChar), unclear: "the element " + e.Name.Local}
}

// paragraph reads a paragraph, and what stands in text boxes that hang on it.
func (p *parser) paragraph() (node, []node, error) {
	if p.blocks++; p.blocks > p.limits.MaxBlocks {
		return node{}, nil, tooBig(p.part, fmt.Sprintf("more than %d paragraphs", p.limits.MaxBlocks))
	}
	r := &runs{parser: p, look: p.styles.look(p.styles.byID, p.styles.def, p.styles.base), language: map[string]bool{}}
	style, level, listed := "", -1, false
	err := p.children(func(e xml.StartElement) error {
		if !isW(e, "pPr") {
			return r.inline(e)
		}
		return p.children(func(e xml.StartElement) error {
			switch {
			case isW(e, "pStyle"):
				style = attr(e, "val")
				r.look = p.styles.look(p.styles.byID, style, p.styles.base)
			case isW(e, "numPr"):
				return p.children(func(e xml.StartElement) error {
					listed = listed || isW(e, "numId") && attr(e, "val") != "0"
					return p.skip()
				})
			case isW(e, "outlineLvl"):
				level = outline(attr(e, "val"))
			}
			return p.skip()
		})
	})
	n := node{
		text: strings.TrimSpace(r.out.String()), role: p.styles.role(style), numbered: r.numbered, picture: r.picture,
		listed: listed, struck: r.struck, unclear: r.unclear, language: r.language,
	}
	if level >= 0 {
		n.role = outlineRole(level)
	}
	return n, r.boxes, err
}

// inline reads one child of a paragraph, or of something in it.
func (r *runs) inline(e xml.StartElement) error {
	switch {
	case isW(e, "r"):
		return r.run()
	case e.Name.Space == spaceMath:
		return r.math(e)
	case isAlternative(e):
		return r.alternative(r.inline)
	case isW(e, "fldSimple"):
		r.instruct(attr(e, "instr"))
		f := &field{instruction: attr(e, "instr"), result: true, at: r.out.Len(), dirty: on(attr(e, "dirty"), false)}
		err := r.children(r.inline)
		r.ended(f, r.look)
		return err
	case isW(e, "bdo"):
		r.refuse("a text in the other direction", r.look)
	case through(e):
		return r.children(r.inline)
	case !unseen[wName(e)]:
		r.refuse("the element "+e.Name.Local, r.look)
	}
	return r.skip()
}
