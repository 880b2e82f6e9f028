package docx

import (
	"encoding/xml"
	"strings"
)

// look is what the properties of a run change of what a person reads. Empty fields say nothing.
type look struct {
	marks    map[string]bool // vanish, specVanish, strike and dstrike
	raise    string          // superscript, subscript or baseline
	font     string          // one of symbols, "-" for any other
	language string
	style    string // of characters
	odd      string // a property that is not known
}

// over returns l on top of base.
func (l look) over(base look) look {
	marks := map[string]bool{}
	for _, from := range []look{base, l} {
		for name, on := range from.marks {
			marks[name] = on
		}
	}
	first := func(a, b string) string {
		if a != "" {
			return a
		}
		return b
	}
	return look{
		marks: marks, raise: first(l.raise, base.raise), font: first(l.font, base.font),
		language: first(l.language, base.language), style: l.style, odd: first(l.odd, base.odd),
	}
}

func (l look) hidden() bool { return l.marks["vanish"] || l.marks["specVanish"] }
func (l look) struck() bool { return l.marks["strike"] || l.marks["dstrike"] }

// look reads the properties of a run.
func (p *parser) look() (look, error) {
	l := look{marks: map[string]bool{}}
	err := p.children(func(e xml.StartElement) error {
		val := attr(e, "val")
		switch name := wName(e); name {
		case "vanish", "specVanish", "strike", "dstrike":
			l.marks[name] = on(val, true)
		case "vertAlign":
			l.raise = val
		case "position":
			if l.raise == "" && val != "0" {
				l.raise = "superscript"
				if strings.HasPrefix(val, "-") {
					l.raise = "subscript"
				}
			}
		case "rFonts":
			l.font = "-"
			for _, a := range e.Attr {
				if symbolic[strings.ToLower(a.Value)] {
					l.font = a.Value
				}
			}
		case "lang":
			l.language = val
		case "rStyle":
			l.style = val
		default:
			if name != "" && !plainLook[name] {
				l.odd = name
			}
		}
		return p.skip()
	})
	return l, err
}

// names makes a set of the names of elements.
func names(list string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		m[name] = true
	}
	return m
}

var (
	// symbolic fonts show other signs than the characters of a text say.
	symbolic = map[string]bool{"symbol": true, "wingdings": true, "wingdings 2": true, "wingdings 3": true, "webdings": true, "zapfdingbats": true, "mt extra": true}
	// plainLook are properties of a run that leave its text as it is.
	plainLook = names(`b bCs i iCs caps smallCaps outline shadow emboss imprint noProof snapToGrid color spacing w kern sz szCs highlight
		u effect bdr shd fitText rtl cs em eastAsianLayout oMath webHidden ins del moveFrom moveTo rPrChange`)
	// plainRow and plainCell are those of rows and cells that leave them as they are.
	plainRow  = names(`cnfStyle divId gridAfter wBefore wAfter cantSplit trHeight tblCellSpacing jc ins trPrChange`)
	plainCell = names(`cnfStyle tcW tcBorders shd noWrap tcMar textDirection tcFitText vAlign hideMark headers cellIns tcPrChange`)
	// unseen are elements that a person does not see: deletions, marks, and properties that are read elsewhere.
	unseen = names(`del moveFrom delText delInstrText proofErr permStart permEnd bookmarkStart bookmarkEnd commentRangeStart commentRangeEnd
		commentReference annotationRef moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd customXmlInsRangeStart
		customXmlInsRangeEnd customXmlDelRangeStart customXmlDelRangeEnd customXmlMoveFromRangeStart customXmlMoveFromRangeEnd
		customXmlMoveToRangeStart customXmlMoveToRangeEnd footnoteRef endnoteRef separator continuationSeparator
		lastRenderedPageBreak softHyphen fldData rubyPr rt sdtPr sdtEndPr customXmlPr smartTagPr tblGrid tblPrEx sectPr`)
)
