package closed

import "github.com/agentfsm/agentfsm/internal/loosejson"

// OpenAI's limits of a schema (its guide to structured outputs, "Supported schemas"). No other
// provider that is known allows more.
const (
	maxProperties  = 5000
	maxLevels      = 10
	maxLetters     = 120_000 // of names and of words to choose from
	maxEnumValues  = 1000
	maxLongLetters = 15_000 // of the words of one choice of more than maxEnum
)

// Fits reports whether a schema is within every limit, shared parts counted each time.
func Fits(v loosejson.Value) bool {
	properties, letters, values, ok := 0, 0, 0, true
	var count func(v loosejson.Value, level int)
	count = func(v loosejson.Value, level int) {
		if has(v, "properties") || has(v, "items") {
			level++
		}
		for _, p := range get(v, "properties").Members {
			properties++
			letters += len(p.Name)
		}
		words := 0
		enum := get(v, "enum").Items
		for _, word := range enum {
			words += len(word.Text)
		}
		letters, values = letters+words, values+len(enum)
		ok = ok && level <= maxLevels && (len(enum) <= maxEnum || words <= maxLongLetters)
		each(v, func(part loosejson.Value) { count(part, level) })
	}
	count(v, 0)
	return ok && properties <= maxProperties && letters <= maxLetters && values <= maxEnumValues
}
