package loosejson

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words of a line that stands above an object.
var (
	calling  = set("tool tools function functions call calls calling invoke invoking commentary")
	keys     = set("action act name recipient command method")
	reported = set("says said asks asked wants wanted tells told reads contains found quote quoted instructs instructed demands")
	own      = set("i i'll i'm i've i'd my we we'll let let's here here's below follows following")
	// languages are what fences say of themselves, besides wrappers.
	languages = set("json5 jsonc javascript js typescript ts python py text txt yaml markdown md")
)

var (
	// programName matches what only programs write: update_ticket, updateTicket, to=x, job.json.
	programName = regexp.MustCompile(`[\pL\d]_+[\pL\d]|\b\p{Ll}+\p{Lu}|\pL=|\.json|>>>|\[[A-Z]+\]|[(=\[]$`)
	// refusing matches words of a model that does not do what it shows.
	refusing = regexp.MustCompile(`(?i)\b(?:refus|declin|malicious|phish|injection\b)|` +
		`\b(?:cannot|(?:ca|wo|do)n['’]t|not|never|not going to) (?:do|comply|follow|obey|help|assist|execute|act)\b`)
)

// announced reports whether the last words above an object say that it is not the reply: they name a
// call, of which it has the arguments, or somebody else, whom the model quotes.
func announced(above string) bool {
	for above != "" {
		at := strings.LastIndexAny(above[:len(above)-1], "\n\r") + 1
		raw := strings.TrimSpace(above[at:])
		above = above[:at]
		if language := strings.TrimLeft(raw, "`~"); len(raw) > len(language)+2 { // ```update_ticket
			if name := fold(language); name != "" && !wrappers[name] && !languages[name] {
				return true
			}
			continue
		}
		words, quoted := cleaned(raw)
		if _, spoken := firstWord(words); spoken || quoted {
			return leads(cmp.Or(words, raw))
		}
	}
	return false
}

// leads reports whether a line leads to something else than the reply. One that ends in a colon leads to
// what its speaker says.
func leads(line string) bool {
	line = strings.TrimRight(line, "*_ ")
	words := slices.DeleteFunc(wordsOf(line), func(word string) bool { return strings.Trim(word, "0123456789") == "" })
	has := func(set map[string]bool) bool {
		return slices.ContainsFunc(words, func(word string) bool { return set[word] })
	}
	switch {
	case endsSentence(line), !slices.ContainsFunc(words, func(word string) bool { return !labels[word] }):
		return false
	case programName.MatchString(line), has(calling), len(words) == 2 && keys[words[0]]:
		return true
	case strings.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsLetter(r) }): // of another language
		return false
	case len(words) == 1:
		return !strings.HasPrefix(line, "[") || strings.HasSuffix(line, "]")
	case !strings.HasSuffix(line, ":"):
		return false
	}
	for _, end := range []string{". ", "! ", "? ", "; "} {
		line = line[strings.LastIndex(line, end)+1:]
	}
	words = wordsOf(line)
	return !introduces(line) && (!has(own) || has(reported))
}

// wordsOf are the words of a text, in lower case.
func wordsOf(text string) []string {
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	return strings.FieldsFunc(text, func(r rune) bool { return !isWord(r) && r != '\'' })
}

// stops reports whether an object may stand among words that refuse: it gives up, or asks.
func stops(v Value) bool {
	return slices.ContainsFunc(v.Members, func(m Member) bool {
		status := strings.ToUpper(strings.TrimSpace(m.Value.Text))
		return strings.EqualFold(m.Name, "status") && (status == "FAIL" || status == "PENDING")
	})
}
