package shellpolicy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// Config says what a command line may do. What it does not say is denied, so the
// zero value lets nothing run. It has a JSON form.
type Config struct {
	// Rules are the commands that may run. One rule must allow a command with all of its arguments.
	Rules []Rule
	// Dir is the absolute working directory of the shell. "": no relative path is in any root.
	Dir string
	// Reads and Writes are the directories of files that redirections may read and
	// write. /dev/null may always be used.
	Reads, Writes []string
	// Wildcards are the directories whose names wildcards may stand for, in any
	// argument and in for. The wildcards must be in the last part of the path. Nil: any directory.
	// Empty: none.
	Wildcards []string
	// Vars are variables that a command line may set: in front of a command, alone,
	// and in for.
	Vars []string
	// Wrappers are the commands that are looked through: what they run is judged in
	// their place. Known are command, env, nice, nohup, stdbuf, time and timeout.
	Wrappers []string
	// Resolve: the shell runs on this machine, and links are followed (see
	// policies.RootOptions). A path with wildcards is then in no root.
	Resolve bool
	// AskUnlisted has a person asked about a command, argument, path or variable that is not on the list, AskUnclear
	// about what cannot be judged without running it.
	AskUnlisted, AskUnclear bool
	// Tools says, by the name of a tool, which of its parameters is the command line,
	// such as {"terminal": "command"}. {"run_shell": "bash_command"} is always
	// among them. Commands of other tools are allowed.
	Tools map[string]string
	// Parameters are those of the same tools that may be given besides. They are not judged.
	Parameters []string
}

// Rule allows one command. Arguments that it does not mention are not allowed.
type Rule struct {
	// Command is the name as it must be written, with the words that must follow it:
	// "ls", "/usr/bin/git", "git log".
	Command string
	// Flags are the arguments with a hyphen that may be given: "-l" without
	// a value, "-n=number" with a value of this kind, attached or in the next
	// word; list both forms if the value may be left out.
	// "-#" is a hyphen and a number. Single letters may be written together. "--"
	// lets arguments begin with a hyphen behind it.
	Flags []string
	// Args are the kinds of the other arguments, in order: "any", "number", "path"
	// (in one of Paths; see "Names" in the package's documentation), "=text"
	// for exactly this text, "/regexp/" for one that matches as a whole. "?" behind a kind: it may be missing; "..." behind the
	// last: any number of them.
	Args []string
	// Paths are the directories that paths among the arguments must be in.
	Paths []string
	// AnyArgs allows all arguments, whatever Flags and Args say.
	AnyArgs bool
}

// ConfigError says which part of a [Config] means nothing, or would allow what no
// rule can mean to allow.
type ConfigError struct {
	Field string // such as Rules[2].Flags
	Value string
	Err   error
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("shellpolicy: %s: %q: %v", e.Field, e.Value, e.Err)
}

// Unwrap returns the reason.
func (e *ConfigError) Unwrap() error { return e.Err }

// shell is a Config that has been checked. It never changes.
type shell struct {
	rules       map[string][]*rule // by the first word
	reads       *places
	writes      *places
	wildcards   *places // nil: any
	vars        map[string]bool
	wrappers    map[string]bool
	tools       map[string]string
	parameters  []string
	askUnlisted bool
	askUnclear  bool
}

// New returns the policy of a Config, which it copies. The error is a
// [*ConfigError]. The policy may be used by several goroutines.
func New(cfg Config) (policies.Func, error) {
	s, err := compile(cfg)
	if err != nil {
		return nil, err
	}
	return s.policy, nil
}

func compile(cfg Config) (*shell, error) {
	s := &shell{
		rules: map[string][]*rule{}, vars: setOf(cfg.Vars...), wrappers: setOf(cfg.Wrappers...),
		tools: map[string]string{desktop.RunShell: "bash_command"}, parameters: slices.Clone(cfg.Parameters),
		askUnlisted: cfg.AskUnlisted, askUnclear: cfg.AskUnclear,
	}
	for tool, parameter := range cfg.Tools {
		if tool == "" || parameter == "" {
			return nil, &ConfigError{"Tools", tool + ": " + parameter, errNoName}
		}
	}
	maps.Copy(s.tools, cfg.Tools)
	opts := &policies.RootOptions{Base: cfg.Dir, Resolve: cfg.Resolve, Plain: true}
	var err error
	for _, of := range []struct {
		field string
		dirs  []string
		to    **places
	}{{"Reads", cfg.Reads, &s.reads}, {"Writes", cfg.Writes, &s.writes}, {"Wildcards", cfg.Wildcards, &s.wildcards}} {
		if of.field == "Wildcards" && of.dirs == nil {
			continue
		}
		if *of.to, err = newPlaces(of.field, of.dirs, opts); err != nil {
			return nil, err
		}
	}
	for i, r := range cfg.Rules {
		compiled, err := newRule(fmt.Sprintf("Rules[%d]", i), r, opts)
		if err != nil {
			return nil, err
		}
		name := compiled.words[0]
		s.rules[name] = append(s.rules[name], compiled)
	}
	for _, name := range cfg.Vars {
		switch {
		case !variable.MatchString(name):
			return nil, &ConfigError{"Vars", name, errNoName}
		case steers(name):
			return nil, &ConfigError{"Vars", name, errSteers}
		}
	}
	for _, name := range cfg.Wrappers {
		if wrappers[name] == nil {
			return nil, &ConfigError{"Wrappers", name, fmt.Errorf("known are %s", strings.Join(slices.Sorted(maps.Keys(wrappers)), ", "))}
		}
	}
	return s, nil
}
