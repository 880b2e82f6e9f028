package person

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/agentfsm/agentfsm/llm"
)

// Console is where a program was called.
type Console struct {
	In       io.Reader
	Out, Err io.Writer
	Terminal bool // In is a terminal
}

// Program is a program of the examples. It returns its exit status.
type Program func(ctx context.Context, args []string, c Console, model llm.Model) int

// Main runs a program with a model and exits. The first line says who plays the model, but not if a subcommand is called.
func Main(program Program, model llm.Model, who string) {
	c := Console{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Terminal: isTerminal(os.Stdin)}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], c, program, model, who)
	stop()
	os.Exit(status)
}

func run(ctx context.Context, args []string, c Console, program Program, model llm.Model, who string) int {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		fmt.Fprintln(c.Out, who)
	}
	return program(ctx, args, c, model)
}

// Parse parses the flags of a program, which takes no other arguments. check looks at their values; nil: they are right.
// If it returns false, the program ends with the status.
func Parse(flags *flag.FlagSet, args []string, c Console, check func() error) (status int, ok bool) {
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(c.Err)
		flags.Usage()
		return 0, false
	case err == nil && flags.NArg() > 0:
		err = fmt.Errorf("what is %q?", flags.Arg(0))
	case err == nil && check != nil:
		err = check()
	}
	if err != nil {
		fmt.Fprintf(c.Err, "%s: %v (-h lists the flags)\n", flags.Name(), err)
		return 2, false
	}
	return 0, true
}

// isTerminal reports whether a file may be a terminal: a device other than /dev/null.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
