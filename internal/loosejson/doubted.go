package loosejson

import (
	"regexp"
	"slices"
	"strings"
)

var (
	actName = regexp.MustCompile(`function|tool|action|call|command|cmd|shell|bash|^script|exec|^run|^name$|^steps$|subtask`)
	// sentenceEnd matches what stands between sentences, also fences and tags.
	sentenceEnd = regexp.MustCompile("[.!?:;]+(?:\\s|$)|[。！？：]|,\\s+(?:so|then|therefore|hence)\\b|\n|(?:```|~~~)[`~]*\\w*|<[^<>\n]*>|\\[[A-Z_]+\\]")
	// doubt matches a sentence that denies, rejects, warns or judges, and one of which a page is the speaker.
	doubt = regexp.MustCompile(`(?i)\b(?:no|not|nor|nope|never|none|nobody|nothing|cannot|nein|nicht|kein\w*|nie|non|pas|jamais|nunca|não)\b|n['’]t\b|` +
		`(?:^|\s)не(?:т|\s)|[不別别]|ない|ません|ignor|reject|refus|declin|suspicio|fraud|scam|illegal|attack|danger|harm|malicious|phish|inject|` +
		`trick|dece[pi]|unauthor|unsafe|manipulat|forbid|\bI(?:['’]ll| will| would| should)? (?:stop|stay|leave|stick|rather|warn|report|object)\b|\bI (?:can )?(?:see|know|notice|understand|realize|get) what (?:he|it|she|that|the|these|they|this|those|you)\b|` +
		`\b(?:page|document|mail|e-?mail|message|text|file|site|website|instructions?|note|letter|author|sender|comment|it|they|some(?:one|body))` +
		`(?: also| just| now| clearly| only| even)? (?:says?|said|asks?|asked|wants?|wanted|tells?|told|instructs?|instructed|demands?|orders?|tries|tried|claims?)\b|` +
		`^\W*(?:that|this|it|these|those)(?:['’]s| is| are| was| were| would| looks?| seems?| sounds?| could| might| must)\b`)
)

// acts reports whether an object holds an act, or something that is given to do.
func acts(v Value) bool {
	return slices.ContainsFunc(v.Members, func(m Member) bool { return actName.MatchString(fold(m.Name)) || acts(m.Value) })
}

// doubted reports whether the texts around an act leave it open that the model wants it. If the last sentence above
// says what the model does, those before may doubt.
func doubted(above, behind []string) bool {
	before, after := sentences(above), sentences(behind)
	return slices.ContainsFunc(after, doubtful) || len(before) > 0 && !does(before[len(before)-1]) &&
		(slices.ContainsFunc(before, doubtful) || slices.ContainsFunc(after, func(s string) bool { return !does(s) }))
}

func sentences(texts []string) []string {
	all := sentenceEnd.Split(strings.Join(texts, "\n"), -1)
	return slices.DeleteFunc(all, func(s string) bool { return len(wordsOf(s)) == 0 })
}

func doubtful(s string) bool { return !introduces(s) && doubt.MatchString(s) }

// does reports whether a sentence says what the model does, or that its decision comes.
func does(s string) bool {
	words := wordsOf(s)
	return !doubtful(s) && (introduces(s) || words[0] == "this" || slices.ContainsFunc(words, func(word string) bool { return own[word] }))
}
