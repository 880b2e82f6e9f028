package atspi

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Shown returns the text of an object as a person sees it, at most so many characters of it; 0: all. A text that is marked as
// deleted is left out. Raised and lowered digits stay apart from others (1204¹), and so do signs of another font, which are no
// digits.
func (c *Client) Shown(ctx context.Context, ref Ref, most int) (string, error) {
	whole, err := c.Text(ctx, ref, most)
	if err != nil || OneLine(whole) == "" {
		return whole, err
	}
	chars, text, err := c.characters(ctx, ref, whole)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	var last look
	for at := 0; at < len(chars); {
		is, end, known, err := c.look(ctx, ref, at)
		if ends(ctx, err) {
			return "", err
		}
		if err != nil { // it does not say how its texts look
			return whole, nil //nolint:nilerr // then it is read as it is
		}
		end = min(end, len(chars))
		part := text(chars[at:end])
		switch {
		case !known && strings.ContainsFunc(part, unicode.IsDigit):
			part = "\ufffd" + part
		case at > 0 && unicode.IsDigit(chars[at-1]) && unicode.IsDigit(chars[at]) && maps.Equal(is, last):
			mark, err := c.isMark(ctx, ref, at, end)
			if err != nil {
				return "", err
			}
			if mark {
				part = Raise(part)
			}
		}
		b.WriteString(is.of(part, at > 0 || end < len(chars)))
		at, last = end, is
	}
	return b.String(), nil
}

func ends(ctx context.Context, err error) bool { return Fatal(ctx, err) || errors.Is(err, ErrGone) }

// characters splits a text as the program counts: LibreOffice counts units of UTF-16. text puts them together again.
func (c *Client) characters(ctx context.Context, ref Ref, whole string) (chars []rune, text func([]rune) string, err error) {
	runes, units := []rune(whole), utf16.Encode([]rune(whole))
	if len(units) > len(runes) {
		n, err := c.Length(ctx, ref)
		if ends(ctx, err) {
			return nil, nil, err
		}
		if n >= len(units) {
			for _, unit := range units {
				chars = append(chars, rune(unit))
			}
			return chars, func(list []rune) string {
				units := make([]uint16, len(list))
				for i, r := range list {
					units[i] = uint16(r)
				}
				return string(utf16.Decode(units))
			}, nil
		}
	}
	return runes, func(list []rune) string { return string(list) }, nil
}

// look is how a text looks, in the words of programs.
type look map[string]string

// look returns how the character at an offset looks, and where those end that look so. If something hidden is there, LibreOffice
// says how that looks: known is false if the next character does not tell either.
func (c *Client) look(ctx context.Context, ref Ref, at int) (a look, end int, known bool, err error) {
	if a, _, end, err = c.TextRun(ctx, ref, at); err != nil || end > at {
		return a, end, true, err
	}
	a, from, end, err := c.TextRun(ctx, ref, at+1)
	if err == nil && from <= at && end > at {
		return a, end, true, nil
	}
	return nil, at + 1, false, err
}

// isMark reports whether the digits from an offset on are smaller than the one before: the mark of a note, of which the program
// says that it looks as the rest.
func (c *Client) isMark(ctx context.Context, ref Ref, from, end int) (bool, error) {
	before, err := c.CharBounds(ctx, ref, from-1)
	if err != nil {
		return false, context.Cause(ctx)
	}
	last, err := c.CharBounds(ctx, ref, end-1)
	return err == nil && last.Dx()*5 < before.Dx()*4 && last.Dx() > 0, context.Cause(ctx)
}

// of writes a text that looks so. partly: the object has other text beside it.
func (a look) of(text string, partly bool) string {
	struck := a["strikethrough"] != "" && a["strikethrough"] != "none" && a["strikethrough"] != "false"
	switch {
	case a["text-tracked-change"] == "deletion":
		return ""
	case IsSymbols(a["family-name"]):
		return Symbols(text)
	case struck && partly:
		return Strike(text)
	case a.height() > 0:
		return Raise(text)
	case a.height() < 0:
		return Lower(text)
	}
	return text
}

// height is above 0 for a text above the line, and below 0 for one below it.
func (a look) height() int {
	for _, name := range []string{"vertical-align", "text-position", "rise"} {
		switch value := a[name]; {
		case strings.HasPrefix(value, "-") || value == "sub":
			return -1
		case value == "super" || strings.ContainsAny(value, "123456789"):
			return 1
		}
	}
	return 0
}

var symbols = Set("wingdings", "wingdings 2", "wingdings 3", "webdings", "symbol", "opensymbol")

// IsSymbols reports whether the signs of a font stand in the places of letters and digits.
func IsSymbols(font string) bool { return symbols[strings.ToLower(font)] }

// Symbols writes signs of such a font, which are no letters and no digits, where such fonts have them.
func Symbols(text string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x100 {
			r += 0xf000
		}
		return r
	}, text)
}

// Strike writes a struck part of a text.
func Strike(text string) string {
	if OneLine(text) == "" {
		return text
	}
	return "~~" + text + "~~"
}

var raised, lowered = digits("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾"), digits("₀₁₂₃₄₅₆₇₈₉₊₋₋₍₎")

func digits(signs string) *strings.Replacer {
	var pairs []string
	to := []rune(signs)
	for i, from := range []rune("0123456789+-−()") {
		pairs = append(pairs, string(from), string(to[i]))
	}
	return strings.NewReplacer(pairs...)
}

// Raise writes digits above the line, so that nobody takes them for a part of a number.
func Raise(text string) string { return raised.Replace(text) }

// Lower writes digits below the line.
func Lower(text string) string { return lowered.Replace(text) }

// inlined are parts of a line of a page that are objects of their own, and how their texts are written.
var inlined = map[string]func(string) string{
	"superscript": Raise, "subscript": Lower, "content deletion": func(string) string { return "" },
	"content insertion": strings.Clone, "link": strings.Clone,
}

// Inlined reports whether an object is a part of a line of text.
func (n *Node) Inlined() bool { return inlined[n.Role] != nil }

// Flat is the text of an object with the texts of the objects in it. ok is false if it has some that are not part of a line.
func (n *Node) Flat() (text string, ok bool) {
	var b strings.Builder
	ok = true
	inside := slices.DeleteFunc(slices.Clone(n.Children), func(c *Node) bool { return c.Role == "static" })
	for _, r := range n.Text {
		if string(r) != object {
			b.WriteRune(r)
			continue
		}
		if len(inside) == 0 || !inside[0].Inlined() {
			ok = false
		} else {
			part, whole := inside[0].Flat()
			ok = ok && whole
			b.WriteString(inlined[inside[0].Role](part))
		}
		inside = inside[min(1, len(inside)):]
	}
	return b.String(), ok
}
