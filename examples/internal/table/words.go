package table

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// word is one word of a text.
type word struct {
	shown  string   // as it is written
	raw    string   // in small letters
	parts  []string // what must be found for it: itself in the singular, or its pairs of characters
	common bool     // it says nothing about which table is meant
}

// comma is the word that stands for all signs between words.
const comma = ","

// split returns the words of a text. Of region's it returns region.
func split(text string) []word {
	runes := []rune(norm.NFKC.String(text))
	var words []word
	for from := 0; from < len(runes); {
		if strings.ContainsRune(",;:.&+", runes[from]) {
			words = append(words, word{shown: comma, raw: comma, common: true})
		}
		to := from
		for to < len(runes) && inWord(runes[to]) {
			to++
		}
		shown := string(runes[from:to])
		genitive := shown == "s" && from > 0 && strings.ContainsRune("'’", runes[from-1])
		if raw := strings.ToLower(shown); raw != "" && !genitive {
			pronoun := len(shown) != 2 || shown != strings.ToUpper(shown) // but US and IT are names
			words = append(words, word{shown: shown, raw: raw, parts: partsOf([]rune(raw)), common: common[raw] && pronoun})
		}
		from = max(to, from+1)
	}
	return words
}

func inWord(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.Nd) }

// unspaced are scripts that do not put spaces between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// partsOf makes pairs of the characters of scripts without spaces, which is what
// can be compared without a dictionary. Other words stay whole.
func partsOf(runes []rune) []string {
	var parts []string
	for from := 0; from < len(runes); {
		dense := unicode.In(runes[from], unspaced...)
		to := from + 1
		for to < len(runes) && unicode.In(runes[to], unspaced...) == dense {
			to++
		}
		if !dense || to-from == 1 {
			parts = append(parts, singular(string(runes[from:to])))
		}
		for i := from; dense && i < to-1; i++ {
			parts = append(parts, string(runes[i:i+2]))
		}
		from = to
	}
	return parts
}

// singular makes region of regions and salary of salaries, so that both are one word.
func singular(w string) string {
	if stem, ok := strings.CutSuffix(w, "ies"); ok && len(stem) > 1 {
		return stem + "y"
	}
	if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
		return w[:len(w)-1]
	}
	return w
}

// vocabulary is the parts of the words of some texts.
type vocabulary map[string]bool

// vocabularyOf takes in every word, those that most requests have too.
func vocabularyOf(texts ...string) vocabulary {
	v := vocabulary{}
	for _, text := range texts {
		v.add(split(text)...)
	}
	return v
}

func (v vocabulary) add(words ...word) {
	for _, w := range words {
		for _, part := range w.parts {
			v[part] = true
		}
	}
}

// has reports whether a word is in there.
func (v vocabulary) has(w word) bool {
	return !slices.ContainsFunc(w.parts, func(part string) bool { return !v[part] })
}

// all reports whether all of the words are.
func (v vocabulary) all(words []word) bool {
	return !slices.ContainsFunc(words, func(w word) bool { return !v.has(w) })
}

// within reports whether another vocabulary has all of this one.
func (v vocabulary) within(other vocabulary) bool {
	for part := range v {
		if !other[part] {
			return false
		}
	}
	return true
}

// union is all that is in one of them.
func union(list ...vocabulary) vocabulary {
	all := vocabulary{}
	for _, v := range list {
		for part := range v {
			all[part] = true
		}
	}
	return all
}

// common are words that say nothing about which table is meant: those that hold
// sentences together, and those of the job itself. They are compared as they
// are, so that "the documents table" is about documents.
var common = union(glue, things, fillers)

var (
	glue = set(`a an the of in on at to from for with by per and or versus vs as is are be it its this that these those into onto out up
		which what here there then also all just only alone please kindly me my i we us our you your want need would like can could called named titled
		extract take get read copy find fetch pull make create draw build produce plot show put turn convert generate insert add use using
		give visualize visualise present display save chart charts graph diagram barchart balkendiagramm column columns
		horizontal excel microsoft ms docx xlsx table tables`)
	// things and fillers may be a part of a name: "file sizes", "the sales report", "new customers".
	things  = set("word document doc file report section chapter page spreadsheet sheet workbook")
	fillers = set("bar bars new simple data values numbers figures")
)

// besideNames makes things and fillers that belong to a name a part of it.
func besideNames(words []word) []word {
	named := func(i int) bool { return i >= 0 && i < len(words) && !words[i].common }
	out := slices.Clone(words)
	for i, w := range words {
		if things[w.raw] && (named(i-1) || named(i+1)) || fillers[w.raw] && named(i+1) {
			out[i].common = false
		}
	}
	return out
}

func set(words string) vocabulary {
	m := vocabulary{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
