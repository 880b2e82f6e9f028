// Package terminal is a desktop.Desktop that is the shell of this machine: one
// tool, run_shell, that executes a command line with bash or sh.
//
//	t, err := terminal.New(terminal.Config{Dir: "reports"})
//	…
//	screen, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "terminal"}, Desktop: t})
//
// It executes what it is given. What may be given is decided in front of it, by a
// processor.Policy such as that of adapters/shellpolicy, and by a person in
// CONFIRM. Never offer it to an agent without either.
//
// # What a command line gets
//
//   - The working directory of the Config, fixed, and links in its own name followed.
//   - A small environment: PATH, LC_ALL=C, and what Config.Env adds. Nothing else of
//     this process, so that no token in a variable is there to be printed.
//   - No standard input. What reads it sees its end.
//   - A process group of its own, which is killed as a whole when the context ends,
//     when the time is up, and when the shell itself has ended, so that nothing goes on
//     in the background. On systems that are no Unix only the shell is killed.
//
// Each command line has a new shell: cd and variables do not last.
//
// # What comes back
//
// The result is an [Output] as JSON. Text in it cannot be mistaken for a note of
// this package, whatever a file says: notes have a field of their own. Output is
// kept up to Config.MaxOutput bytes, and Note says how much was left out. An exit
// status other than 0, a signal and the end of Config.Timeout are failures, with
// the Output as far as there is one. A context that ends is an error of the call,
// since nobody waits for the answer.
//
// # What is not promised
//
// This is no sandbox. A command line has the rights of this process, may use the
// network, and a program that makes a process group of its own (setsid) outlives
// the call. Run it as a user of its own, or in a container, where that matters.
//
// # Concurrency
//
// A desktop that New returned may be used by several goroutines at once. Each call
// has its own shell.
package terminal
