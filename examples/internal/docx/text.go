package docx

import (
	"slices"
	"strings"
	"unicode"
)

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

const picture = "a picture"

var (
	// around are elements whose children stand in their place.
	around = set("ins moveTo sdt sdtContent customXml smartTag hyperlink dir ruby rubyBase AlternateContent Choice")
	// unseen are elements that a person does not see.
	unseen = set(`del moveFrom delText delInstrText proofErr permStart permEnd bookmarkStart bookmarkEnd commentRangeStart
		commentRangeEnd commentReference annotationRef moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd
		lastRenderedPageBreak softHyphen rubyPr rt sdtPr sdtEndPr customXmlPr smartTagPr tblGrid tblPr tblPrEx sectPr pPr rPr
		Fallback`)
	signs = map[string]string{"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
	// others are elements that a person sees and a program cannot read.
	others = map[string]string{"drawing": picture, "pict": picture, "object": picture, "oMath": "a formula", "oMathPara": "a formula"}
	// symbols are fonts that show other signs than the text has.
	symbols = set("Symbol Wingdings Webdings ZapfDingbats")
	// raised keeps digits apart from those that they stand beside.
	raised = map[string]string{"superscript": "⁰¹²³⁴⁵⁶⁷⁸⁹", "subscript": "₀₁₂₃₄₅₆₇₈₉"}
)

// text is a text that is being read.
type text struct {
	*reader
	strings.Builder
	fields    []int           // open fields: where the result begins, -1 before it
	counted   bool            // it has a number of a table
	unknown   string          // why a person sees more than the text
	struck    bool            // a part is struck through
	languages map[string]bool // of its digits
}

// read reads the children of a paragraph, a run, or an element in them.
func (t *text) read(parent *node, l look) {
	for _, n := range parent.all() {
		switch name := n.name(); {
		case name == "r":
			props := n.child("rPr")
			t.read(n, t.styled(props.child("rStyle").attr("val"), l).with(props))
		case name == "t":
			s := n.Text
			if n.attr("space") != "preserve" {
				s = strings.TrimSpace(s)
			}
			t.write(s, l)
		case signs[name] != "":
			t.write(signs[name], l)
		case name == "instrText":
			t.counted = t.counted || strings.HasPrefix(strings.TrimSpace(n.Text), "SEQ")
		case name == "fldChar":
			t.field(n.attr("fldCharType"), l)
		case name == "fldSimple":
			t.counted = t.counted || strings.HasPrefix(strings.TrimSpace(n.attr("instr")), "SEQ")
			t.field("begin", l)
			t.field("separate", l)
			t.read(n, l)
			t.field("end", l)
		case name == "sym" && strings.EqualFold(n.attr("font")+n.attr("char"), "SymbolF02D"):
			if t.sees(l) {
				t.WriteString("-")
			}
		case name == "sym":
			t.refuse("a sign of the font "+n.attr("font"), l)
		case name == "footnoteReference" || name == "endnoteReference":
			if n.attr("customMarkFollows") != "" {
				t.refuse("the mark of a note", l)
			}
		case others[name] != "":
			t.refuse(others[name], l)
		case !unseen[name]:
			t.refuse("the element "+name, l)
		}
	}
}

// field follows a field, which may have others in its instruction.
func (t *text) field(kind string, l look) {
	last := len(t.fields) - 1
	switch {
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

// sees reports whether a person sees a text of that look.
func (t *text) sees(l look) bool {
	struck := l["strike"] == "on" || l["dstrike"] == "on"
	hidden := l["vanish"] == "on" || l["specVanish"] == "on" || slices.Contains(t.fields, -1)
	t.struck = t.struck || struck && !hidden
	return !struck && !hidden
}

func (t *text) write(s string, l look) {
	if !t.sees(l) {
		return
	}
	if strings.TrimSpace(s) != "" && l["font"] != "" {
		t.refuse("a text in the font "+l["font"], l)
		return
	}
	if strings.ContainsFunc(s, unicode.IsDigit) {
		t.languages[l["language"]] = true
	}
	digits := []rune(raised[l["raise"]])
	t.WriteString(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' && len(digits) > 0 {
			return digits[r-'0']
		}
		return r
	}, s))
}

// refuse notes that a person sees something that is not in the text.
func (t *text) refuse(what string, l look) {
	if t.sees(l) && t.unknown == "" {
		t.unknown = what
	}
}
