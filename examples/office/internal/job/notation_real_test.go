package job_test

import (
	"fmt"
	"strings"
)

// notation writes an amount of hundredths as a document has it, and gives the
// exact value. Each way proves its decimal sign in every cell.
type notation func(hundredths int, negative bool) (text, value string)

var notations = []struct {
	write notation
	unit  string
}{
	{grouped(",", ".", "", "", false), ""},
	{grouped(".", ",", "", "", false), ""},
	{grouped("\u00a0", ",", "", "", false), ""},
	{grouped("’", ".", "", "", false), ""},
	{grouped("", ".", "", "", false), ""},
	{grouped(",", ".", "$", "", true), "$"},
	{grouped(".", ",", "", " €", false), "€"},
	{percent, "%"},
	{arabic, ""},
}

// drawn is which of the series a chart of one axis shows: the largest set of one
// unit, the first of two that are even.
func drawn(units []string) []int {
	var best []int
	for _, unit := range units {
		var same []int
		for i := range units {
			if units[i] == unit {
				same = append(same, i)
			}
		}
		if len(same) > len(best) {
			best = same
		}
	}
	return best
}

// grouped writes digits in groups of three.
func grouped(group, dec, prefix, suffix string, parentheses bool) notation {
	return func(hundredths int, negative bool) (string, string) {
		whole, fraction := fmt.Sprint(hundredths/100), fmt.Sprintf("%02d", hundredths%100)
		value := strings.TrimRight(whole+"."+fraction, "0")
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + group + whole[i:]
		}
		text := prefix + whole + dec + fraction + suffix
		switch {
		case negative && parentheses:
			text = "(" + text + ")"
		case negative:
			text = "−" + text
		}
		if negative {
			value = "-" + value
		}
		return text, value
	}
}

func percent(hundredths int, negative bool) (string, string) {
	hundredths %= 10_000
	sign := ""
	if negative && hundredths > 0 {
		sign = "-"
	}
	value := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%d.%04d", hundredths/10_000, hundredths%10_000), "0"), ".")
	return fmt.Sprintf("%s%d.%02d %%", sign, hundredths/100, hundredths%100), sign + value
}

// arabic writes with the digits and signs of Arabic.
func arabic(hundredths int, negative bool) (string, string) {
	text, value := grouped("٬", "٫", "", "", false)(hundredths, negative)
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r - '0' + '٠'
		}
		return r
	}, text), value
}
