package docx

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// runs collects the text of one paragraph.
type runs struct {
	*parser
	look     look // of the paragraph
	out      strings.Builder
	boxes    []node
	fields   []*field
	numbered bool
	picture  bool
	struck   bool
	unclear  string
	language map[string]bool // of the runs with digits
}

// write adds what a run shows.
func (r *runs) write(text string, l look) {
	blank := strings.TrimSpace(text) == ""
	switch {
	case blank && l.struck(), !r.sees(l):
		return
	case !blank && l["odd"] != "":
		r.refuse("the property "+l["odd"], l)
		return
	case !blank && symbolic[strings.ToLower(l["font"])]:
		r.refuse("a text in the font "+l["font"], l)
		return
	}
	if strings.ContainsFunc(text, unicode.IsDigit) {
		r.language[l["language"]] = true
	}
	if to, ok := raised[l["raise"]]; ok {
		text = to.Replace(text)
	}
	r.out.WriteString(text)
}

// sees says whether a person sees a run of that look, and notes text that is struck through.
func (r *runs) sees(l look) bool {
	for _, f := range r.fields {
		if !f.result {
			return false
		}
	}
	if !l.hidden() && l.struck() {
		r.struck = true
		return false
	}
	return !l.hidden()
}

// refuse notes that there is something that a person sees and that is not in the text.
func (r *runs) refuse(what string, l look) {
	if !r.sees(l) {
		return
	}
	if r.out.WriteRune(unicode.ReplacementChar); r.unclear == "" {
		r.unclear = what
	}
}

// run reads a piece of text of one look.
func (r *runs) run() error {
	l := r.look
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch name := wName(e); {
		case name == "rPr":
			own, err := r.parser.look()
			l = own.over(r.styles.look(r.styles.characters, own["style"], r.look))
			return err
		case name == "t", e.Name.Space == spaceMath && e.Name.Local == "t":
			text, err := r.text()
			if name == "t" && attr(e, "space") != "preserve" {
				text = strings.Trim(text, " \t\r\n")
			}
			r.write(text, l)
			return err
		case name == "instrText":
			instruction, err := r.text()
			r.instruct(instruction)
			return err
		case name == "fldChar":
			r.fieldChar(e, l)
		case name == "sym":
			r.symbol(e, l)
		case isAlternative(e):
			return r.alternative(visit)
		case name == "drawing", name == "pict", name == "object":
			return r.drawing(l)
		case name == "ruby":
			return r.children(r.inline)
		case name == "footnoteReference", name == "endnoteReference":
			if on(attr(e, "customMarkFollows"), false) {
				r.refuse("the mark of a note", l)
			}
		case signs[name] != "":
			r.write(signs[name], l)
		case !unseen[name] && !(e.Name.Space == spaceMath && e.Name.Local == "rPr"):
			r.refuse("the element "+e.Name.Local, l)
		}
		return r.skip()
	}
	return r.children(visit)
}

// field is one that is open.
type field struct {
	instruction string
	dirty       bool // Word computes it again
	result      bool // its result has begun
	at          int  // where in the text
}

// quiet are fields that show nothing.
var quiet = names("XE TC TA RD SET ASK NEXT NEXTIF SKIPIF")

func (r *runs) fieldChar(e xml.StartElement, l look) {
	kind := attr(e, "fldCharType")
	if kind == "begin" {
		r.fields = append(r.fields, &field{dirty: on(attr(e, "dirty"), false)})
	}
	last := len(r.fields) - 1
	if last < 0 {
		return // it began in another paragraph
	}
	f := r.fields[last]
	switch kind {
	case "separate":
		f.result, f.at = true, r.out.Len()
	case "end":
		r.fields = r.fields[:last]
		r.ended(f, l)
	}
}

// ended refuses a field of which the file does not have what Word shows.
func (r *runs) ended(f *field, l look) {
	words := strings.Fields(f.instruction)
	if len(words) > 0 && quiet[strings.ToUpper(words[0])] || f.result && r.out.Len() > f.at && !f.dirty {
		return
	}
	r.refuse("a field without its result", l)
}

// instruct takes in the instruction of a field, or a part of it.
func (r *runs) instruct(instruction string) {
	words := strings.Fields(instruction)
	r.numbered = r.numbered || len(words) > 0 && strings.EqualFold(words[0], "SEQ")
	if last := len(r.fields) - 1; last >= 0 {
		r.fields[last].instruction += instruction
	}
}

// symbol reads a sign of a font of symbols.
func (r *runs) symbol(e xml.StartElement, l look) {
	font := attr(e, "font")
	code, err := strconv.ParseUint(attr(e, "char"), 16, 32)
	if sign := symbols[code&0xFF]; err == nil && sign != "" && strings.EqualFold(font, "symbol") {
		r.write(sign, look{"font": ""}.over(l))
		return
	}
	r.refuse(fmt.Sprintf("a sign of the font %s", font), l)
}

// symbols are signs of the font Symbol that may stand at a number.
var symbols = map[uint64]string{'%': "%", '+': "+", ',': ",", '-': "−", '.': ".", 0xA3: "≤", 0xB1: "±", 0xB3: "≥"}

// math reads a formula that is one line.
func (r *runs) math(e xml.StartElement) error {
	switch e.Name.Local {
	case "oMath", "oMathPara":
		return r.children(r.inline)
	case "r":
		return r.run()
	}
	if !strings.HasSuffix(e.Name.Local, "Pr") {
		r.refuse("a formula", r.look)
	}
	return r.skip()
}

// drawing looks for a text box.
func (r *runs) drawing(l look) error {
	r.picture = r.picture || r.sees(l)
	var visit func(e xml.StartElement) error
	visit = func(e xml.StartElement) error {
		switch {
		case isW(e, "txbxContent"):
			nodes, err := r.nodes(r.other)
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

// raised keeps signs apart from those that they stand beside.
var raised = map[string]*strings.Replacer{
	"superscript": digits("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾˙⸴"),
	"subscript":   digits("₀₁₂₃₄₅₆₇₈₉₊₋₋₍₎.,"),
}

func digits(to string) *strings.Replacer {
	from := []rune("0123456789+-−().,")
	var pairs []string
	for i, r := range []rune(to) {
		pairs = append(pairs, string(from[i]), string(r))
	}
	return strings.NewReplacer(pairs...)
}
