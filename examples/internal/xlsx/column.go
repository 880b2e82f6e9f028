package xlsx

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// column is what has to fit into a column: one that is too narrow for a number
// shows ### instead.
type column struct {
	chars          int // of the longest text
	digits         int // of the longest number, as it is
	least, largest float64
	format         string // of its numbers; "": as they are
}

func (b *Book) column(col int) *column {
	if b.columns[col] == nil {
		b.columns[col] = &column{}
	}
	return b.columns[col]
}

func (c *column) text(v string) { c.chars = max(c.chars, utf8.RuneCountInString(v)) }

func (c *column) number(v float64) {
	c.digits = max(c.digits, len(strconv.FormatFloat(v, 'f', -1, 64)))
	c.least, c.largest = min(c.least, v), max(c.largest, v)
}

// width is in characters, with room for a margin.
func (c *column) width() int {
	shown := c.digits
	if c.format != "" {
		shown = max(formatted(c.least, c.format), formatted(c.largest, c.format))
	}
	return min(max(9, c.chars+2, shown+2), 60)
}

// formatted is how long a number is in a format such as "$"#,##0.00 or 0.0%.
func formatted(number float64, format string) int {
	decimals := 0
	if _, fraction, ok := strings.Cut(format, "."); ok {
		decimals = len(fraction) - len(strings.TrimLeft(fraction, "0"))
	}
	if strings.HasSuffix(format, "%") {
		number *= 100
	}
	length := len(strconv.FormatFloat(number, 'f', decimals, 64))
	if strings.Contains(format, "#,##0") {
		length += (len(strconv.FormatFloat(math.Abs(number), 'f', 0, 64)) - 1) / 3
	}
	return length + utf8.RuneCountInString(strings.Trim(format, `"#,0.`))
}
