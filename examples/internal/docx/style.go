package docx

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/tables"
)

// look has the properties of a text that change what a person reads: those of a run, a style, or the document.
type look map[string]string

// with returns the look with the properties of an element rPr on top.
func (l look) with(rPr *node) look {
	l = maps.Clone(l)
	for _, p := range rPr.nodes() {
		switch name := p.name(); name {
		case "vanish", "specVanish", "strike", "dstrike":
			l[name] = map[bool]string{true: "on"}[p.on()]
		case "vertAlign":
			l["raise"] = p.attr("val")
		case "position":
			l["raise"] = map[bool]string{true: "superscript"}[p.attr("val") != "0"]
		case "rFonts":
			l["font"] = ""
			for _, a := range p.Attrs {
				if font, _, _ := strings.Cut(a.Value, " "); symbols[font] {
					l["font"] = a.Value
				}
			}
		case "lang":
			l["language"] = p.attr("val")
		}
	}
	return l
}

// reader reads the body of a document.
type reader struct {
	styles map[string]*node // by id
	usual  string           // id of the style of paragraphs that name none
	base   look             // below all styles
}

func newReader(settings, styles *node) *reader {
	r := &reader{styles: map[string]*node{}, base: look{"language": settings.child("themeFontLang").attr("val")}}
	r.base = r.base.with(styles.child("docDefaults").child("rPrDefault").child("rPr"))
	for _, s := range styles.nodes() {
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

// styled returns a look with a style on top.
func (r *reader) styled(id string, l look) look {
	for _, s := range slices.Backward(r.chain(id)) {
		l = l.with(s.child("rPr"))
	}
	return l
}

// paragraph is a paragraph that was read.
type paragraph struct {
	*text
	tables.Block
	listed bool // it has a number or bullet
}

func (r *reader) paragraph(p *node) paragraph {
	id := cmp.Or(p.child("pPr").child("pStyle").attr("val"), r.usual)
	out := paragraph{text: &text{reader: r, languages: map[string]bool{}}}
	out.read(p, r.styled(id, r.base))
	out.Text, out.Caption = strings.TrimSpace(out.String()), out.counted
	for _, s := range append([]*node{p}, r.chain(id)...) {
		props, name := s.child("pPr"), strings.ToLower(s.child("name").attr("val"))
		num := props.child("numPr").child("numId").attr("val")
		out.listed = out.listed || num != "" && num != "0"
		out.Caption = out.Caption || name == "caption"
		if level, err := strconv.Atoi(strings.TrimPrefix(name, "heading ")); err == nil && out.Level == 0 {
			out.Level = level
		}
		if level, err := strconv.Atoi(props.child("outlineLvl").attr("val")); err == nil && out.Level == 0 && level < 9 {
			out.Level = level + 1
		}
	}
	return out
}
