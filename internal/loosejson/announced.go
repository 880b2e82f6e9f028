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
	calling  = set("tool tools function functions call calls calling invoke invoking commentary payload body arguments parameters")
	keys     = set("action act name recipient command method")
	reported = set("says said asks asked wants wanted tells told reads contains found quote quoted instructs instructed demands")
	own      = set("i i'll i'm i've i'd my we we'll let let's here here's below follows following")
	// ending are the words of a model that announces a decision without an act.
	ending = set("answer reply respond return response output decision decide action step next user task finish finished done complete completed stop end " +
		"continue wait i've we've have")
)

var (
	// programName matches what only programs write: update_ticket, updateTicket, to=x, job.json.
	programName = regexp.MustCompile(`[\pL\d]_+[\pL\d]|\b\p{Ll}+\p{Lu}|\pL=|\.json|>>>|\[[A-Z]+\]|[(=\[]$`)
	// ownFence matches a text that begins with no fence, or with one of a language in which a decision stands.
	ownFence = regexp.MustCompile("(?i)\\A(?:[`~]{0,2}[^`~]|[`~]{3,}[ \\t]*(?:json[5c]?|javascript|js)?[ \\t]*(?:[\\r\\n]|\\z)|[`~]{0,2}\\z)")
	// request matches what stands above a body of HTTP, or above words about a call, and the last of several steps.
	request = regexp.MustCompile(`(?m)^\W*(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD) \S*/|curl\b|Content-\w+:)|\bHTTP/\d|` +
		`^(?:\W*(?i:calling|using|invoking)\b|.*\b(?i:call|use|invoke)\b.*\w_).*:\W*$|(?is:^\W*(?:step\W+)?\d.*\n\W*(?:step\W+)?\d+\W*(?:json\w*)?\W*\z)`)
	// trailer matches the name of a tool behind an object, or an arrow to it.
	trailer = regexp.MustCompile("\\A(?:[\\s`~]|</[^>]*>)*(?:(?:<[-=]|[-=]+>|[←→⇐⇒↑^])[^.!?\\n]*|[#/(]*\\s*(?:for )?[\\w.]*[a-z\\d]_[a-z\\d][\\w.]*\\W*)(?:\\n|\\z)")
	// refusing matches words of a model that does not do what it shows.
	refusing = regexp.MustCompile(`(?i)\b(?:refus|declin|malicious|phish|injection\b)|` +
		`\b(?:cannot|(?:ca|wo|do)n['’]t|not|never|not going to) (?:do|comply|follow|obey|help|assist|execute|act)\b`)
)

// announced reports whether the words around an object say that it is not the reply: they name a call, of which
// it has the arguments, or somebody else, whom the model quotes.
func announced(above, behind string, v Value) bool {
	at := max(0, strings.LastIndex(above, "```"), strings.LastIndex(above, "~~~"))
	if !ownFence.MatchString(above[at:]) || request.MatchString(above) || trailer.MatchString(behind) {
		return true
	}
	for above != "" {
		at := strings.LastIndexAny(above[:len(above)-1], "\n\r") + 1
		raw := strings.TrimSpace(above[at:])
		above = above[:at]
		words, quoted := cleaned(raw)
		if _, spoken := firstWord(words); spoken || quoted {
			return leads(cmp.Or(words, raw), v)
		}
	}
	return false
}

// leads reports whether a line leads to something else than the reply. One that ends in a colon leads to
// what its speaker says, or does.
func leads(line string, v Value) bool {
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
		return reported[words[len(words)-1]]
	}
	for _, end := range []string{". ", "! ", "? ", "; "} {
		line = line[strings.LastIndex(line, end)+1:]
	}
	words = wordsOf(line)
	return !introduces(line) && (!has(own) || has(reported) || looksLikeReply(v) && !acts(v) && !has(ending))
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
