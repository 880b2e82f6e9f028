package table

import (
	"regexp"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// proof is what a document shows of its decimal signs, each one of point and comma.
type proof struct {
	strong map[byte]bool // a number with groups and a fraction, money or per cent
	weak   map[byte]bool // 3.5 and 3,5 may also be a chapter and a list
}

// Prove has tables read their numbers as the rest of the document writes them. texts are its paragraphs.
func Prove(tables []Source, texts ...string) {
	p := &proof{strong: map[byte]bool{}, weak: map[byte]bool{}}
	for _, s := range tables {
		for _, row := range s.Rows {
			for _, cell := range row {
				p.add(cell, false)
			}
		}
	}
	for _, text := range texts {
		for _, found := range inText.FindAllString(text, -1) {
			p.add(found, true)
		}
	}
	for i := range tables {
		tables[i].proof = p
	}
}

// inText is a number in a text, with its unit.
var inText = regexp.MustCompile(`(\p{Sc}\s?)?\p{Nd}[\p{Nd}.,'’\x{A0}\x{202F}]*\p{Nd}([\s\x{A0}\x{202F}]?[%\p{Sc}])?`)

func (p *proof) add(cell string, text bool) {
	a, ok, _ := parseAmount(cell)
	if !ok {
		return
	}
	sign := a.proves()
	switch {
	case sign == 0:
	case a.percent || a.unit() != "" || strings.Contains(a.body, ".") && strings.Contains(a.body, ","):
		p.strong[sign] = true
	case !text:
		p.weak[sign] = true
	}
}

// proves returns the decimal sign without which the body cannot be read, 0 for none.
func (a amount) proves() byte {
	_, point := a.reading('.')
	_, comma := a.reading(',')
	switch {
	case !comma:
		return '.'
	case !point:
		return ','
	}
	return 0
}

// readings returns both, and the sign that may be the decimal one or separate groups, 0 for none.
func (a amount) readings() (point, comma Number, open byte) {
	point, isPoint := a.reading('.')
	comma, isComma := a.reading(',')
	if isPoint && isComma && point != comma {
		open = a.body[strings.IndexAny(a.body, ".,")]
	}
	return point, comma, open
}

// habits are what is known of how the numbers of a table are written.
type habits struct {
	*proof
	decimal, group map[byte]bool // by the languages
	english, known bool          // all of them are
}

func habitsOf(s Source) habits {
	h := habits{proof: s.proof, decimal: map[byte]bool{}, group: map[byte]bool{}, english: true}
	if h.proof == nil {
		h.proof = &proof{}
	}
	list := strings.Fields(s.Languages)
	for _, name := range list {
		tag, err := language.Parse(name)
		base, confidence := tag.Base()
		if err != nil || confidence < language.High {
			return habits{proof: h.proof}
		}
		const digits = "1234567"
		shown := message.NewPrinter(tag).Sprint(number.Decimal(1234567.5))
		h.decimal[shown[len(shown)-len(".5")]] = true
		h.group[strings.TrimLeft(shown, digits)[0]] = true
		h.english = h.english && base.String() == "en"
	}
	h.known = len(list) > 0
	if len(h.group) > 1 {
		h.group = nil // they do not agree
	}
	return h
}

// sign returns the decimal sign of numbers in which the sign open may be it or separate groups; 0 if nothing says
// which. Many programs write "English" into every document, so that a proof counts more.
func (h habits) sign(open byte) byte {
	other := '.' + ',' - open
	group := h.strong[other] || h.weak[other] || h.group[open]
	switch {
	case h.strong[open] && !group && (!h.known || h.decimal[open]):
		return open
	case group && !h.strong[open] && (!h.decimal[open] || h.strong[other] && h.english):
		return other
	}
	return 0
}
