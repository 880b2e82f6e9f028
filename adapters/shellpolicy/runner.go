package shellpolicy

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// sane refuses rules that would let everything run.
func (c *rule) sane(field, command string) error {
	// The builtins test and [ evaluate the subscript in the name of a variable, and
	// printf sets one.
	switch base := path.Base(c.words[0]); base {
	case "test", "[", "printf":
		if c.any || c.ends && base != "printf" || c.flags["-v"] != (flag{}) || slices.Contains(c.words, "-v") {
			return &ConfigError{field, command, errEvaluates}
		}
	}
	at := runnerAt(c.words)
	if at < 0 {
		return nil
	}
	runner, rest := baseName(c.words[at]), c.words[at+1:]
	if slices.ContainsFunc(rest, func(option string) bool { return readsInput(runner, option) }) {
		return &ConfigError{field, command, errInput}
	}
	if len(rest) > 0 && !isOption(rest[len(rest)-1]) {
		return nil // python3 -m pytest: what is run is written down
	}
	if c.any || len(c.flags) > 0 || len(c.args) == 0 || c.args[0].optional || c.args[0].repeats || c.has("any") {
		return &ConfigError{field, command, errRunner}
	}
	if first := c.args[0]; first.name == "=" && (first.literal == "" || readsInput(runner, first.literal)) {
		return &ConfigError{field, command, errInput}
	}
	c.runner = runner
	return nil
}

// runnerAt returns which of the words of a rule is the command that runs others, -1
// if none does: in sudo bash it is bash.
func runnerAt(words []string) int {
	if !isRunner(words[0]) {
		return -1
	}
	at := 0
	for i, word := range words {
		if carriers[baseName(words[0])] && isRunner(word) {
			at = i
		}
	}
	return at
}

func isOption(word string) bool { return word[0] == '-' || word[0] == '+' }

// Options with which an interpreter runs its standard input, among others that have
// no value.
var (
	shellInput = regexp.MustCompile(`^[-+][A-Za-z]*s`)
	otherInput = regexp.MustCompile(`^-[bBdEIOPqsSuvx]*i`)
)

// readsInput reports whether an option makes an interpreter run its standard input.
// Shells read + as a hyphen there: bash +s is bash -s.
func readsInput(runner, option string) bool {
	if option == "-" || option == "+" || option == "--interactive" {
		return true
	}
	switch runner {
	case "python", "python2", "python3", "lua", "node", "nodejs":
		return otherInput.MatchString(option)
	}
	return shells[runner] && shellInput.MatchString(option)
}

// assigns is what make, awk and env take for a variable that they shall set.
var assigns = regexp.MustCompile(`^[^/]*=`)

// steered says why a runner may take an argument for something else than a file or
// the text that a rule wants.
func (m *matcher) steered(k kind, w word, first bool) string {
	switch {
	case m.runner == "" || k.name == "=" && !first:
		return ""
	case first && (w.text == "" || w.text == "-"):
		return "makes it run its standard input"
	case strings.HasPrefix(w.text, "+"):
		return "may be an option; write ./ in front of a name"
	case k.name == "path" && assigns.MatchString(w.text):
		return "may set a variable; write ./ in front of a name"
	case k.name == "path" && first && shells[m.runner] && !strings.Contains(w.text, "/"):
		return "may be looked for in PATH; write ./ in front of it"
	}
	return ""
}
