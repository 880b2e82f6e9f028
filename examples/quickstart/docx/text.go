package docx

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/examples/internal/tables"
)

// look is what properties say of a text: those of a run, a style, or the document.
type look map[string]string

// text is a paragraph that is being read.
type text struct {
	*reader
	strings.Builder
	fields    []int  // open fields: where the result begins, -1 before it
	counted   bool   // it has a number of a table
	unknown   string // why a person sees more than the text
	struck    bool
	languages map[string]bool // of its digits
}

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

const picture = "a picture"

var (
	// through are elements whose children stand in their place.
	through = set("ins moveTo sdt sdtContent customXml smartTag hyperlink dir ruby rubyBase")
	// unseen are elements that a person does not see.
	unseen = set(`del moveFrom delText delInstrText proofErr permStart permEnd bookmarkStart bookmarkEnd commentRangeStart
		commentRangeEnd commentReference annotationRef moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd
		lastRenderedPageBreak softHyphen rubyPr rt sdtPr sdtEndPr customXmlPr smartTagPr tblGrid tblPr tblPrEx sectPr pPr`)
	// plain are properties of a run that change no text.
	plain = set(`b bCs i iCs caps smallCaps outline shadow emboss imprint noProof snapToGrid color spacing w kern sz szCs highlight
		u effect bdr shd fitText rtl cs em eastAsianLayout oMath webHidden ins del moveFrom moveTo rPrChange rStyle`)
	signs = map[string]string{"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
	// symbols are fonts that show other signs than the text has.
	symbols = set("Symbol Wingdings Webdings ZapfDingbats")
)

// inline reads the children of a paragraph, or of an element in it.
func (t *text) inline(parent *node, l look) {
	for i := range parent.Nodes {
		n := &parent.Nodes[i]
		switch name := n.name(); {
		case name == "r":
			t.run(n, l)
		case name == "fldSimple":
			t.counted = t.counted || isCounter(n.attr("instr"))
			before := t.Len()
			if t.inline(n, l); t.Len() == before {
				t.refuse("a field without its result", l)
			}
		case through[name]:
			t.inline(n, l)
		case name == "other:AlternateContent" && len(n.Nodes) > 0:
			t.inline(&n.Nodes[0], l)
		case name == "other:oMath" || name == "other:oMathPara":
			t.refuse("a formula", l)
		case !unseen[name]:
			t.refuse("the element "+n.XMLName.Local, l)
		}
	}
}

// run reads a text of one look.
func (t *text) run(r *node, l look) {
	own := lookOf(r.child("rPr"))
	l = own.over(t.styleLook(r.child("rPr").child("rStyle").attr("val"), l))
	for i := range r.Nodes {
		n := &r.Nodes[i]
		switch name := n.name(); {
		case name == "rPr", unseen[name]:
		case name == "t":
			s := n.Text
			if n.attr("space") != "preserve" {
				s = strings.TrimSpace(s)
			}
			t.write(s, l)
		case name == "instrText":
			t.counted = t.counted || isCounter(n.Text)
		case name == "fldChar":
			t.field(n, l)
		case name == "sym" && strings.EqualFold(n.attr("font")+n.attr("char"), "SymbolF02D"):
			t.write("-", look{"font": ""}.over(l))
		case name == "sym":
			t.refuse("a sign of the font "+n.attr("font"), l)
		case name == "footnoteReference" || name == "endnoteReference":
			if n.attr("customMarkFollows") != "" {
				t.refuse("the mark of a note", l)
			}
		case signs[name] != "":
			t.write(signs[name], l)
		case name == "ruby":
			t.inline(n, l)
		case name == "drawing" || name == "pict" || name == "object":
			t.refuse(picture, l)
		default:
			t.refuse("the element "+n.XMLName.Local, l)
		}
	}
}

// field follows a field, which may have others in its instruction.
func (t *text) field(n *node, l look) {
	last := len(t.fields) - 1
	switch kind := n.attr("fldCharType"); {
	case kind == "begin":
		t.fields = append(t.fields, -1)
	case last < 0: // it began in another paragraph
	case kind == "separate":
		t.fields[last] = t.Len()
	case kind == "end":
		empty := t.fields[last] < 0 || t.fields[last] == t.Len()
		if t.fields = t.fields[:last]; empty {
			t.refuse("a field without its result", l)
		}
	}
}

func isCounter(instruction string) bool {
	return strings.HasPrefix(strings.TrimSpace(instruction), "SEQ")
}

// sees reports whether a person sees a text of that look.
func (t *text) sees(l look) bool {
	struck := l["strike"] == "on" || l["dstrike"] == "on"
	hidden := l["vanish"] == "on" || l["specVanish"] == "on" || slices.Contains(t.fields, -1)
	t.struck = t.struck || struck && !hidden
	return !struck && !hidden
}

func (t *text) write(s string, l look) {
	blank := strings.TrimSpace(s) == ""
	switch {
	case !t.sees(l):
	case !blank && l["unknown"] != "":
		t.refuse("the property "+l["unknown"], l)
	case !blank && l["font"] != "":
		t.refuse("a text in the font "+l["font"], l)
	default:
		if strings.ContainsFunc(s, unicode.IsDigit) {
			t.languages[l["language"]] = true
		}
		if digits := []rune(raised[l["raise"]]); len(digits) > 0 {
			s = strings.Map(func(r rune) rune {
				if r >= '0' && r <= '9' {
					return digits[r-'0']
				}
				return r
			}, s)
		}
		t.WriteString(s)
	}
}

// raised keeps digits apart from those that they stand beside.
var raised = map[string]string{"superscript": "⁰¹²³⁴⁵⁶⁷⁸⁹", "subscript": "₀₁₂₃₄₅₆₇₈₉"}

// refuse notes that a person sees something that is not in the text.
func (t *text) refuse(what string, l look) {
	if t.sees(l) && t.unknown == "" {
		t.unknown = tables.Unknown + " (" + what + ")"
	}
}
