package docx

import "strings"

// reader reads the body of a document.
type reader struct {
	styles map[string]*node // by id
	usual  string           // id of the style of paragraphs that name none
	base   look             // below all styles
}

func newReader(settings, styles node) *reader {
	r := &reader{styles: map[string]*node{}, base: look{"language": settings.child("themeFontLang").attr("val")}}
	r.base = lookOf(styles.child("docDefaults").child("rPrDefault").child("rPr")).over(r.base)
	for i := range styles.Nodes {
		s := &styles.Nodes[i]
		r.styles[s.attr("styleId")] = s
		if s.attr("type") == "paragraph" && s.attr("default") == "1" {
			r.usual = s.attr("styleId")
		}
	}
	return r
}

// chain returns a style and those that it is based on.
func (r *reader) chain(id string) (list []*node) {
	for s := r.styles[id]; s != nil && len(list) < 20; s = r.styles[s.child("basedOn").attr("val")] {
		list = append(list, s)
	}
	return list
}

// styleLook returns the look of a style on top of base.
func (r *reader) styleLook(id string, base look) look {
	l := look{}
	for _, s := range r.chain(id) {
		l = l.over(lookOf(s.child("rPr")))
	}
	return l.over(base)
}

// paragraph is a paragraph that was read.
type paragraph struct {
	*text
	says    string
	level   int  // of a heading, 1 to 9; 0: it is none
	caption bool // by its style or a number of a table
	listed  bool // it has a number or bullet
}

func (r *reader) paragraph(p *node) paragraph {
	t := &text{reader: r, languages: map[string]bool{}}
	props := p.child("pPr")
	id := props.child("pStyle").attr("val")
	if id == "" {
		id = r.usual
	}
	t.inline(p, r.styleLook(id, r.base))
	out := paragraph{text: t, says: strings.TrimSpace(t.String()), level: outline(props.child("outlineLvl")), caption: t.counted}
	for _, s := range append([]*node{{Nodes: []node{*props}}}, r.chain(id)...) {
		num := s.child("pPr").child("numPr").child("numId").attr("val")
		out.listed = out.listed || num != "" && num != "0"
		name := strings.ToLower(s.child("name").attr("val"))
		out.caption = out.caption || name == "caption"
		if digit, ok := strings.CutPrefix(name, "heading "); ok && len(digit) == 1 && out.level == 0 {
			out.level = int(digit[0] - '0')
		}
		if out.level == 0 {
			out.level = outline(s.child("pPr").child("outlineLvl"))
		}
	}
	return out
}

// outline returns the level of a heading, 0 for none.
func outline(n *node) int {
	if v := n.attr("val"); len(v) == 1 && v >= "0" && v < "9" {
		return int(v[0]-'0') + 1
	}
	return 0
}
