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
// A line is allowed when every command in it is, with every argument and every
// redirection: those in pipelines, behind && and ||, in subshells and blocks, in if,
// while, until, case and for. The body of a for is judged for each of its values.
// Wrappers that are listed (nice, timeout, env, …) are looked through.
//
// n=5; head -n $n x is judged like head -n 5 x: a variable that the line sets once, in
// any case and in front of its use, has that value, and so has the variable of a for.
//
// What cannot be known without running it is unclear: substitutions of commands and
// processes, values of other variables, arithmetic (a subscript in it runs commands),
// escapes in $'…', braces, ~, functions, declarations, [[ ]], coprocesses and jobs
// in the background. So are wildcards where they could become a flag, a directory
// above or the name of a command. Commands, files and variables within what is
// unclear are judged nevertheless, and so is the name of a command whose arguments
// are unclear. Builtins that run text, set variables or change what names mean (eval,
// source, exec, trap, alias, read, cd, …) can be on no list.
//
// What is not readable as bash is denied, and so is what parser and shell might
// read differently, or what hides a command from both: invisible characters, carriage
// returns, an end of a here-document or a comment that is in doubt, extended patterns,
// quoted text with a $ where bash evaluates it. Denied is what takes too long to judge
// and what is judged when the context has ended.
//
// "cost is $5" is unclear, too: bash has nothing in the place of $5, and nobody who
// writes it means that. The reason says how to write a dollar sign.
//
// The verdict is deny for all of this. AskUnlisted and AskUnclear make it a question
// to a person, who sees the line. A command with an unclear argument is then asked
// about as a whole. The reason says which part it was, quoted in ASCII, so that
// look-alikes of letters show.
//
// # Names
//
// A name is what bash opens, letter by letter: ./file:/x is a file in the directory
// "file:", "what?.txt" in quotes is one file, and no name is read as a URL. Many commands
// read more into theirs, as rsync, scp, tar and git do with host:x, dd with if=x, gcc with
// @x. So a relative name is denied that has a colon, an equals sign or an "@" before its
// first slash, or begins with a dollar sign; ./host:x is a name for all of them. Wildcards
// need a directory in front for the same reason: wc -l *.csv reads whatever a file says
// that is called --files0-from=x.csv. Reasons say what to write instead ("./*.csv").
//
// # Commands that run others
//
// Interpreters, editors, sudo, xargs and the like must have a first argument that the
// rule knows: =text, /regexp/ or path. Then standard input is data for a script that
// is there. An argument that makes it the script is refused (a hyphen, no name, +s),
// and so are the flags for that in a rule. What reads orders from standard input
// anyway (ed, sqlite3, gdb, …) may not get any from the line. A script must be where
// the agent cannot write: keep the Paths of such a rule apart from Config.Writes and
// from the directories of commands that write.
//
// A hyphen is no path. For a command that may read standard input by that name, list
// a rule with "=-". Nothing in /dev and /proc is in a directory that is above them, such
// as /, except /dev/null: /proc has the variables of other processes.
//
// # What the shell must be
//
// The line must go, unchanged, to bash 4 or later as bash -c, not interactive, not
// in POSIX mode, without arguments behind it. Another shell reads other things into
// a line: for dash, &> starts a job. The environment must be the program's: no
// BASH_ENV, no exported functions, IFS unset, a PATH of directories that the agent
// cannot write to, a UTF-8 or C locale, extglob and dotglob off. The working
// directory must be Config.Dir.
//
// # What is not promised
//
// A rule says which command may run, not what it does: a listed program with a bug,
// or with a flag that runs others, does what it does. List flags, not AnyArgs. A
// list of arguments of any kind takes wildcards, too, and so prints the names of
// other people's files where the command prints its arguments: set Config.Wildcards. A
// first argument that is a pattern becomes a file when a flag such as -e of grep
// takes the pattern: do not list both. A command that reads a name in a way of its own,
// slashes or not (a URL without a scheme, such as evil.example/x for curl; two paths with
// a colon between them, such as ./x:/etc for docker), is given what it reads: use patterns
// in its rule, not path. Names in paths are compared by their letters;
// links are followed with Resolve, and not between the verdict and the run. Nothing
// is said of how long a command runs and how much it prints. It is no sandbox.
//
// # The corpus
//
// internal/testdata/attacks/shell at the root of the repository has command lines with the
// verdict that they must get. Its README says how to add one; no code is needed.
package shellpolicy
