package main

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
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := command(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const usage = `release [flags] prepare VERSION   sets the version in every go.mod
release [flags] list              lists the tags, in the order in which they are made
release [flags] check             fetches, builds and runs what HEAD would release
`

var errUsage = errors.New("release: want prepare VERSION, list or check")

func command(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	root := flags.String("root", "", "`folder` of the repository; without it the one that release is run in")
	timeout := flags.Duration("timeout", 30*time.Minute, "for all of it")
	verbose := flags.Bool("v", false, "show the commands that check runs, and the largest files")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()

	dir, err := toplevel(ctx, *root)
	if err != nil {
		return err
	}
	switch verb, rest := flags.Arg(0), flags.Args(); {
	case verb == "prepare" && len(rest) == 2:
		return prepare(dir, rest[1], out)
	case verb == "list" && len(rest) == 1:
		return list(dir, out)
	case verb == "check" && len(rest) == 1:
		c := &checker{root: dir, out: out, verbose: *verbose}
		return c.check(ctx)
	}
	return errUsage
}

// toplevel is the root of the repository that dir is in.
func toplevel(ctx context.Context, dir string) (string, error) {
	git := runner{dir: dir, env: environment(nil)}
	top, err := git.run(ctx, "git", "rev-parse", "--show-toplevel")
	return strings.TrimSpace(top), err
}

func list(root string, out io.Writer) error {
	p, err := planOf(root)
	if err != nil {
		return err
	}
	for _, m := range p.modules {
		fmt.Fprintln(out, m.tag(p.version))
	}
	return nil
}
