package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	eastasian "golang.org/x/text/width"
)

// width is how many columns a line of output gets, unless it is one word.
const width = 100

// columns is how many columns of a terminal a text has at most: two for a wide
// character of East Asia or an emoji, one for every other, marks over a letter too.
func columns(text string) int {
	n := 0
	for _, r := range text {
		n++
		if kind := eastasian.LookupRune(r).Kind(); kind == eastasian.EastAsianWide || kind == eastasian.EastAsianFullwidth {
			n++
		}
	}
	return n
}

// visible writes out what a terminal would obey or not show, as <U+001B>. What looks
// like that already has its < written out too, so there is no doubt which is which.
func visible(text string) string {
	var b strings.Builder
	for i, r := range text {
		if !unicode.IsPrint(r) || blank(r) || r == '<' && strings.HasPrefix(text[i:], "<U+") {
			fmt.Fprintf(&b, "<U+%04X>", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// blank reports whether r counts as printable and is not seen.
func blank(r rune) bool {
	return r == '\u2800' || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// code shows all of a text in which each character counts. Each of its lines begins
// with a bar. What is too long for a line goes on behind a plus, so that no text,
// with enough blanks in it, can look like the words around it.
func code(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		kept := strings.TrimRight(line, " ")
		rest := visible(kept) + strings.Repeat("<U+0020>", len(line)-len(kept))
		for mark := "  |"; ; mark = "  +" {
			n := fold(rest)
			b.WriteString(mark + " " + rest[:n] + "\n")
			if rest = rest[n:]; rest == "" {
				break
			}
		}
	}
	return b.String()
}

// fold returns where a line is broken: in front of a blank, if there is one in its
// second half.
func fold(line string) int {
	at, space := 0, 0
	for i, r := range line {
		if at += columns(string(r)); at > width {
			if space > i/2 {
				return space
			}
			return i
		}
		if line[i] == ' ' && i > 0 && line[i-1] != ' ' {
			space = i
		}
	}
	return len(line)
}

// wrap breaks a text between words. What is between quotes is one word, if it has
// room in a line: a name with blanks in it must not look like two.
func wrap(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		var b strings.Builder
		at := 0
		for _, word := range words(line) {
			n := columns(word)
			switch {
			case at == 0:
			case at+1+n > width:
				b.WriteByte('\n')
				at = 0
			default:
				b.WriteByte(' ')
				at++
			}
			b.WriteString(word)
			at += n
		}
		lines = append(lines, b.String())
	}
	return strings.Join(lines, "\n")
}

func words(text string) (list []string) {
	for text = strings.TrimLeft(text, " "); text != ""; text = strings.TrimLeft(text, " ") {
		n := 0
		for n < len(text) && text[n] != ' ' {
			quoted, err := strconv.QuotedPrefix(text[n:])
			if err != nil || columns(quoted) > width {
				quoted = text[n : n+1]
			}
			n += len(quoted)
		}
		list = append(list, text[:n])
		text = text[n:]
	}
	return list
}

// nearby returns a path as it is from here, if that leads downwards: a way up may be
// another one where there are links.
func nearby(path string) string {
	here, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return path
	}
	if short, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(short) && len(short) < len(path) {
		return short
	}
	return path
}
