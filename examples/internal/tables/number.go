package tables

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// amount is a number whose decimal sign may not be known yet.
type amount struct {
	negative bool
	unit     string // % or a currency, "" for none
	body     string // digits and separators
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
)

// reading matches a number with that decimal sign: its part before the sign, and its part behind it.
func reading(decimal, other string) *regexp.Regexp {
	var forms strings.Builder
	forms.WriteString(`0|[1-9]\d*`)
	for _, group := range []string{" ", "'", other} { // 1,234,567 and 12,34,567
		forms.WriteString(`|[1-9]\d{0,2}(?:` + group + `\d{3})+|[1-9]\d?(?:` + group + `\d{2})+` + group + `\d{3}`)
	}
	return regexp.MustCompile(`^(` + forms.String() + `)(?:` + decimal + `(\d+))?$`)
}

// parse reads a cell.
func parse(cell string) (amount, kind) {
	s := strings.TrimSpace(strings.Map(ascii, cell))
	if noValue.MatchString(s) {
		return amount{}, nothing
	}
	m := inCell.FindStringSubmatch(s)
	if m != nil && (m[1] == "") == (m[7] == "") && (m[1] == "" || m[2]+m[4] == "") && len(m[2]+m[4]) < 2 && (m[3] == "" || m[6] == "") {
		a := amount{negative: m[1] != "" || m[2]+m[4] == "-", unit: m[3] + m[6], body: strings.TrimSpace(m[5])}
		if a.can('.') || a.can(',') {
			return a, number
		}
	}
	if likeOne.MatchString(s) {
		return amount{}, doubtful
	}
	return amount{}, text
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

// split returns the digits before and behind the decimal sign, or false if it is another one.
func (a amount) split(decimal byte) (whole, fraction string, ok bool) {
	m := readings[decimal].FindStringSubmatch(strings.ReplaceAll(a.body, "٫", string(decimal)))
	if m == nil || strings.Contains(a.body, "٫") && decimal != '.' {
		return "", "", false
	}
	whole = strings.NewReplacer(" ", "", "'", "", ",", "", ".", "").Replace(m[1])
	const exact = 15 // digits that a spreadsheet keeps
	return whole, m[2], len(whole)+len(m[2]) <= exact
}

func (a amount) can(decimal byte) bool {
	_, _, ok := a.split(decimal)
	return ok
}

// proves returns the only decimal sign with which the number can be read, 0 if both will do.
func (a amount) proves() byte {
	switch {
	case !a.can(','):
		return '.'
	case !a.can('.'):
		return ','
	}
	return 0
}

// value returns the number. The decimal sign must be a possible one.
func (a amount) value(decimal byte) float64 {
	whole, fraction, _ := a.split(decimal)
	s := whole + "." + fraction
	if a.unit == "%" {
		s += "e-2"
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err) // it is all digits
	}
	if a.negative && n != 0 {
		return -n
	}
	return n
}

func (a amount) year() bool {
	return !a.negative && a.unit == "" && len(a.body) == 4 && a.body >= "1900" && a.body <= "2100"
}
