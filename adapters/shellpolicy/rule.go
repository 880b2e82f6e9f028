package shellpolicy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/policies"
)

// rule is a Rule that has been checked.
type rule struct {
	words   []string // that the command begins with
	flags   map[string]flag
	number  bool // -#
	ends    bool // --
	letters bool // single letters may be written together
	args    []argument
	places  *places
	any     bool
	runner  string // its name, when it runs what its first argument says
}

// flag is what a rule says of one: it may be given without a value, with one, or
// both.
type flag struct {
	bare  bool
	value *kind
}

type argument struct {
	kind
	optional, repeats bool
}

// kind is what one argument may be.
type kind struct {
	name    string // any, number, path, = or /
	literal string
	pattern *regexp.Regexp
}

func newRule(field string, r Rule, opts *policies.RootOptions) (*rule, error) {
	c := &rule{words: strings.Fields(r.Command), flags: map[string]flag{}, any: r.AnyArgs, letters: true}
	if len(c.words) == 0 || slices.ContainsFunc(c.words, func(w string) bool { return !commandWord.MatchString(w) }) {
		return nil, &ConfigError{field + ".Command", r.Command, errNotCommand}
	}
	if unjudged[c.words[0]] {
		return nil, &ConfigError{field + ".Command", r.Command, errUnjudged}
	}
	var err error
	if c.places, err = newPlaces(field+".Paths", r.Paths, opts); err != nil {
		return nil, err
	}
	for _, text := range r.Flags {
		if err := c.addFlag(text); err != nil {
			return nil, &ConfigError{field + ".Flags", text, err}
		}
	}
	for i, text := range r.Args {
		a, err := newArgument(text)
		if err != nil {
			return nil, &ConfigError{field + ".Args", text, err}
		}
		if last := len(c.args) - 1; last >= 0 && (c.args[last].repeats || c.args[last].optional && !a.optional && !a.repeats) {
			return nil, &ConfigError{field + ".Args", r.Args[i], errTooEarly}
		}
		c.args = append(c.args, a)
	}
	if len(r.Paths) == 0 && c.has("path") {
		return nil, &ConfigError{field + ".Paths", r.Command, errNoPaths}
	}
	return c, c.sane(field, r.Command)
}

// has reports whether a flag or an argument is of that kind.
func (c *rule) has(name string) bool {
	for _, f := range c.flags {
		if f.value != nil && f.value.name == name {
			return true
		}
	}
	return slices.ContainsFunc(c.args, func(a argument) bool { return a.name == name })
}

var flagName = regexp.MustCompile(`^--?[A-Za-z0-9_][A-Za-z0-9_.:@-]*$|^-[?@#%]$`)

func (c *rule) addFlag(text string) error {
	switch text {
	case "--":
		c.ends = true
		return nil
	case "-#":
		c.number = true
		return nil
	}
	name, value, valued := strings.Cut(text, "=")
	if !flagName.MatchString(name) {
		return errNotFlag
	}
	f := c.flags[name]
	if valued {
		k, err := newKind(value)
		if err != nil {
			return err
		}
		f.value = &k
	} else {
		f.bare = true
	}
	c.flags[name] = f
	if !strings.HasPrefix(name, "--") && len(name) > 2 {
		c.letters = false // -name is one flag: this command does not write letters together
	}
	return nil
}

func newArgument(text string) (argument, error) {
	a := argument{}
	if !strings.HasPrefix(text, "=") {
		if rest, found := strings.CutSuffix(text, "..."); found {
			a.repeats, text = true, rest
		} else if rest, found := strings.CutSuffix(text, "?"); found {
			a.optional, text = true, rest
		}
	}
	k, err := newKind(text)
	a.kind = k
	return a, err
}

func newKind(text string) (kind, error) {
	switch {
	case text == "any", text == "number", text == "path":
		return kind{name: text}, nil
	case strings.HasPrefix(text, "="):
		return kind{name: "=", literal: text[1:]}, nil
	case len(text) > 2 && text[0] == '/' && text[len(text)-1] == '/':
		pattern, err := regexp.Compile(`^(?:` + text[1:len(text)-1] + `)$`)
		if err != nil {
			return kind{}, fmt.Errorf("%w: %w", errNotKind, err)
		}
		return kind{name: "/", pattern: pattern}, nil
	}
	return kind{}, errNotKind
}
