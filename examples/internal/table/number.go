package table

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Number is an exact decimal number: an optional minus, digits, and, if it
// has a fraction, a point and digits. The empty Number is no value; in JSON it
// is null.
type Number string

// Float returns the nearest float64, and false for no value.
func (n Number) Float() (float64, bool) {
	f, err := strconv.ParseFloat(string(n), 64)
	return f, err == nil
}

// MarshalJSON writes a JSON number or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	if !n.valid() {
		return nil, fmt.Errorf("table: %q is not a decimal number", string(n))
	}
	return []byte(n), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Number) UnmarshalJSON(data []byte) error {
	var num *json.Number
	if err := json.Unmarshal(data, &num); err != nil {
		return fmt.Errorf("table: number: %w", err)
	}
	*n = ""
	if num != nil {
		*n = Number(*num)
		if !n.valid() {
			return fmt.Errorf("table: %q is not a decimal number", string(*n))
		}
	}
	return nil
}

func (n Number) valid() bool {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(string(n), "-"), ".")
	return allDigits(whole) && (whole == "0" || whole[0] != '0') && (!point || allDigits(fraction))
}

func allDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// maxWhole is how many digits before the decimal sign a spreadsheet keeps.
const maxWhole = 15

// maxFraction bounds the digits behind it.
const maxFraction = 30

// amount is a cell that may be a number: what is around the digits is known,
// the separators between them are not.
type amount struct {
	negative bool
	percent  bool
	prefix   string // a currency before the number
	suffix   string // a currency behind it, or ‰
	body     string // digits and separators
}

func (a amount) unit() string { return a.prefix + a.suffix }

// reading reads the body with dec as the decimal sign. The other one of point
// and comma may separate groups.
func (a amount) reading(dec byte) (Number, bool) {
	body := a.body
	other := '.' + ',' - dec
	if strings.ContainsRune(body, arabicDecimal) {
		// It decides by itself, and then comma and point separate groups.
		if strings.IndexByte(body, dec) >= 0 && strings.IndexByte(body, other) >= 0 {
			return "", false
		}
		body = strings.ReplaceAll(body, string(dec), string(other))
		body = strings.ReplaceAll(body, string(arabicDecimal), string(dec))
	}
	whole, fraction, hasFraction := strings.Cut(body, string(dec))
	if hasFraction && (!allDigits(fraction) || len(fraction) > maxFraction) {
		return "", false
	}
	if whole == "" && hasFraction {
		whole = "0"
	}
	whole, ok := ungroup(whole, other)
	if !ok || len(whole) > maxWhole || len(whole) > 1 && whole[0] == '0' {
		return "", false
	}
	if a.percent {
		whole, fraction = hundredth(whole, fraction)
	}
	fraction = strings.TrimRight(fraction, "0")
	n := whole
	if fraction != "" {
		n += "." + fraction
	}
	if a.negative && n != "0" {
		n = "-" + n
	}
	return Number(n), true
}

// ungroup takes the separators of groups out.
func ungroup(whole string, other byte) (string, bool) {
	if allDigits(whole) {
		return whole, true
	}
	for _, sep := range []string{string(other), " ", "'"} {
		groups := strings.Split(whole, sep)
		if len(groups) > 1 && (thousands(groups) || sep != " " && indian(groups)) {
			return strings.Join(groups, ""), true
		}
	}
	return "", false
}

// thousands: 1|204|300.
func thousands(groups []string) bool {
	for i, g := range groups {
		if !allDigits(g) || i > 0 && len(g) != 3 || i == 0 && (len(g) > 3 || g[0] == '0') {
			return false
		}
	}
	return true
}

// indian: 12|34|567.
func indian(groups []string) bool {
	last := len(groups) - 1
	if last < 2 {
		return false
	}
	for i, g := range groups {
		switch {
		case !allDigits(g), i == 0 && (len(g) > 2 || g[0] == '0'), i > 0 && i < last && len(g) != 2, i == last && len(g) != 3:
			return false
		}
	}
	return true
}

// hundredth moves the decimal sign two places to the left.
func hundredth(whole, fraction string) (string, string) {
	all := "00" + whole
	cut := len(all) - 2
	whole, fraction = strings.TrimLeft(all[:cut], "0"), all[cut:]+fraction
	if whole == "" {
		whole = "0"
	}
	return whole, fraction
}

// isYear says whether the cell is a bare year.
func (a amount) isYear() bool {
	return !a.negative && !a.percent && a.unit() == "" && len(a.body) == 4 && allDigits(a.body) && a.body >= "1900" && a.body <= "2100"
}

// decimals counts the digits shown behind the decimal sign.
func (a amount) decimals(dec byte) int {
	if i := strings.LastIndexAny(a.body, string(dec)+string(arabicDecimal)); i >= 0 {
		return len(strings.TrimLeft(a.body[i:], ".,"+string(arabicDecimal)))
	}
	return 0
}

// grouped says whether the digits before the decimal sign have separators.
func (a amount) grouped(dec byte) bool {
	whole, _, _ := strings.Cut(a.body, string(dec))
	whole, _, _ = strings.Cut(whole, string(arabicDecimal))
	return !allDigits(whole) && whole != ""
}
