package linuxdesktop

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/desktop"
)

// typed are the roles of fields, whose text is what was typed.
var typed = set("text", "entry", "password text", "spin button", "combo box", "terminal")

// shownText returns the text of an object as a person sees it, at most so many characters of it; 0: all. A text that is marked
// as deleted is left out. Raised and lowered digits stay apart from others (1204¹), and so do signs of another font, which
// are no digits. whole is the text as it is.
func (d *Desktop) shownText(ctx context.Context, ref atspi.Ref, most int) (text, whole string, err error) {
	if whole, err = d.tree.Text(ctx, ref, most); err != nil || oneLine(whole) == "" {
		return whole, whole, err
	}
	text, err = d.asShown(ctx, ref, whole)
	return text, whole, err
}

func (d *Desktop) asShown(ctx context.Context, ref atspi.Ref, whole string) (string, error) {
	encode, decode := func(s string) []rune { return []rune(s) }, func(r []rune) string { return string(r) }
	units, runes := utf16.Encode([]rune(whole)), []rune(whole)
	if len(units) > len(runes) { // LibreOffice counts in units
		if n, err := d.tree.Length(ctx, ref); ends(ctx, err) {
			return "", err
		} else if n >= len(units) {
			encode, decode = wide, narrow
		}
	}
	chars := encode(whole)
	var b strings.Builder
	var last look
	for at := 0; at < len(chars); {
		looks, end, known, err := d.looks(ctx, ref, at)
		if ends(ctx, err) {
			return "", err
		}
		if err != nil { // it does not say how its texts look
			return whole, nil //nolint:nilerr // then it is read as it is
		}
		end = min(end, len(chars))
		part := decode(chars[at:end])
		switch {
		case !known && strings.ContainsFunc(part, unicode.IsDigit):
			part = "\ufffd" + part
		case at > 0 && unicode.IsDigit(chars[at-1]) && unicode.IsDigit(chars[at]) && maps.Equal(looks, last):
			if mark, err := d.isMark(ctx, ref, at, end); err != nil {
				return "", err
			} else if mark {
				part = raised.Replace(part)
			}
		}
		b.WriteString(looks.of(part, at > 0 || end < len(chars)))
		at, last = end, looks
	}
	return b.String(), nil
}

// wide and narrow keep units of UTF-16 as they keep characters.
func wide(s string) (list []rune) {
	for _, unit := range utf16.Encode([]rune(s)) {
		list = append(list, rune(unit))
	}
	return list
}

func narrow(list []rune) string {
	units := make([]uint16, len(list))
	for i, r := range list {
		units[i] = uint16(r)
	}
	return string(utf16.Decode(units))
}

// looks returns how the character at an offset looks, and where those end that look so. Where something hidden is, LibreOffice
// says how that looks: known is false where the next character does not tell either.
func (d *Desktop) looks(ctx context.Context, ref atspi.Ref, at int) (a look, end int, known bool, err error) {
	if a, _, end, err = d.tree.TextRun(ctx, ref, at); err != nil || end > at {
		return a, end, true, err
	}
	a, from, end, err := d.tree.TextRun(ctx, ref, at+1)
	if err == nil && from <= at && end > at {
		return a, end, true, nil
	}
	return nil, at + 1, false, err
}

// isMark reports whether the digits from an offset on are smaller than the one before: the mark of a note, of which the program
// says that it looks as the rest.
func (d *Desktop) isMark(ctx context.Context, ref atspi.Ref, from, end int) (bool, error) {
	before, err := d.tree.CharBounds(ctx, ref, from-1)
	if err != nil {
		return false, stop(ctx, err)
	}
	last, err := d.tree.CharBounds(ctx, ref, end-1)
	return err == nil && last.Dx()*5 < before.Dx()*4 && last.Dx() > 0, stop(ctx, err)
}

// look is how a text looks, in the words of programs.
type look map[string]string

// symbols are fonts whose signs stand in the places of letters and digits.
var symbols = set("wingdings", "wingdings 2", "wingdings 3", "webdings", "symbol", "opensymbol")

// of writes a text that looks so. partly: the object has other text beside it.
func (a look) of(text string, partly bool) string {
	struck := a["strikethrough"] != "" && a["strikethrough"] != "none" && a["strikethrough"] != "false"
	switch {
	case a["text-tracked-change"] == "deletion":
		return ""
	case symbols[strings.ToLower(a["family-name"])]:
		return strings.Map(func(r rune) rune {
			if r > ' ' && r < 0x100 {
				r += 0xf000 // where such fonts have them
			}
			return r
		}, text)
	case struck && partly && oneLine(text) != "":
		return "~~" + text + "~~"
	}
	switch a.height() {
	case 1:
		return raised.Replace(text)
	case -1:
		return lowered.Replace(text)
	}
	return text
}

// height reports whether a text is above the line, 1, or below it, -1.
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

var raised, lowered = digits("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾"), digits("₀₁₂₃₄₅₆₇₈₉₊₋₋₍₎")

func digits(signs string) *strings.Replacer {
	var pairs []string
	to := []rune(signs)
	for i, from := range []rune("0123456789+-−()") {
		pairs = append(pairs, string(from), string(to[i]))
	}
	return strings.NewReplacer(pairs...)
}

// inlined are parts of a line of a page that are objects of their own, and how their texts are written.
var inlined = map[string]func(string) string{
	"superscript": raised.Replace, "subscript": lowered.Replace, "content deletion": func(string) string { return "" },
	"content insertion": strings.Clone, "link": strings.Clone,
}

// flat is the text of an object with the texts of the objects in it. ok is false if it has some that are not part of a line.
func (n *node) flat() (text string, ok bool) {
	var b strings.Builder
	ok = true
	inside := slices.DeleteFunc(slices.Clone(n.children), func(c *node) bool { return c.role == "static" })
	for _, r := range n.text {
		if r != '\ufffc' {
			b.WriteRune(r)
			continue
		}
		if len(inside) == 0 || inlined[inside[0].role] == nil {
			ok = false
		} else {
			part, whole := inside[0].flat()
			ok = ok && whole
			b.WriteString(inlined[inside[0].role](part))
		}
		inside = inside[min(1, len(inside)):]
	}
	return b.String(), ok
}

// withoutTexts leaves out texts that are a part of what is said already; "": all.
func withoutTexts(list []desktop.Control, said string) (out []desktop.Control) {
	for _, c := range list {
		switch inline := c.Type == "static" || inlined[c.Type] != nil && c.Type != "link"; {
		case said == "" && (inline || c.Type == "text"):
		case inline && strings.Contains(said, c.Name) && strings.Contains(said, c.Value):
		default:
			out = append(out, c)
		}
	}
	return out
}
