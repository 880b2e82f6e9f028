package shellpolicy

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/policies"
)

// Rule allows one command. It does not allow arguments that it does not mention.
type Rule struct {
	// Command is the name as it must be written, with the words that must follow it: "ls", "/usr/bin/git", "git log".
	Command string
	// Flags are the arguments with a hyphen that may be given: "-l" without a value, "-n=number" with a value of this
	// kind, attached or in the next word; list both forms if the value may be left out. "-#" is a hyphen and a number.
	// Single letters may be written together. "--" lets the arguments behind it begin with a hyphen.
	Flags []string
	// Args are the kinds of the other arguments, in order: "any", "number", "path" (in one of Paths; see "Names" in the
	// package's documentation), "=text" for exactly this text, "/regexp/" for one that matches as a whole. "?" behind a
	// kind: it may be missing; "..." behind the last: any number of them.
	Args []string
	// Paths are the directories that paths among the arguments must be in.
	Paths []string
	// AnyArgs allows all arguments, whatever Flags and Args say.
	AnyArgs bool
}

var (
	errUnjudged   = errors.New("changes what the words behind it mean, and cannot be judged by a list")
	errRunner     = errors.New("runs what it is given: its first argument must be of the kind =text, /regexp/ or path and nothing may be any")
	errInput      = errors.New("runs what it reads from standard input, and anything can be there")
	errEvaluates  = errors.New("may have -v, of which bash evaluates the argument, or sets it")
	errNotKind    = errors.New("is no kind of argument")
	errNotFlag    = errors.New("is no flag")
	errTooEarly   = errors.New("only the last kind can repeat, and none that must be there can follow one that may be missing")
	errNoPaths    = errors.New("a path is allowed, but Paths names no directory")
	errNotCommand = errors.New("is no name of a command in plain ASCII")

	commandWord = regexp.MustCompile(`^[A-Za-z0-9_./:+@%,=\[-]+$`)
	flagName    = regexp.MustCompile(`^--?[A-Za-z0-9_][A-Za-z0-9_.:@-]*$|^-[?@#%]$`)
)

// rule is a Rule that has been checked.
type rule struct {
	words   []string // that the command begins with
	flags   map[string]flag
	letters bool // single letters may be written together
	args    []argument
	places  *places
	any     bool
	runner  string // its name, if it runs what its first argument says
}

// flag is what a rule says of one: it may be given without a value, with one, or both.
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
	name    string // any, path, number, = or /
	literal string
	pattern *regexp.Regexp // of number, = and /
}

func newRule(field string, r Rule, opts *policies.RootOptions) (*rule, error) {
	c := &rule{words: strings.Fields(r.Command), flags: map[string]flag{}, any: r.AnyArgs, letters: true}
	switch {
	case len(c.words) == 0, slices.ContainsFunc(c.words, func(w string) bool { return !commandWord.MatchString(w) }):
		return nil, &ConfigError{field + ".Command", r.Command, errNotCommand}
	case traits[c.words[0]]&unjudged != 0:
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
	for _, text := range r.Args {
		if err := c.addArgument(text); err != nil {
			return nil, &ConfigError{field + ".Args", text, err}
		}
	}
	if len(r.Paths) == 0 && c.has("path") {
		return nil, &ConfigError{field + ".Paths", r.Command, errNoPaths}
	}
	if err := c.sane(); err != nil {
		return nil, &ConfigError{field, r.Command, err}
	}
	return c, nil
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

func (c *rule) addFlag(text string) error {
	name, value, valued := strings.Cut(text, "=")
	if text != "--" && !flagName.MatchString(name) {
		return errNotFlag
	}
	f := c.flags[name]
	if valued {
		k, err := newKind(value, `[+-]?[0-9]{1,18}`) // tail -n +2
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

func (c *rule) addArgument(text string) (err error) {
	a := argument{}
	if !strings.HasPrefix(text, "=") {
		if text, a.repeats = strings.CutSuffix(text, "..."); !a.repeats {
			text, a.optional = strings.CutSuffix(text, "?")
		}
	}
	if a.kind, err = newKind(text, `[0-9]{1,18}`); err != nil {
		return err
	}
	if last := len(c.args) - 1; last >= 0 && (c.args[last].repeats || c.args[last].optional && !a.optional && !a.repeats) {
		return errTooEarly
	}
	c.args = append(c.args, a)
	return nil
}

func newKind(text, number string) (kind, error) {
	k := kind{name: text}
	var expr string
	switch {
	case text == "any", text == "path":
		return k, nil
	case text == "number":
		expr = number
	case strings.HasPrefix(text, "="):
		k.name, k.literal = "=", text[1:]
		expr = regexp.QuoteMeta(k.literal)
	case len(text) > 2 && text[0] == '/' && text[len(text)-1] == '/':
		k.name, expr = "/", text[1:len(text)-1]
	default:
		return k, errNotKind
	}
	var err error
	if k.pattern, err = regexp.Compile(`^(?:` + expr + `)$`); err != nil {
		return k, fmt.Errorf("%w: %w", errNotKind, err)
	}
	return k, nil
}

// sane refuses rules that would let everything run.
func (c *rule) sane() error {
	// The builtins test and [ evaluate the subscript in the name of a variable, and printf sets one.
	switch base := path.Base(c.words[0]); base {
	case "test", "[", "printf":
		if c.any || c.flags["--"].bare && base != "printf" || c.flags["-v"] != (flag{}) || slices.Contains(c.words, "-v") {
			return errEvaluates
		}
	}
	runner, rest := c.runs()
	if runner == "" {
		return nil
	}
	if slices.ContainsFunc(rest, func(option string) bool { return readsInput(runner, option) }) {
		return errInput
	}
	if len(rest) > 0 && !strings.ContainsAny(rest[len(rest)-1][:1], "-+") {
		return nil // python3 -m pytest: what is run is written down
	}
	if c.any || len(c.flags) > 0 || len(c.args) == 0 || c.args[0].optional || c.args[0].repeats || c.has("any") {
		return errRunner
	}
	if first := c.args[0]; first.name == "=" && (first.literal == "" || readsInput(runner, first.literal)) {
		return errInput
	}
	c.runner = runner
	return nil
}

// runs returns which of the words of a rule is the command that runs others, and the words behind it; "" if none does.
// In sudo bash it is bash.
func (c *rule) runs() (runner string, rest []string) {
	first, t := known(c.words[0])
	if t&runs == 0 {
		return "", nil
	}
	runner, rest = first, c.words[1:]
	for i, word := range c.words {
		if name, inner := known(word); t&carries != 0 && inner&runs != 0 {
			runner, rest = name, c.words[i+1:]
		}
	}
	return runner, rest
}
