// Package shellpolicy has a policy for command lines of bash. It parses them, as the shell does, instead of looking for words
// in them: r'm', r\m and "rm" are rm, and it judges what is behind a semicolon, in a loop or in a pipeline like what stands in
// front. It is a module of its own, on mvdan.cc/sh/v3.
//
//	p, err := shellpolicy.New(shellpolicy.Config{
//		Dir:    "/srv/reports",
//		Reads:  []string{"/srv/reports"},
//		Writes: []string{"/srv/reports/out"},
//		Rules: []shellpolicy.Rule{
//			{Command: "ls", Flags: []string{"-l", "-a"}, Args: []string{"path..."}, Paths: []string{"/srv/reports"}},
//			{Command: "head", Flags: []string{"-n=number"}, Args: []string{"path"}, Paths: []string{"/srv/reports"}},
//			{Command: "git log", Flags: []string{"--oneline"}},
//		},
//	})
//	...
//	cfg.Policy = policies.All(p, policies.Tools(desktop.RunShell))
//
// # What is judged
//
// The policy allows a line if it allows every command in it, with every argument and redirection. It judges the body of a loop
// for each of its values, and looks through the wrappers that are listed (nice, timeout, env, …).
//
// Unclear is what only a run would show: substitutions, variables that neither a for nor one assignment in front sets,
// arithmetic, escapes in $'…', braces, ~, functions, declarations, [[ ]], coprocesses, jobs in the background, and wildcards
// that could become a flag, a directory above or the name of a command. The policy judges commands, files and variables within
// it nevertheless. No list can have builtins that run text, set variables or change what names mean (eval, source, cd, …).
//
// Deny is the verdict for all else. AskUnlisted and AskUnclear make it a question to a person, who sees the line; but not for
// what is not readable as bash, what parser and shell might read differently (invisible characters, doubtful ends of
// here-documents and comments, extended patterns, quoted text with a $ that bash evaluates), and what takes too long to judge.
// The reason quotes the part in ASCII, so that look-alikes of letters show.
//
// # Names
//
// A name is what bash opens, letter by letter. Many commands read more into theirs: host:x, if=x, @x. So the policy denies a
// relative name with a colon, an equals sign or an "@" before its first slash, or a dollar sign at its begin; ./host:x is a
// name for all of them. Wildcards need a directory in front for the same reason. A hyphen is no path; list a rule with "=-"
// for a command that may read standard input. Nothing in /dev and /proc is in a directory above them, except /dev/null.
//
// # Commands that run others
//
// Interpreters, editors, sudo, xargs and the like must have a first argument that the rule knows: =text, /regexp/ or path. The
// policy refuses what makes standard input the script (a hyphen, no name, +s), and gives what reads orders from standard input
// anyway (ed, sqlite3, gdb, …) none from the line. Keep the Paths of such a rule apart from Config.Writes: a script must be
// where the agent cannot write.
//
// # What the shell must be
//
// The line must go, unchanged, to bash 4 or later as bash -c, not interactive, not in POSIX mode, without arguments behind it,
// in Config.Dir. The environment must be the program's: no BASH_ENV, no exported functions, IFS unset, a PATH of directories
// that the agent cannot write to, a UTF-8 or C locale, extglob and dotglob off.
//
// # What is not promised
//
// A rule says which command may run, not what it does. List flags, not AnyArgs. A list of arguments of any kind takes
// wildcards, too, and so prints the names of files; set Config.Wildcards. Do not list a pattern as the first argument together
// with a flag such as -e of grep that takes the pattern. For a command that reads names in a way of its own (curl
// evil.example/x, docker ./x:/etc), use patterns in its rule, not path. Names in paths are compared by their letters; links
// are followed with Resolve, and not between the verdict and the run. It is no sandbox.
//
// internal/testdata/attacks/shell has command lines with the verdict that they must get.
package shellpolicy
