package docx

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// node is a paragraph or a table, as it stands in the text.
type node struct {
	text     string
	role     role
	table    *rawTable
	numbered bool // has a field that counts tables or figures
	picture  bool // has a drawing, which a caption near it may belong to
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
			nodes, err := p.nodes()
			body = append(body, nodes...)
			return err
		})
	})
	return body, err
}

// nodes reads the paragraphs and tables of the current element.
func (p *parser) nodes() ([]node, error) {
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
		case isAlternative(e):
			return p.alternative(visit)
		case through(e):
			return p.children(visit)
		}
		return p.skip()
	}
	return found, p.children(visit)
}

// paragraph reads a paragraph, and what stands in text boxes that hang on it.
func (p *parser) paragraph() (node, []node, error) {
	if p.blocks++; p.blocks > p.limits.MaxBlocks {
		return node{}, nil, tooBig(p.part, fmt.Sprintf("more than %d paragraphs", p.limits.MaxBlocks))
	}
	r := &runs{parser: p}
	style, level := "", -1
	err := p.children(func(e xml.StartElement) error {
		if !isW(e, "pPr") {
			return r.inline(e)
		}
		return p.children(func(e xml.StartElement) error {
			switch {
			case isW(e, "pStyle"):
				style = attr(e, "val")
			case isW(e, "outlineLvl"):
				level = outline(attr(e, "val"))
			}
			return p.skip()
		})
	})
	n := node{text: strings.TrimSpace(r.out.String()), role: p.styles.role(style), numbered: r.numbered, picture: r.picture}
	if level >= 0 {
		n.role = outlineRole(level)
	}
	return n, r.boxes, err
}

// runs collects the text of one paragraph.
type runs struct {
	*parser
	out      strings.Builder
	boxes    []node
	numbered bool
	picture  bool
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
		r.field(attr(e, "instr"))
		return r.children(r.inline)
	case through(e):
		return r.children(r.inline)
	}
	return r.skip() // deletions, marks, properties
}

// run reads a piece of text of one look.
func (r *runs) run() error {
	hidden, raise := false, noRaise
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch {
		case isW(e, "rPr"):
			return r.children(func(e xml.StartElement) error {
				switch {
				case isW(e, "vanish"):
					hidden = on(attr(e, "val"), true)
				case isW(e, "vertAlign"):
					raise = raised[attr(e, "val")]
				}
				return r.skip()
			})
		case isW(e, "t"):
			preserve := attr(e, "space") == "preserve"
			text, err := r.text()
			if !preserve {
				text = strings.Trim(text, " \t\r\n")
			}
			if !hidden {
				r.out.WriteString(raise.Replace(text))
			}
			return err
		case isW(e, "instrText"):
			instruction, err := r.text()
			r.field(instruction)
			return err
		case isAlternative(e):
			return r.alternative(visit)
		case isW(e, "drawing"), isW(e, "pict"), isW(e, "object"):
			return r.drawing()
		case isW(e, "ruby"):
			return r.children(r.inline)
		}
		if !hidden {
			r.out.WriteString(signs[wName(e)])
		}
		return r.skip()
	}
	return r.children(visit)
}

// field notes that a field counts something, as the number in a caption does.
func (r *runs) field(instruction string) {
	words := strings.Fields(instruction)
	r.numbered = r.numbered || len(words) > 0 && strings.EqualFold(words[0], "SEQ")
}

// math reads the letters of a formula.
func (r *runs) math(e xml.StartElement) error {
	if e.Name.Local == "t" {
		text, err := r.text()
		r.out.WriteString(text)
		return err
	}
	return r.children(func(e xml.StartElement) error {
		if e.Name.Space == spaceMath {
			return r.math(e)
		}
		return r.skip()
	})
}

// drawing looks for a text box.
func (r *runs) drawing() error {
	r.picture = true
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch {
		case isW(e, "txbxContent"):
			nodes, err := r.nodes()
			r.boxes = append(r.boxes, nodes...)
			return err
		case isAlternative(e):
			return r.alternative(visit)
		}
		return r.children(visit)
	}
	return r.children(visit)
}

// signs are elements that stand for a sign.
var signs = map[string]string{"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}

func wName(e xml.StartElement) string {
	if isW(e, e.Name.Local) {
		return e.Name.Local
	}
	return ""
}

var (
	noRaise = strings.NewReplacer()
	// raised keeps digits apart from those that they stand beside.
	raised = map[string]*strings.Replacer{
		"":            noRaise,
		"baseline":    noRaise,
		"superscript": digits("⁰¹²³⁴⁵⁶⁷⁸⁹"),
		"subscript":   digits("₀₁₂₃₄₅₆₇₈₉"),
	}
)

func digits(to string) *strings.Replacer {
	var pairs []string
	for i, r := range []rune(to) {
		pairs = append(pairs, string(rune('0'+i)), string(r))
	}
	return strings.NewReplacer(pairs...)
}
