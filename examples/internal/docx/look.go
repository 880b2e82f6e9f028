package docx

import (
	"encoding/xml"
	"maps"
	"strings"
)

// look is what the properties of a run say of what a person reads: vanish, specVanish, strike and dstrike are "1" or "0",
// raise is superscript, subscript or baseline, odd is a property that is not known, and font, language and style are names.
type look map[string]string

// over returns l on top of base.
func (l look) over(base look) look {
	both := maps.Clone(base)
	maps.Copy(both, l)
	return both
}

func (l look) hidden() bool { return l["vanish"] == "1" || l["specVanish"] == "1" }
func (l look) struck() bool { return l["strike"] == "1" || l["dstrike"] == "1" }

// look reads the properties of a run.
func (p *parser) look() (look, error) {
	l := look{}
	err := p.children(func(e xml.StartElement) error {
		val := attr(e, "val")
		switch name := wName(e); {
		case toggles[name] && on(val, true):
			l[name] = "1"
		case toggles[name]:
			l[name] = "0"
		case name == "vertAlign":
			l["raise"] = val
		case name == "position" && val != "0" && l["raise"] == "":
			l["raise"] = "superscript"
			if strings.HasPrefix(val, "-") {
				l["raise"] = "subscript"
			}
		case name == "rFonts":
			l["font"] = "" // over one of symbols
			for _, a := range e.Attr {
				if symbolic[strings.ToLower(a.Value)] {
					l["font"] = a.Value
				}
			}
		case name == "lang":
			l["language"] = val
		case name == "rStyle":
			l["style"] = val
		case name != "" && !plainLook[name]:
			l["odd"] = name
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
	toggles  = names("vanish specVanish strike dstrike")
	// plainLook are properties of a run that leave its text as it is.
	plainLook = names(`b bCs i iCs caps smallCaps outline shadow emboss imprint noProof snapToGrid color spacing w kern sz szCs highlight
		u effect bdr shd fitText rtl cs em position eastAsianLayout oMath webHidden ins del moveFrom moveTo rPrChange`)
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
