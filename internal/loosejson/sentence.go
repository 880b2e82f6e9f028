package loosejson

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// labels are the words of what stands before a reply on its own line, such as
// "Final answer:" or "const decision =". "The page says" has others.
var labels = set("my the a in it is as follows below step format final next here here's you go requested this so thus therefore sure ok okay again to repeat assistant model " +
	"answer json decision reply response output result action object const let var return")

// inSentence reports whether an object is part of a sentence: then it is quoted,
// or weighed, and not the reply. It stands for itself where it is alone on its
// lines, behind a label or a sentence that has ended, or before another sentence.
func inSentence(before, behind string) bool {
	before, behind, quoted := line(before, behind)
	first, words := firstWord(behind)
	if quoted {
		return true
	}
	if _, spoken := firstWord(before); spoken {
		return words || endsSentence(behind) || !introduces(before)
	}
	if words {
		return !unicode.IsUpper(first)
	}
	return inQuotes(before, behind)
}

// inQuotes reports whether a text ends and another begins with a quote.
func inQuotes(before, behind string) bool {
	open, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(before))
	shut, _ := utf8.DecodeRuneInString(strings.TrimSpace(behind))
	return isQuote(open) && isQuote(shut)
}

// weighed reports whether an object in thoughts is part of a sentence that goes on
// behind it. What the tag opens may begin with the object.
func weighed(before, behind string, opens bool) bool {
	before, behind, quoted := line(before, behind)
	_, spoken := firstWord(before)
	_, words := firstWord(behind)
	return quoted || (spoken || opens) && words || spoken && endsSentence(behind)
}

// line is what of two texts stands in the line of an object between them, cleaned.
func line(before, behind string) (_, _ string, quoted bool) {
	before, quoted = cleaned(before[strings.LastIndexAny(before, "\n\r")+1:])
	if end := strings.IndexAny(behind, "\n\r"); end >= 0 {
		behind = behind[:end]
	}
	behind, _ = cleaned(behind)
	return before, behind, quoted
}

// cleaned returns a line without wrappers and fences, and whether it is a quotation as
// in a mail.
func cleaned(line string) (string, bool) {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, ">") {
		return "", true
	}
	if strings.ContainsAny(line, "<[") {
		var b strings.Builder
		for at := 0; at < len(line); {
			if t, ok := readTag(line, at); ok && (t.wrapper || line[at] == '<' && (t.closes || t.thought)) {
				b.WriteByte(' ')
				at = t.end
				continue
			}
			b.WriteByte(line[at])
			at++
		}
		line = strings.TrimSpace(b.String())
	}
	if before, behind, fenced := cutFence(line); fenced {
		line = before + strings.Trim(behind, "`~ ")
	}
	return strings.Trim(line, "` "), false
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isQuote(r rune) bool { return strings.ContainsRune(`"'“”„«»‘’「」『』`, r) }

// firstWord returns the first letter or digit.
func firstWord(text string) (rune, bool) {
	if at := strings.IndexFunc(text, isWord); at >= 0 {
		r, _ := utf8.DecodeRuneInString(text[at:])
		return r, true
	}
	return 0, false
}

// endsSentence reports whether a text ends as a sentence does.
func endsSentence(text string) bool {
	text = strings.TrimRightFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsSymbol(r) || invisible(r) })
	r, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".!?。！？", r) && !strings.HasSuffix(text, "..")
}

// introduces reports whether what stands before an object leaves it to stand for
// itself.
func introduces(text string) bool {
	if endsSentence(text) {
		return true
	}
	for _, word := range wordsOf(text) {
		if !labels[word] {
			return false
		}
	}
	return true
}
