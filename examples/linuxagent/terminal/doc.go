// Package terminal is a desktop.Desktop that is the shell of this machine: one
// tool, run_shell, that executes a command line with bash, or with the shell that
// the Config names.
//
//	t, err := terminal.New(terminal.Config{Dir: "reports"})
//	…
//	screen, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "terminal"}, Desktop: t})
//
// It executes what it is given. What may be given is decided in front of it, by a
// policies.Func such as that of adapters/shellpolicy, and by a person in
// CONFIRM. Never offer it to an agent without either. The policy and the terminal
// must mean the same shell: what is one quoted word to bash can be two commands to
// sh. So there is no second choice when bash is missing.
//
// # What a command line gets
//
//   - The working directory of the Config, fixed, and links in its own name followed.
//   - A small environment: PATH, LC_ALL=C, HOME and PWD, which are the working
//     directory, and what Config.Env adds. No other variable of this process is in it.
//     That keeps a token out of the output of env, and is no protection: see below.
//   - No standard input. What reads it sees its end.
//   - A process group of its own, which is killed as a whole when the context ends,
//     when the time is up, and when the shell itself has ended. A program that has made
//     a group of its own (setsid, set -m) goes on. On systems that are no Unix only the
//     shell is killed.
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
// network, and can outlive the call. It can read what this process can, and on Linux
// that is more than files: /proc/$PPID/environ has the variables that this process
// was started with, tokens too. A policy must keep /proc out of reach, as that of
// adapters/shellpolicy does where it is not listed itself, and a person must know
// it. Where that matters, run this process without secrets in its environment, as a
// user of its own, or in a container.
//
// # Concurrency
//
// A desktop that New returned may be used by several goroutines at once. Each call
// has its own shell.
package terminal
