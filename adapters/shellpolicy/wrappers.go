package shellpolicy

import (
	"regexp"
	"strings"
)

// wrappers are the commands that are looked through, with the words that may stand between the name and the
// command that runs. A space stands for the end of a word, which is \x00.
var wrappers = map[string]*regexp.Regexp{
	"command": between(``),
	"env":     between(`([A-Za-z_][A-Za-z0-9_]*=[^\x00]* )*`),
	"nice":    between(`(-n ?-?[0-9]{1,3} )*`),
	"nohup":   between(``),
	"stdbuf":  between(`(-[ioe] ?(L|0|[0-9]{1,9}[KMG]?) )*`),
	"time":    between(`(-p )*`),
	"timeout": between(`(-k ?DURATION |-s ?[A-Z0-9]{1,8} |--preserve-status )*DURATION `),
}

func between(words string) *regexp.Regexp {
	words = strings.ReplaceAll(words, "DURATION", `[0-9]{1,9}(\.[0-9]{1,9})?[smhd]?`)
	return regexp.MustCompile(`^` + strings.ReplaceAll(words, " ", `\x00`))
}

// skip returns how many of the words behind the name of a wrapper are not the command that runs, or says why
// that cannot be said.
func (s *shell) skip(name string, words []word) (n int, problem string) {
	var line strings.Builder
	for _, w := range words {
		line.WriteString(w.text + "\x00")
	}
	found := wrappers[name].FindString(line.String())
	if found == "" && name == "timeout" {
		return 0, "its argument is not known"
	}
	n = strings.Count(found, "\x00")
	for _, w := range words[:n] {
		if w.glob {
			return 0, "the argument " + w.shown() + " has wildcards"
		}
		if variable, _, set := strings.Cut(w.text, "="); set && !s.vars[variable] {
			return 0, "the variable " + quote(variable) + " may not be set"
		}
	}
	if n < len(words) && strings.HasPrefix(words[n].text, "-") {
		return 0, "the flag " + words[n].shown() + " is not known"
	}
	return n, ""
}
