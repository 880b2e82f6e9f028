package shellpolicy

import (
	"path"
	"regexp"
	"strings"
)

// trait is what a command does with its arguments and its input.
type trait int

const (
	unjudged trait = 1 << iota // changes what other words mean, or runs text: no rule can allow it
	runs                       // runs the command, script or program that it is given
	shell                      // and is a shell
	carries                    // and its arguments are a command as it stands
	obeys                      // and obeys standard input, whatever its first argument is
)

var traits = table(map[trait]string{
	unjudged: `. alias bg bind builtin caller cd command compgen complete compopt coproc declare dirs disown enable eval exec export fc fg
		getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return set shift shopt source suspend
		times trap typeset ulimit umask unalias unset wait if then else elif fi case esac for select while until do done in function time
		{ } ! [[ ]] ((`,
	runs | shell: `sh bash rbash dash zsh ksh mksh fish csh tcsh ash`,
	runs: `pwsh powershell cmd python python2 python3 perl ruby node nodejs deno bun php lua tclsh expect osascript Rscript java awk gawk
		mawk nawk sed less more man make gmake ninja docker podman kubectl npx npm ld.so nc ncat socat`,
	runs | obeys: `ed ex vi vim nvim emacs nano gdb lldb dc bc sqlite3 psql mysql ftp telnet at batch screen tmux R irb crontab`,
	runs | carries: `busybox toybox env sudo doas pkexec nohup nice ionice chrt taskset timeout setsid stdbuf unbuffer watch flock strace
		ltrace valgrind perf time systemd-run`,
	runs | carries | obeys: `ssh su runuser script chroot unshare nsenter xargs parallel`,
})

func table(groups map[trait]string) map[string]trait {
	commands := map[string]trait{}
	for t, names := range groups {
		for name := range strings.FieldsSeq(names) {
			commands[name] |= t
		}
	}
	return commands
}

// version is what follows the name of an interpreter: python3.13, lua5.4.
var version = regexp.MustCompile(`[0-9.]+$`)

// known returns the name of a command without directories and version, and its traits.
func known(command string) (string, trait) {
	base := path.Base(command)
	short := version.ReplaceAllString(base, "")
	switch {
	case strings.HasPrefix(base, "ld-linux"):
		return base, runs
	case traits[base]&runs == 0 && traits[short]&runs != 0:
		return short, traits[short]
	}
	return base, traits[base]
}

// Options with which an interpreter runs its standard input, among others that have no value.
var (
	shellInput = regexp.MustCompile(`^[-+][A-Za-z]*s`)
	otherInput = regexp.MustCompile(`^-[bBdEIOPqsSuvx]*i`)
)

// readsInput reports whether an option makes an interpreter run its standard input. Shells read + as a hyphen there.
func readsInput(runner, option string) bool {
	switch {
	case option == "-", option == "+", option == "--interactive":
		return true
	case traits[runner]&shell != 0:
		return shellInput.MatchString(option)
	}
	switch runner {
	case "python", "python2", "python3", "lua", "node", "nodejs":
		return otherInput.MatchString(option)
	}
	return false
}

// wrappers are the commands that the policy looks through, with the words that may stand between the name and the command that
// runs. A space stands for \x00, the end of a word.
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

// steering are the variables that can make a harmless command another one.
var steering = regexp.MustCompile(`^((BASH|LD_|DYLD_|COMP_|FUNC|GIT_|LC_|GCONV|MALLOC|PYTHON|PERL|RUBY|NODE|LUA|AWK|JAVA).*|` +
	`PATH|IFS|ENV|SHELL|SHELLOPTS|CDPATH|GLOBIGNORE|GLOBSORT|EXECIGNORE|HOME|PWD|OLDPWD|PS[0-4]|PROMPT_COMMAND|POSIXLY_CORRECT|TMPDIR|` +
	`TMOUT|EDITOR|VISUAL|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|LESS|BROWSER|LANG|LANGUAGE|NLSPATH|LOCPATH|TEXTDOMAIN|TEXTDOMAINDIR|HISTFILE|` +
	`INPUTRC|MAILPATH|MAIL|FCEDIT|FIGNORE|OPTIND|OPTARG|RANDOM|SECONDS|LINENO|UID|EUID|PPID|DIRSTACK|REPLY|GROUPS|SRANDOM|EPOCHSECONDS|` +
	`EPOCHREALTIME|HISTCMD|PIPESTATUS|TAR_OPTIONS|GREP_OPTIONS|RSYNC_RSH|CLASSPATH|_)$`)

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
