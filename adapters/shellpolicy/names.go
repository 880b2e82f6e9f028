package shellpolicy

import (
	"errors"
	"path"
	"regexp"
	"strings"
)

var (
	errNoName     = errors.New("is no name")
	errSteers     = errors.New("a variable that changes how the shell, or what loads programs, finds or reads something")
	errUnjudged   = errors.New("changes what the words behind it mean, and cannot be judged by a list")
	errRunner     = errors.New("runs what it is given: its first argument must be of the kind =text, /regexp/ or path and nothing may be any")
	errInput      = errors.New("runs what it reads from standard input, and anything can be there")
	errEvaluates  = errors.New("may have -v, of which bash evaluates the argument, or sets it")
	errNotKind    = errors.New("is no kind of argument")
	errNotFlag    = errors.New("is no flag")
	errTooEarly   = errors.New("only the last kind can repeat, and none that must be there can follow one that may be missing")
	errNoPaths    = errors.New("a path is allowed, but Paths names no directory")
	errNotCommand = errors.New("is no name of a command in plain ASCII")
)

var (
	variable    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	commandWord = regexp.MustCompile(`^[A-Za-z0-9_./:+@%,=\[-]+$`)
)

// steers reports whether setting a variable can make a harmless command another
// one.
func steers(name string) bool {
	for _, prefix := range []string{"BASH", "LD_", "DYLD_", "COMP_", "FUNC", "GIT_", "LC_", "GCONV", "MALLOC", "PYTHON", "PERL", "RUBY", "NODE", "LUA", "AWK", "JAVA"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return steering[name]
}

var steering = setOf("PATH", "IFS", "ENV", "SHELL", "SHELLOPTS", "CDPATH", "GLOBIGNORE", "GLOBSORT", "EXECIGNORE", "HOME", "PWD", "OLDPWD", "PS0", "PS1",
	"PS2", "PS3", "PS4", "PROMPT_COMMAND", "POSIXLY_CORRECT", "TMPDIR", "TMOUT", "EDITOR", "VISUAL", "PAGER", "MANPAGER", "LESSOPEN", "LESSCLOSE", "LESS",
	"BROWSER", "LANG", "LANGUAGE", "NLSPATH", "LOCPATH", "TEXTDOMAIN", "TEXTDOMAINDIR", "HISTFILE", "INPUTRC", "MAILPATH", "MAIL", "FCEDIT", "FIGNORE",
	"OPTIND", "OPTARG", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "DIRSTACK", "REPLY", "GROUPS", "SRANDOM", "EPOCHSECONDS", "EPOCHREALTIME", "HISTCMD", "PIPESTATUS", "TAR_OPTIONS", "GREP_OPTIONS", "RSYNC_RSH", "CLASSPATH", "_")

// sized are variables that may be set, but do not stay what they are: bash sets them
// anew when a command has run.
var sized = setOf("LINES", "COLUMNS")

// unjudged are commands of the shell that run text, change what names mean, or
// take names of variables, in whose subscripts bash finds commands. No rule can
// be about them.
var unjudged = setOf(".", "alias", "bg", "bind", "builtin", "caller", "cd", "command", "compgen", "complete", "compopt", "coproc", "declare", "dirs",
	"disown", "enable", "eval", "exec", "export", "fc", "fg", "getopts", "hash", "help", "history", "jobs", "let", "local", "logout", "mapfile", "popd", "pushd",
	"read", "readarray", "readonly", "return", "set", "shift", "shopt", "source", "suspend", "times", "trap", "typeset", "ulimit", "umask", "unalias",
	"unset", "wait", "if", "then", "else", "elif", "fi", "case", "esac", "for", "select", "while", "until", "do", "done", "in", "function", "time", "{", "}", "!",
	"[[", "]]", "((")

// runners run what they are told: a command, a script, a program in an argument or
// on standard input.
var runners = setOf("sh", "bash", "rbash", "dash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "ash", "busybox", "toybox", "pwsh", "powershell", "cmd",
	"python", "python2", "python3", "perl", "ruby", "node", "nodejs", "deno", "bun", "php", "lua", "tclsh", "expect", "osascript", "irb", "R", "Rscript", "java",
	"awk", "gawk", "mawk", "nawk", "sed", "ed", "ex", "vi", "vim", "nvim", "emacs", "nano", "less", "more", "man", "gdb", "lldb", "make", "gmake", "ninja", "env",
	"xargs", "sudo", "doas", "su", "runuser", "pkexec", "nohup", "nice", "ionice", "chrt", "taskset", "timeout", "setsid", "stdbuf", "unbuffer", "chroot",
	"unshare", "nsenter", "ssh", "watch", "parallel", "flock", "script", "strace", "ltrace", "valgrind", "perf", "time", "at", "batch", "crontab", "systemd-run",
	"docker", "podman", "kubectl", "screen", "tmux", "npx", "npm", "ld.so", "dc", "bc", "sqlite3", "psql", "mysql", "ftp", "telnet", "nc", "ncat", "socat")

// shells are the runners that are one.
var shells = setOf("sh", "bash", "rbash", "dash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "ash")

// carriers are the runners whose arguments are a command as it stands.
var carriers = setOf("busybox", "toybox", "env", "xargs", "sudo", "doas", "su", "runuser", "pkexec", "nohup", "nice", "ionice", "chrt", "taskset", "timeout",
	"setsid", "stdbuf", "unbuffer", "chroot", "unshare", "nsenter", "ssh", "watch", "parallel", "flock", "script", "strace", "ltrace", "valgrind", "perf", "time",
	"systemd-run")

// obeying are the runners that read orders from standard input, or hand it to a shell,
// whatever their first argument is.
var obeying = setOf("ed", "ex", "vi", "vim", "nvim", "emacs", "nano", "gdb", "lldb", "dc", "bc", "sqlite3", "psql", "mysql", "ftp", "telnet", "ssh", "su", "runuser",
	"script", "chroot", "unshare", "nsenter", "at", "batch", "screen", "tmux", "xargs", "parallel", "R", "irb", "crontab")

// version is what stands behind the name of an interpreter: python3.13, lua5.4.
var version = regexp.MustCompile(`[0-9.]+$`)

func isRunner(command string) bool {
	base := baseName(command)
	return runners[base] || strings.HasPrefix(base, "ld-linux")
}

// baseName is a name without directories and without a version, if it runs others.
func baseName(command string) string {
	base := path.Base(command)
	if short := version.ReplaceAllString(base, ""); !runners[base] && runners[short] {
		return short
	}
	return base
}

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}
