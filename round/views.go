package round

import (
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A view is a text with some of its escapes undone.
type view struct {
	text string
	at   []int32 // where each byte of text, and its end, is in the text as it is; nil if that is text itself
}

// span is where a part of a view is in the text as it is. It has no half of an escape.
func (v view) span(from, to int) [2]int {
	if v.at == nil {
		return [2]int{from, to}
	}
	for last := v.at[to-1]; v.at[to] == last; {
		to++
	}
	return [2]int{int(v.at[from]), int(v.at[to])}
}

// unit appends text, which stands for what v has at a place.
func (v view) unit(out *view, b []byte, text string, place int) []byte {
	at := int32(place)
	if v.at != nil {
		at = v.at[place]
	}
	for range len(text) {
		out.at = append(out.at, at)
	}
	return append(b, text...)
}

// views are a text as it is, and with one layer of its escapes undone after the other.
func views(text string) []view {
	list := []view{{text: text}}
	for len(list) <= 8 { // a text that was escaped more often is no accident
		last := list[len(list)-1]
		v, changed := last.unescaped(`\`)
		if !changed {
			v, changed = last.unescaped("%&")
		}
		if !changed {
			break
		}
		list = append(list, v)
	}
	return list
}

// unescaped is v without its escapes that begin with one of marks.
func (v view) unescaped(marks string) (out view, changed bool) {
	if !strings.ContainsAny(v.text, marks) {
		return v, false
	}
	b := make([]byte, 0, len(v.text))
	out.at = make([]int32, 0, len(v.text)+1)
	for i := 0; i < len(v.text); {
		text, size := v.text[i:i+1], 1
		if strings.Contains(marks, text) {
			if plain, n := unescape(v.text[i:]); n > 0 {
				text, size, changed = plain, n, true
			}
		}
		b = v.unit(&out, b, text, i)
		i += size
	}
	v.unit(&out, nil, ".", len(v.text))
	out.text = string(b)
	return out, changed
}

// unescape returns what the escape at the begin of a text stands for, and its length, which is 0
// if there is none: those of URLs, HTML, JSON, and of strings in programs.
func unescape(s string) (text string, size int) {
	switch s[0] {
	case '%':
		if b, err := strconv.ParseUint(s[1:min(3, len(s))], 16, 8); err == nil && len(s) > 2 {
			return string([]byte{byte(b)}), 3
		}
	case '&':
		const longest = len("&CounterClockwiseContourIntegral;")
		end := strings.IndexByte(s[:min(longest, len(s))], ';') + 1
		if strings.LastIndexByte(s[:end], '&') > 0 {
			return "", 0
		}
		if text := html.UnescapeString(s[:end]); text == ";" || text != s[:end] && !strings.HasSuffix(text, ";") {
			return text, end
		}
	case '\\':
		if len(s) > 1 && strings.IndexByte(`"'/`, s[1]) >= 0 {
			return s[1:2], 2
		}
		if len(s) >= 12 && s[1] == 'u' && s[6:8] == `\u` {
			high, errHigh := strconv.ParseUint(s[2:6], 16, 16)
			low, errLow := strconv.ParseUint(s[8:12], 16, 16)
			if r := utf16.DecodeRune(rune(high), rune(low)); errHigh == nil && errLow == nil && r != utf8.RuneError {
				return string(r), 12
			}
		}
		if r, multibyte, rest, err := strconv.UnquoteChar(s, 0); err == nil {
			text = string(r)
			if !multibyte {
				text = string([]byte{byte(r)})
			}
			return text, len(s) - len(rest)
		}
	}
	return "", 0
}

// digits is a view without what stands between hexadecimal digits, as in "68 75", "68:75" and "0x68, 0x75".
// A text has none if it has too few of them in a row for any secret.
func (v view) digits() (out view, ok bool) {
	most, row := 0, 0
	for i := range len(v.text) {
		switch c := v.text[i]; {
		case isHex(c):
			row++
		case !between(c):
			row = 0
		}
		most = max(most, row)
	}
	if most < 2*shortest {
		return v, false
	}
	var b []byte
	for i := 0; i < len(v.text); i++ {
		switch rest := v.text[i:]; {
		case between(rest[0]):
		case len(rest) > 2 && (rest[:2] == "0x" || rest[:2] == "0X") && isHex(rest[2]):
			i++
		default:
			b = v.unit(&out, b, strings.ToLower(rest[:1]), i)
		}
	}
	v.unit(&out, nil, ".", len(v.text))
	out.text = string(b)
	return out, true
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

func between(c byte) bool { return strings.IndexByte(" :-,xX\t\r\n", c) >= 0 }

// hide returns text without some parts of it.
func hide(text string, spans [][2]int) string {
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	end := 0
	for i, s := range spans {
		if i == 0 || s[0] >= end {
			b.WriteString(text[end:s[0]] + hidden)
		}
		end = max(end, s[1])
	}
	b.WriteString(text[end:])
	return b.String()
}
