package shellpolicy

import (
	"path"
	"regexp"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// simple judges a command with its arguments.
func (j *judge) simple(pos syntax.Pos, words []word) {
	words = j.unwrap(pos, words)
	if words == nil || !j.named(pos, words[0]) {
		return
	}
	name := words[0]
	if path.Base(name.text) == "printf" && slices.ContainsFunc(words, setsByFormat) {
		j.add(unclear, pos, "a format of printf that sets a variable cannot be judged")
	}
	best, why := 0, "with these arguments it is not on the list"
	for _, r := range j.rules[name.text] {
		if !r.begins(words) {
			continue
		}
		problem := r.problem(words[len(r.words):])
		if problem == "" && j.fed && obeying[r.runner] {
			problem = "it obeys its standard input, which is written by this line"
		}
		if problem == "" {
			return
		}
		if len(r.words) >= best {
			best, why = len(r.words), problem
		}
	}
	j.add(unlisted, pos, "%s: %s", name.shown(), why)
}

// partly judges a command with words that are unclear, which has been said. Which
// command it is, if that is known, must be on the list all the same.
func (j *judge) partly(pos syntax.Pos, words []word) {
	if words = j.unwrap(pos, words); words != nil && !words[0].unknown {
		j.named(pos, words[0])
	}
}

// named judges the name of a command.
func (j *judge) named(pos syntax.Pos, name word) bool {
	switch {
	case name.glob:
		j.add(unclear, pos, "%s in the place of a command has wildcards", name.shown())
		return false
	case len(j.rules[name.text]) == 0:
		j.add(unlisted, pos, "the command %s is not on the list", name.shown())
		return false
	}
	return true
}

// unwrap looks through wrappers. Nil: that was not possible, which has been said.
func (j *judge) unwrap(pos syntax.Pos, words []word) []word {
	for j.wrappers[words[0].text] && !words[0].glob && !words[0].unknown {
		name := words[0]
		skip, problem := j.skip(name.text, words[1:])
		switch {
		case problem != "":
			j.add(unlisted, pos, "%s: %s", name.shown(), problem)
			return nil
		case len(words) == 1+skip:
			j.add(unlisted, pos, "%s has no command to run", name.shown())
			return nil
		}
		words = words[1+skip:]
	}
	return words
}

// stores is a conversion of printf that assigns to the variable that its argument
// names: PATH, for instance.
var stores = regexp.MustCompile(`%[^%A-Za-z]*[hlLjzt]*n`)

func setsByFormat(w word) bool { return stores.MatchString(w.text) }
