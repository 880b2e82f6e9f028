package shellpolicy

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// Config says what a command line may do. It denies the rest, so the zero value lets nothing run. It has a JSON form.
type Config struct {
	// Rules are the commands that may run. One rule must allow a command with all of its arguments.
	Rules []Rule
	// Dir is the absolute working directory of the shell. "": no relative path is in any root.
	Dir string
	// Reads and Writes are the directories of files that redirections may read and write. /dev/null may always be used.
	Reads, Writes []string
	// Wildcards are the directories whose names wildcards may stand for, in any argument and in for. The wildcards must
	// be in the last part of the path. Nil: any directory. Empty: none.
	Wildcards []string
	// Vars are variables that a command line may set: in front of a command, alone, and in for.
	Vars []string
	// Wrappers are the commands that are looked through: what they run is judged in their place. Known are command, env,
	// nice, nohup, stdbuf, time and timeout.
	Wrappers []string
	// Resolve: the shell runs on this machine, and links are followed (see policies.RootOptions). A path with wildcards
	// is then in no root.
	Resolve bool
	// AskUnlisted asks a person about a command, argument, path or variable that is not on the list, AskUnclear about
	// what only a run would show.
	AskUnlisted, AskUnclear bool
	// Tools says, by the name of a tool, which of its parameters is the command line, such as {"terminal": "command"}.
	// {"run_shell": "bash_command"} is always among them. Commands of other tools are allowed.
	Tools map[string]string
	// Parameters are those of the same tools that may be given besides. They are not judged.
	Parameters []string
}

// ConfigError says which part of a [Config] means nothing, or would allow what no rule can mean to allow.
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

var (
	errNoName = errors.New("is no name")
	errSteers = errors.New("a variable that changes how the shell, or what loads programs, finds or reads something")
)

// list is a Config that has been checked. It never changes.
type list struct {
	Config
	rules                    map[string][]*rule // by the first word
	reads, writes, wildcards *places            // wildcards may be nil: any
}

// New returns the policy of a Config. The error is a [*ConfigError]. The policy may be used by several goroutines; do not
// change the slices and maps of the Config any more.
func New(cfg Config) (policies.Func, error) {
	l := &list{Config: cfg, rules: map[string][]*rule{}}
	l.Tools = map[string]string{desktop.RunShell: "bash_command"}
	maps.Copy(l.Tools, cfg.Tools)
	for tool, parameter := range l.Tools {
		if tool == "" || parameter == "" {
			return nil, &ConfigError{"Tools", tool + ": " + parameter, errNoName}
		}
	}
	for _, name := range cfg.Vars {
		switch {
		case !variable.MatchString(name):
			return nil, &ConfigError{"Vars", name, errNoName}
		case steering.MatchString(name):
			return nil, &ConfigError{"Vars", name, errSteers}
		}
	}
	for _, name := range cfg.Wrappers {
		if wrappers[name] == nil {
			return nil, &ConfigError{"Wrappers", name, fmt.Errorf("known are %s", strings.Join(slices.Sorted(maps.Keys(wrappers)), ", "))}
		}
	}
	opts := &policies.RootOptions{Base: cfg.Dir, Resolve: cfg.Resolve, Plain: true}
	var err error
	if l.reads, err = newPlaces("Reads", cfg.Reads, opts); err != nil {
		return nil, err
	}
	if l.writes, err = newPlaces("Writes", cfg.Writes, opts); err != nil {
		return nil, err
	}
	if cfg.Wildcards != nil {
		if l.wildcards, err = newPlaces("Wildcards", cfg.Wildcards, opts); err != nil {
			return nil, err
		}
	}
	for i, r := range cfg.Rules {
		compiled, err := newRule(fmt.Sprintf("Rules[%d]", i), r, opts)
		if err != nil {
			return nil, err
		}
		l.rules[compiled.words[0]] = append(l.rules[compiled.words[0]], compiled)
	}
	return l.policy, nil
}
