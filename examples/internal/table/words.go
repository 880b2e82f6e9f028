package table

import (
	"sort"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// wordsOf returns the words of texts, in one spelling, without those that
// every request has.
func wordsOf(texts ...string) map[string]bool {
	words := map[string]bool{}
	for _, text := range texts {
		for _, w := range strings.FieldsFunc(strings.ToLower(norm.NFKC.String(text)), notWord) {
			for _, part := range split([]rune(w)) {
				if part = singular(part); !common[part] {
					words[part] = true
				}
			}
		}
	}
	return words
}

func notWord(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) }

// unspaced are scripts that do not put spaces between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// split makes pairs of the characters of scripts without spaces, which is what
// can be compared without a dictionary. Other words stay whole.
func split(word []rune) []string {
	var parts []string
	for from := 0; from < len(word); {
		dense := unicode.In(word[from], unspaced...)
		to := from + 1
		for to < len(word) && unicode.In(word[to], unspaced...) == dense {
			to++
		}
		if !dense || to-from == 1 {
			parts = append(parts, string(word[from:to]))
		}
		for i := from; dense && i < to-1; i++ {
			parts = append(parts, string(word[i:i+2]))
		}
		from = to
	}
	return parts
}

// singular makes region of regions, so that both are one word.
func singular(w string) string {
	if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
		return w[:len(w)-1]
	}
	return w
}

// shared returns the words that are in both, sorted.
func shared(a, b map[string]bool) []string {
	var both []string
	for w := range a {
		if b[w] {
			both = append(both, w)
		}
	}
	sort.Strings(both)
	return both
}

// common are words that say nothing about which table is meant: those that
// hold sentences together, and those of the job itself.
var common = func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(`
		a an the of in on at to from for with by and or as is are be it its this that these those into onto out up
		please me my i we us our you your want need would like can could
		extract take get read copy find fetch pull make create draw build produce plot show put turn convert generate insert add use using
		bar chart graph diagram column excel word document doc docx file xlsx spreadsheet sheet workbook table`) {
		set[singular(w)] = true
	}
	return set
}()
