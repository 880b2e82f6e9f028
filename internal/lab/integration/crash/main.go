package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	if status, played := playDriver(); played {
		os.Exit(status)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := command(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	seed    uint64
	runs    int
	kills   int
	every   int
	store   string
	engine  string // "": that of package runs
	verbose bool
	out     io.Writer
}

// The stores.
const (
	storeFiles    = "files"
	storeSQLite   = "sqlite"
	storePostgres = "postgres"
)

var errNoKill = errors.New("crash: processes cannot be killed on this system as a crash does it")

func command(ctx context.Context, args []string, out io.Writer) error {
	s := &settings{out: out}
	flags := flag.NewFlagSet("crash", flag.ContinueOnError)
	flags.Uint64Var(&s.seed, "seed", uint64(time.Now().Unix()), "of everything that is random")
	flags.IntVar(&s.runs, "runs", 200, "runs of two drivers, with each store")
	flags.IntVar(&s.kills, "kills", 0, "kills of drivers, with each store, and as many stops; 0: one for four runs")
	flags.IntVar(&s.every, "every", 1, "kill at every so many records only")
	flags.StringVar(&s.store, "store", "", "files, sqlite or postgres; all when it is empty")
	flags.StringVar(&s.engine, "engine", "", "what schedules the runs in place of package runs: "+strings.Join(slices.Sorted(maps.Keys(engines)), ", "))
	flags.BoolVar(&s.verbose, "v", false, "say of each run where it was killed")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	s.kills = cmp.Or(s.kills, s.runs/4)
	_, known := engines[s.engine]
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("crash: what is %s?", flags.Arg(0))
	case s.kills < 0 || s.runs < 2 || s.every < 1:
		return errors.New("crash: -kills is at least 0, -every 1, and -runs 2")
	case !slices.Contains([]string{"", storeFiles, storeSQLite, storePostgres}, s.store):
		return fmt.Errorf("crash: unknown store %q", s.store)
	case !known && s.engine != "":
		return fmt.Errorf("crash: unknown engine %q", s.engine)
	case !killable:
		return errNoKill
	}
	if _, err := fmt.Fprintf(out, "seed %d\n", s.seed); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "agentfsm-crash-")
	if err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	err = s.stages(ctx, dir)
	if ctx.Err() != nil {
		err = errors.New("crash: interrupted")
	}
	return errors.Join(err, os.RemoveAll(dir))
}
