package shellpolicy

import (
	"regexp"
	"strings"
)

// wrapper returns how many of the words in front are not the command that runs; a
// problem when that cannot be said. words does not hold the wrapper's name.
type wrapper func(s *shell, words []word) (skip int, problem string)

var wrappers = map[string]wrapper{
	"command": none,
	"nohup":   none,
	"env":     environment,
	"nice":    options(map[string]*regexp.Regexp{"-n": level}, nil),
	"stdbuf":  options(map[string]*regexp.Regexp{"-i": buffer, "-o": buffer, "-e": buffer}, nil),
	"time":    options(map[string]*regexp.Regexp{"-p": nil}, nil),
	"timeout": options(map[string]*regexp.Regexp{"-k": duration, "-s": signal, "--preserve-status": nil}, duration),
}

var (
	buffer   = regexp.MustCompile(`^(L|0|[0-9]{1,9}[KMG]?)$`)
	duration = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,9})?[smhd]?$`)
	level    = regexp.MustCompile(`^-?[0-9]{1,3}$`)
	signal   = regexp.MustCompile(`^[A-Z0-9]{1,8}$`)
	setting  = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)=`)
)

// none is a wrapper without options that are looked through.
func none(_ *shell, words []word) (int, string) {
	if len(words) > 0 && strings.HasPrefix(words[0].text, "-") {
		return 0, "the flag " + words[0].shown() + " is not known"
	}
	return 0, ""
}

// options is one with these options, nil for those without a value, and then an
// argument, nil for none.
func options(known map[string]*regexp.Regexp, argument *regexp.Regexp) wrapper {
	return func(_ *shell, words []word) (int, string) {
		i := 0
		for i < len(words) && strings.HasPrefix(words[i].text, "-") {
			name := words[i]
			if name.glob {
				return 0, "the flag " + name.shown() + " has wildcards"
			}
			value, ok := known[name.text]
			i++
			if ok && value == nil {
				continue
			}
			if !ok && len(name.text) > 2 && name.text[1] != '-' && known[name.text[:2]] != nil {
				if known[name.text[:2]].MatchString(name.text[2:]) { // -oL
					continue
				}
			}
			if !ok || i == len(words) || words[i].glob || !value.MatchString(words[i].text) {
				return 0, "the flag " + name.shown() + " is not known"
			}
			i++
		}
		if argument != nil {
			if i == len(words) || words[i].glob || !argument.MatchString(words[i].text) {
				return 0, "its argument is not known"
			}
			i++
		}
		return i, ""
	}
}

// environment is env, with variables that may be set and no flags.
func environment(s *shell, words []word) (int, string) {
	i := 0
	for ; i < len(words); i++ {
		set := setting.FindStringSubmatch(words[i].text)
		if set == nil {
			break
		}
		if words[i].glob {
			return 0, "the argument " + words[i].shown() + " has wildcards"
		}
		if !s.vars[set[1]] {
			return 0, "the variable " + quote(set[1]) + " may not be set"
		}
	}
	_, problem := none(s, words[i:])
	return i, problem
}
