package sites

import (
	"strconv"
	"strings"
)

// most is the largest quantity of a line.
const most = 100_000

// show writes a number as people read it: 1,204.
func show(n int) string {
	text := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, text = "-", text[1:]
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return sign + text
}

// parse reads a quantity, with or without the commas that show writes.
func parse(text string) (int, bool) {
	text = strings.TrimSpace(text)
	n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	if err != nil || n < 0 || text != show(n) && text != strconv.Itoa(n) {
		return 0, false
	}
	return n, true
}
