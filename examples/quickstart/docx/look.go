package docx

import (
	"maps"
	"strings"
)

// lookOf reads the properties of a run.
func lookOf(rPr *node) look {
	l := look{}
	for i := range rPr.Nodes {
		p := &rPr.Nodes[i]
		switch name := p.name(); name {
		case "vanish", "specVanish", "strike", "dstrike":
			l[name] = map[bool]string{true: "on"}[p.on()]
		case "vertAlign":
			l["raise"] = strings.TrimPrefix(p.attr("val"), "baseline")
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
		default:
			if !plain[name] {
				l["unknown"] = name
			}
		}
	}
	return l
}

func (l look) over(base look) look {
	both := maps.Clone(base)
	maps.Copy(both, l)
	return both
}
