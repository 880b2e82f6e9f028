// Package terminal is the shell of this machine as a desktop.Desktop: one tool, run_shell, that executes a command line
// with bash.
//
//	t, err := terminal.New(terminal.Config{Dir: "reports"})
//	…
//	screen, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "terminal"}, Desktop: t})
//
// Never offer it to an agent without a policy, such as that of adapters/shellpolicy, or a person in CONFIRM. What is one
// quoted word to bash can be two commands to sh, so there is no second choice if bash is missing.
//
// Each command line gets a new shell in the folder of the Config, with a small environment (PATH, LC_ALL=C, HOME and
// PWD), no input, and a process group that is killed as a whole at the end. A program that makes a group of its own
// (setsid) goes on. On systems that are no Unix only the shell is killed.
//
// The result is an [Output]. An exit status other than 0, a signal and the end of Config.Timeout are failures.
//
// This is no sandbox. A command line has the rights of this process, may use the network, and can read what this process
// can: on Linux also /proc/$PPID/environ, with the variables of this process. Run it without secrets in its environment,
// as a user of its own, or in a container.
package terminal
