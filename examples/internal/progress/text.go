package progress

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ellipsis stands for what was clipped.
const ellipsis = "…"

// maxMarks is how many marks may stand on one letter. More of them, as nobody
// writes them, would pile up over the lines above.
const maxMarks = 3

// clean returns text fit for one line of a terminal: valid, without characters
// that move a cursor, change colours or the direction of what follows, or are
// not to be seen. White space becomes a space, whatever else is not shown U+FFFD.
func clean(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	marks := maxMarks // none at the beginning: they would stand on what is before
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me):
			if marks++; marks > maxMarks || selector(r) {
				continue
			}
			b.WriteRune(r)
			continue
		case unicode.IsSpace(r):
			r = ' '
		case !unicode.IsGraphic(r):
			r = utf8.RuneError // also what is not UTF-8
		}
		marks = 0
		b.WriteRune(r)
	}
	return b.String()
}

// selector reports whether r chooses another form of the letter before it, which
// may have another width.
func selector(r rune) bool {
	return 0xFE00 <= r && r <= 0xFE0F || 0xE0100 <= r && r <= 0xE01EF
}

// plain reports whether text is printable ASCII, which most is.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

// width is how many columns clean text takes, or more where terminals differ:
// a line that is taken to be too long is shorter, one too short would break.
func width(text string) int {
	n := 0
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && unicode.Is(wide, r):
		return 2
	}
	return 1
}

// wide is what Unicode's East Asian Width (UAX 11) has as wide or fullwidth, in
// whole blocks, with the blocks of symbols that terminals show as emoji.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x11FF, Stride: 1},
		{Lo: 0x2300, Hi: 0x23FF, Stride: 1},
		{Lo: 0x25A0, Hi: 0x27BF, Stride: 1},
		{Lo: 0x2900, Hi: 0x297F, Stride: 1},
		{Lo: 0x2B00, Hi: 0x2BFF, Stride: 1},
		{Lo: 0x2E80, Hi: 0xA4CF, Stride: 1},
		{Lo: 0xA960, Hi: 0xA97F, Stride: 1},
		{Lo: 0xAC00, Hi: 0xD7FF, Stride: 1},
		{Lo: 0xF900, Hi: 0xFAFF, Stride: 1},
		{Lo: 0xFE10, Hi: 0xFE1F, Stride: 1},
		{Lo: 0xFE30, Hi: 0xFE6F, Stride: 1},
		{Lo: 0xFF00, Hi: 0xFFEF, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x16FE0, Hi: 0x18DFF, Stride: 1},
		{Lo: 0x1AFF0, Hi: 0x1B2FF, Stride: 1},
		{Lo: 0x1D300, Hi: 0x1D37F, Stride: 1},
		{Lo: 0x1F000, Hi: 0x1FAFF, Stride: 1},
		{Lo: 0x20000, Hi: 0x3FFFD, Stride: 1},
	},
}

// fit returns clean text in at most limit columns, with a mark where it was
// clipped; a limit below 1 leaves nothing.
func fit(text string, limit int) string {
	if width(text) <= limit {
		return text
	}
	n := 0
	for i, r := range text {
		if n += runeWidth(r); n > limit-1 {
			if limit < 1 {
				return ""
			}
			return text[:i] + ellipsis
		}
	}
	return text
}
