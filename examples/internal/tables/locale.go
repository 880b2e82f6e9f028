package tables

import (
	"regexp"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	textnumber "golang.org/x/text/number"
)

// proofs are the decimal signs of the numbers of a document that can be read in one way: of money, per cent, and
// numbers with both signs. Others are no proof: 3.5 and 3,5 may be a chapter and a list.
func proofs(blocks []Block) map[byte]bool {
	var found []string
	for _, b := range blocks {
		found = append(found, inText.FindAllString(b.Text, -1)...)
		if b.Table != nil {
			for _, row := range b.Table.Rows {
				found = append(found, row...)
			}
		}
	}
	proved := map[byte]bool{}
	for _, cell := range found {
		a, k := parse(cell)
		if k == number && (a.unit != "" || strings.Contains(a.text, ".") && strings.Contains(a.text, ",")) {
			proved[a.proves()] = true
		}
	}
	return proved
}

// inText is a number in a text, with its unit.
var inText = regexp.MustCompile(`(\p{Sc}\s?)?\p{Nd}[\p{Nd}.,'’\x{A0}\x{202F}]*\p{Nd}([\s\x{A0}\x{202F}]?[%\p{Sc}])?`)

// decimalSign returns the decimal sign of numbers in which the sign open may be that, or separate thousands; 0 if
// nothing tells. That a language has open as its decimal sign tells nothing: many programs write "English" into every
// document. That a language separates thousands by it does, unless a proof says otherwise.
func decimalSign(open byte, proved map[byte]bool, languages []string) byte {
	decimal, group := map[byte]bool{}, map[byte]bool{}
	for _, name := range languages {
		tag, err := language.Parse(name)
		if err != nil {
			return 0
		}
		shown := message.NewPrinter(tag).Sprint(textnumber.Decimal(1234567.5))
		decimal[shown[len(shown)-len(".5")]] = true
		group[strings.TrimLeft(shown, "1234567")[0]] = true
	}
	other := '.' + ',' - open
	thousands := proved[other] || group[open] && len(group) == 1
	switch {
	case proved[open] && !thousands:
		return open
	case thousands && !proved[open] && !decimal[open]:
		return other
	}
	return 0
}
