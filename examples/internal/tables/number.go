package tables

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// amount is a number whose decimal sign may not be known yet.
type amount struct {
	text   string           // digits and separators
	unit   string           // % or a currency, "" for none
	values map[byte]float64 // by each decimal sign with which it can be read
}

// kind says what a cell is.
type kind int

const (
	nothing  kind = iota // blank, a dash or the like
	number               // an amount
	doubtful             // it looks like a number
	text
)

const currency = `[A-Z]{0,2}\p{Sc}|EUR|USD|GBP|JPY|CNY|CHF|CAD|AUD|INR|SEK|NOK|DKK|PLN|CZK|HUF|BRL|RUB|kr|zł|Kč|Ft`

var (
	inCell   = regexp.MustCompile(`^(\()?([-+])?\s*(` + currency + `)?\s*([-+])?(\d[\d., '٫]*)(` + currency + `|%)?(\))?$`)
	noValue  = regexp.MustCompile(`(?i)^(-*|\.+|…|/|\?|n/a|n\.?a\.?|k\. ?a\.|none|tbd)$`)
	likeOne  = regexp.MustCompile(`^[^\p{L}\d]*\d[\d., '٫]*\D{0,11}$|^[^\p{L}]*` + Unknown)
	readings = map[byte]*regexp.Regexp{'.': reading(`\.`, `,`), ',': reading(`,`, `\.`)}
	grouping = strings.NewReplacer(" ", "", "'", "", ",", "", ".", "")
)

// reading matches a number with that decimal sign: its part before the sign, and its part behind it.
func reading(decimal, other string) *regexp.Regexp {
	forms := []string{`0|[1-9]\d*`}
	for _, group := range []string{" ", "'", other} { // 1,234,567 and 12,34,567
		forms = append(forms, `[1-9]\d{0,2}(?:`+group+`\d{3})+|[1-9]\d?(?:`+group+`\d{2})+`+group+`\d{3}`)
	}
	return regexp.MustCompile(`^(` + strings.Join(forms, "|") + `)(?:` + decimal + `(\d+))?$`)
}

// parse reads a cell.
func parse(cell string) (amount, kind) {
	s := strings.TrimSpace(strings.Map(ascii, cell))
	if noValue.MatchString(s) {
		return amount{}, nothing
	}
	m := inCell.FindStringSubmatch(s)
	if m != nil && (m[1] == "") == (m[7] == "") && (m[1] == "" || m[2]+m[4] == "") && len(m[2]+m[4]) < 2 && (m[3] == "" || m[6] == "") {
		a := amount{text: strings.TrimSpace(m[5]), unit: m[3] + m[6], values: map[byte]float64{}}
		a.read('.', m[1] != "" || m[2]+m[4] == "-")
		if !strings.Contains(a.text, "٫") {
			a.read(',', m[1] != "" || m[2]+m[4] == "-")
		}
		if len(a.values) > 0 {
			return a, number
		}
	}
	if likeOne.MatchString(s) {
		return amount{}, doubtful
	}
	return amount{}, text
}

// read notes the value with a decimal sign, if the number can be read with it.
func (a amount) read(decimal byte, negative bool) {
	const exact = 15 // digits that a spreadsheet keeps
	m := readings[decimal].FindStringSubmatch(strings.ReplaceAll(a.text, "٫", "."))
	if m == nil {
		return
	}
	whole := grouping.Replace(m[1])
	digits := whole + "." + m[2]
	if a.unit == "%" {
		digits += "e-2"
	}
	value, err := strconv.ParseFloat(digits, 64)
	if err != nil || len(whole)+len(m[2]) > exact {
		return
	}
	if negative && value != 0 {
		value = -value
	}
	a.values[decimal] = value
}

// proves returns the only decimal sign with which the number can be read, 0 if both will do.
func (a amount) proves() byte {
	if len(a.values) == 1 {
		for sign := range a.values {
			return sign
		}
	}
	return 0
}

func (a amount) year() bool {
	v := a.values['.']
	return a.unit == "" && len(a.text) == 4 && v >= 1900 && v <= 2100
}

// ascii maps digits of any script, spaces and signs to ASCII.
func ascii(r rune) rune {
	switch {
	case unicode.Is(unicode.Nd, r):
		zero := r // the digits of a script follow each other
		for unicode.Is(unicode.Nd, zero-1) {
			zero--
		}
		return '0' + (r-zero)%10
	case r == '\n', r == '\t', r == '\u202D', r == '\u202E': // two texts, or one that is shown in another order
		return '\n'
	case unicode.IsSpace(r):
		return ' '
	case unicode.Is(unicode.Cf, r): // marks of direction, without a width
		return -1
	case strings.ContainsRune("−–—‐‑‒", r):
		return '-'
	case strings.ContainsRune("’‘٬", r):
		return '\''
	case r == '٪':
		return '%'
	}
	return r
}
