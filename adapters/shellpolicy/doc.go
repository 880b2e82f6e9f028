// Package shellpolicy has a policy for command lines of bash. It parses them, as
// the shell does, instead of looking for words in them: r'm', r\m and "rm" are rm,
// and what is behind a semicolon, in a loop or in a pipeline is judged like what
// stands in front. It is a module of its own, on mvdan.cc/sh/v3.
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
// A line is allowed if every command in it is, with every argument and every
// redirection: in pipelines, lists, subshells, blocks, conditions and loops. The body of a for is judged for each of its
// values. Listed wrappers (nice, timeout, env, …) are looked through.
//
// Unclear is what only a run would show: substitutions, values of variables that neither a for nor one assignment in front says, arithmetic,
// escapes in $'…', braces, ~, functions, declarations, [[ ]], coprocesses, jobs
// in the background, and wildcards that could become a flag, a directory
// above or the name of a command. Commands, files and variables within it
// are judged nevertheless. Builtins that run text, set variables or change what names mean (eval,
// source, exec, trap, alias, read, cd, …) can be on no list.
//
// Denied in any case is what is not readable as bash, what parser and shell might
// read differently (invisible characters, doubtful ends of here-documents and comments, extended patterns,
// quoted text with a $ that bash evaluates), and what takes too long to judge.
//
// The verdict for all else is deny, too. AskUnlisted and AskUnclear make it a question
// to a person, who sees the line. The reason quotes the part in ASCII, so that look-alikes of letters show.
//
// # Names
//
// A name is what bash opens, letter by letter. Many commands read more into theirs: host:x, if=x, @x. So a relative name
// is denied that has a colon, an equals sign or an "@" before its
// first slash, or begins with a dollar sign; ./host:x is a name for all of them. Wildcards
// need a directory in front for the same reason.
//
// # Commands that run others
//
// Interpreters, editors, sudo, xargs and the like must have a first argument that the
// rule knows: =text, /regexp/ or path. What makes standard input the script (a hyphen, no name, +s) is refused.
// What reads orders from standard input anyway (ed, sqlite3, gdb, …) may not get any from the line. A script must be where
// the agent cannot write: keep the Paths of such a rule apart from Config.Writes.
//
// A hyphen is no path; list a rule with "=-" for a command that may read standard input. Nothing in /dev and /proc is in a
// directory above them, except /dev/null.
//
// # What the shell must be
//
// The line must go, unchanged, to bash 4 or later as bash -c, not interactive, not
// in POSIX mode, without arguments behind it. The environment must be the program's: no
// BASH_ENV, no exported functions, IFS unset, a PATH of directories that the agent
// cannot write to, a UTF-8 or C locale, extglob and dotglob off. The working
// directory must be Config.Dir.
//
// # What is not promised
//
// A rule says which command may run, not what it does. List flags, not AnyArgs. A
// list of arguments of any kind takes wildcards, too, and so prints the names of
// files; set Config.Wildcards. Do not list a pattern as the first argument together with a flag such as -e of grep that
// takes the pattern. For a command that reads names in a way of its own (curl evil.example/x, docker ./x:/etc), use patterns
// in its rule, not path. Names in paths are compared by their letters;
// links are followed with Resolve, and not between the verdict and the run. It is no sandbox.
//
// internal/testdata/attacks/shell has command lines with the verdict that they must get.
package shellpolicy
