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
	var n counts
	n.add(v)
	return n.properties <= maxProperties && n.levels <= maxLevels && n.letters <= maxLetters && n.values <= maxEnumValues && !n.long
}

type counts struct {
	properties, levels, letters, values int
	long                                bool

	level int // of what is around
}

func (n *counts) add(v loosejson.Value) {
	around := n.level
	if has(v, "properties") || has(v, "items") {
		n.level++
	}
	n.levels = max(n.levels, n.level)
	properties, _ := v.Get("properties")
	for _, p := range properties.Members {
		n.properties++
		n.letters += len(p.Name)
	}
	if enum, ok := v.Get("enum"); ok {
		letters := 0
		for _, word := range enum.Items {
			letters += len(word.Text)
		}
		n.values += len(enum.Items)
		n.letters += letters
		n.long = n.long || len(enum.Items) > maxEnum && letters > maxLongLetters
	}
	each(v, n.add)
	n.level = around
}
