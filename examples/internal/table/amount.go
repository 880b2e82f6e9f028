package table

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	arabicDecimal = '\u066B'
	arabicGroup   = '\u066C'
)

// currencies are those without a sign of their own; longer before shorter
// where one begins with the other.
var currencies = []string{
	"US$", "AU$", "CA$", "NZ$", "HK$", "NT$", "A$", "C$", "R$", "S$",
	"EUR", "USD", "GBP", "JPY", "CNY", "RMB", "CHF", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "ISK", "PLN", "CZK", "HUF", "RON", "BGN",
	"TRY", "RUB", "UAH", "INR", "PKR", "BRL", "MXN", "ARS", "CLP", "COP", "ZAR", "EGP", "NGN", "KES", "AED", "SAR", "ILS", "KRW", "TWD",
	"HKD", "SGD", "THB", "VND", "IDR", "MYR", "PHP",
	"Fr.", "Rs.", "Rs", "kr.", "kr", "zł", "Kč", "Ft", "лв.", "лв", "руб.", "руб", "грн", "TL", "元", "円", "원",
}

// parseAmount takes apart what is around the digits of a cell. dash is true
// for a cell that says "no value": a dash, or its like, perhaps with a unit.
func parseAmount(cell string) (a amount, number, dash bool) {
	s, ok := plain(cell)
	if !ok {
		return amount{}, false, false
	}
	s = strings.TrimSpace(strings.TrimRight(s, "*†‡ "))
	if noValue[strings.ToLower(s)] {
		return amount{}, false, true
	}
	signed := false
	for again := true; again; {
		s, again = a.peel(strings.TrimSpace(s), &signed)
	}
	if s == "" {
		return amount{}, false, signed && cell != ""
	}
	if first, last := s[0], s[len(s)-1]; !isDigit(last) || !isDigit(first) && first != '.' && first != ',' {
		return amount{}, false, false
	}
	for _, r := range s {
		if !strings.ContainsRune("0123456789., '"+string(arabicDecimal), r) {
			return amount{}, false, false
		}
	}
	a.body = s
	if _, ok := a.reading('.'); !ok {
		if _, ok = a.reading(','); !ok {
			return amount{}, false, false
		}
	}
	return a, true, false
}

var noValue = map[string]bool{
	"-": true, "--": true, "---": true, ".": true, "..": true, "...": true, "…": true, "/": true, "?": true,
	"n/a": true, "n.a.": true, "na": true, "n.a": true, "n/d": true, "n.d.": true, "k.a.": true, "k. a.": true, "tbd": true, "none": true, "nil": true,
}

// peel takes one sign, unit or pair of parentheses off.
func (a *amount) peel(s string, signed *bool) (rest string, again bool) {
	sign := func(negative bool) bool {
		if *signed {
			return false
		}
		*signed, a.negative = true, negative
		return true
	}
	if s == "" {
		return s, false
	}
	switch first, last := s[0], s[len(s)-1]; {
	case (first == '-' || first == '+') && sign(first == '-'):
		return s[1:], true
	case last == '-' && sign(true):
		return s[:len(s)-1], true
	case first == '(' && last == ')' && len(s) > 2 && sign(true):
		return s[1 : len(s)-1], true
	}
	if a.percent || a.unit() != "" {
		return s, false
	}
	if rest, found := strings.CutSuffix(s, "%"); found {
		a.percent = true
		return rest, true
	}
	if rest, found := strings.CutPrefix(s, "%"); found {
		a.percent = true
		return rest, true
	}
	if rest, found := strings.CutSuffix(s, "‰"); found {
		a.suffix = "‰"
		return rest, true
	}
	for _, c := range currencies {
		if rest, found := strings.CutPrefix(s, c); found {
			a.prefix = c
			return rest, true
		}
		if rest, found := strings.CutSuffix(s, c); found {
			a.suffix = c
			return rest, true
		}
	}
	if r, n := utf8.DecodeRuneInString(s); unicode.Is(unicode.Sc, r) {
		a.prefix = s[:n]
		return s[n:], true
	}
	if r, n := utf8.DecodeLastRuneInString(s); unicode.Is(unicode.Sc, r) {
		a.suffix = s[len(s)-n:]
		return s[:len(s)-n], true
	}
	return s, false
}

// plain writes a cell with ASCII digits and signs. It is false for a cell that
// cannot be a number at all.
func plain(cell string) (string, bool) {
	cell = strings.TrimSpace(cell)
	if cell == "" || len(cell) > 200 {
		return "", false
	}
	var b strings.Builder
	for _, r := range cell {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return "", false // two things in one cell
		case r == '\u202D' || r == '\u202E':
			return "", false // which turn 021 into 120
		case unicode.Is(unicode.Nd, r):
			b.WriteByte(digit(r))
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case unicode.Is(unicode.Cf, r): // marks of direction, of no width
		default:
			if to, ok := variants[r]; ok {
				r = to
			}
			b.WriteRune(r)
		}
	}
	return strings.TrimSpace(b.String()), true
}

// digit gives the value of a decimal digit: every script has its ten in a row,
// and a range of the table holds whole rows.
func digit(r rune) byte {
	for _, in := range unicode.Nd.R16 {
		if r >= rune(in.Lo) && r <= rune(in.Hi) {
			return '0' + byte((r-rune(in.Lo))%10)
		}
	}
	for _, in := range unicode.Nd.R32 {
		if r >= rune(in.Lo) && r <= rune(in.Hi) {
			return '0' + byte((r-rune(in.Lo))%10)
		}
	}
	return '0'
}

var variants = map[rune]rune{
	'−': '-', '–': '-', '—': '-', '‐': '-', '‑': '-', '‒': '-', '﹣': '-', '－': '-', '＋': '+', '﹢': '+',
	'（': '(', '）': ')', '％': '%', '٪': '%', '﹪': '%', '，': ',', '．': '.',
	'’': '\'', '‘': '\'', '＇': '\'', 'ʼ': '\'', '´': '\'', arabicGroup: '\'',
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
