package table

import (
	"regexp"
	"strings"
)

// totals are what a row of totals, or a column, is called.
var totals = set(`total totals subtotal subtotals sum sums gesamt summe insgesamt zwischensumme somme totale totaal suma razem celkem
	итого всего сумма 合計 合计 总计 總計 小計 小计 المجموع الإجمالي कुल योग`)

// isTotal reports whether a name is one of totals: "Total", "Grand total:".
func isTotal(name string) bool {
	words := split(name)
	for len(words) > 0 && words[len(words)-1].raw == comma {
		words = words[:len(words)-1]
	}
	if len(words) == 2 && (words[0].raw == "grand" || words[0].raw == "sub" || words[0].raw == "overall") {
		words = words[1:]
	}
	return len(words) == 1 && totals[words[0].raw]
}

// isTotalRow reports whether the label of a row is one of totals: "Total sales" and
// "North total" too.
func isTotalRow(label string) bool {
	words := split(label)
	if len(words) == 0 {
		return false
	}
	edge := set("total totals subtotal subtotals")
	return isTotal(label) || edge[words[0].raw] || edge[words[len(words)-1].raw]
}

// quantity is a number with a unit that is no currency, or about a number.
var quantity = regexp.MustCompile(`^[-+−–(]*\s*([~<>≤≥≈±]\s*)?\p{Sc}?\s*\p{Nd}[\p{Nd}.,'’˙⸴\s]*\s*([\p{L}\p{No}⁺⁻⁽⁾₊₋₍₎µ°/%]{1,10}\.?)?\)?$`)

// isQuantity reports whether a cell that is no number looks like one.
func isQuantity(cell string) bool {
	_, number, dash := parseAmount(cell)
	return !number && !dash && quantity.MatchString(strings.TrimSpace(cell))
}
