package loosejson

import "strings"

// opensEscaped reports whether an object begins here whose quotes are escaped, as in
// {\"Status\": \"FINISH\"}.
func opensEscaped(text string) bool {
	text = strings.TrimLeft(text[1:], blank)
	for strings.HasPrefix(text, `\n`) || strings.HasPrefix(text, `\t`) || strings.HasPrefix(text, `\r`) {
		text = strings.TrimLeft(text[2:], blank)
	}
	return strings.HasPrefix(text, `\"`)
}

// otherEscaped looks for an object whose quotes are escaped, that stands for itself and
// differs from the one that was found. It returns its place, or -1. Alone it would be
// the reply, so beside another one nobody knows which of the two is quoted.
func (f *finder) otherEscaped() int {
	end := 0
	for _, start := range f.escaped {
		if start < end {
			continue // inside the one before
		}
		if f.spent > mostSpent*len(f.text) {
			return start
		}
		stop := bareQuote(f.text, start)
		f.work += stop - start
		v, length, rest, ok := readEscaped(f.text[start:stop])
		if !ok {
			f.spent += stop - start
			rest = f.text[start:stop]
		} else {
			end = start + length
		}
		line := strings.LastIndexAny(f.text[:start], "\n\r") + 1
		behind := rest
		if stop < len(f.text) && !strings.ContainsAny(rest, "\n\r") {
			behind += f.text[stop+1:]
		}
		f.work += start - line
		switch before := strings.TrimRight(f.text[line:start], `"'`); {
		case !ok && inSentence(before, ""), ok && inSentence(before, behind):
		case ok && equal(v, *f.found, &f.work):
		default:
			return start
		}
	}
	return -1
}

// bareQuote is where the next quote is that is not escaped, or the end.
func bareQuote(text string, from int) int {
	for at := from; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at
		}
	}
	return len(text)
}

// readEscaped reads the object that a text without bare quotes begins with, and returns
// how long it is there, and what is behind it.
func readEscaped(text string) (v Value, length int, rest string, ok bool) {
	first := text
	if n := strings.IndexAny(text, "\n\r"); n >= 0 {
		first = text[:n]
	}
	for _, part := range []string{text, first} { // a later line may have no escapes of JSON
		outer := parser{text: `"` + part + `"`}
		whole, err := outer.whole()
		if err != nil || whole.Kind != String {
			continue
		}
		inner := parser{text: whole.Text, quiet: true}
		if v, err = inner.value(0); err == nil && v.Kind == Object {
			return v, escapedLength(part, inner.pos), whole.Text[inner.pos:] + text[len(part):], true
		}
	}
	return Value{}, 0, "", false
}

// escapedLength is how many bytes of a text with escapes stand for the first n of what it
// says, and never more.
func escapedLength(text string, n int) int {
	at := 0
	for ; at < len(text) && n > 0; n-- {
		if text[at] == '\\' { // \u00e9 is six for two, which is not counted
			at++
		}
		at++
	}
	return min(at, len(text))
}
