package shellpolicy

import (
	"path"
	"regexp"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// simple judges a command with its arguments.
func (j *judge) simple(pos syntax.Pos, words []word) {
	for j.wrappers[words[0].text] && !words[0].glob {
		name := words[0]
		skip, problem := wrappers[name.text](j.shell, words[1:])
		switch {
		case problem != "":
			j.add(unlisted, pos, "%s: %s", name.shown(), problem)
			return
		case len(words) == 1+skip:
			j.add(unlisted, pos, "%s has no command to run", name.shown())
			return
		}
		words = words[1+skip:]
	}
	name := words[0]
	if name.glob {
		j.add(unclear, pos, "%s in the place of a command has wildcards", name.shown())
		return
	}
	rules := j.rules[name.text]
	if len(rules) == 0 {
		j.add(unlisted, pos, "the command %s is not on the list", name.shown())
		return
	}
	if path.Base(name.text) == "printf" && slices.ContainsFunc(words, setsByFormat) {
		j.add(unclear, pos, "a format of printf that sets a variable cannot be judged")
		return
	}
	best, why := 0, "with these arguments it is not on the list"
	for _, r := range rules {
		if !r.begins(words) {
			continue
		}
		problem := r.problem(words[len(r.words):], j.resolve)
		if problem == "" {
			return
		}
		if len(r.words) >= best {
			best, why = len(r.words), problem
		}
	}
	j.add(unlisted, pos, "%s: %s", name.shown(), why)
}

// stores is a conversion of printf that assigns to the variable that its argument
// names: PATH, for instance.
var stores = regexp.MustCompile(`%[^%A-Za-z]*[hlLjzt]*n`)

func setsByFormat(w word) bool { return stores.MatchString(w.text) }
