package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	if status, played := playRole(); played {
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

// settings are what the flags say.
type settings struct {
	seed  uint64
	kills int
	runs  int // of a service
	// strikes are the kills among them, and also the stops
	strikes int
	store   string
	engine  string // of the services; "": that of package runs
	every   int    // of the record boundaries

	verbose bool
	mu      sync.Mutex // held while something is written to out
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
	flags.Uint64Var(&s.seed, "seed", uint64(time.Now().Unix()), "of everything that is random, to have the same moments again")
	flags.IntVar(&s.kills, "kills", 200, "kills at random moments, with files")
	flags.IntVar(&s.runs, "runs", 200, "runs of a service of two processes, with each store")
	flags.StringVar(&s.store, "store", "", "files, sqlite or postgres; all when it is empty")
	flags.StringVar(&s.engine, "engine", "", "what schedules the runs of the services, in place of package runs: "+strings.Join(slices.Sorted(maps.Keys(engines)), ", "))
	flags.BoolVar(&s.verbose, "v", false, "say of each run where it was killed")
	flags.IntVar(&s.every, "every", 1, "kill at every so many record boundaries only")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("crash: what is %s?", flags.Arg(0))
	}
	s.strikes = s.runs / 4
	if s.kills < 1 || s.runs < 2 || s.every < 1 {
		return errors.New("crash: -kills and -every are at least 1, and -runs 2")
	}
	if !slices.Contains([]string{"", storeFiles, storeSQLite, storePostgres}, s.store) {
		return fmt.Errorf("crash: unknown store %q", s.store)
	}
	if _, known := engines[s.engine]; !known && s.engine != "" {
		return fmt.Errorf("crash: unknown engine %q", s.engine)
	}
	if !killable {
		return errNoKill
	}
	if _, err := fmt.Fprintf(out, "seed %d\n", s.seed); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "agentfsm-crash-")
	if err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	err = s.all(ctx, dir)
	if ctx.Err() != nil {
		err = errors.New("crash: interrupted")
	}
	return errors.Join(err, os.RemoveAll(dir))
}

// all does what the flags ask for.
func (s *settings) all(ctx context.Context, dir string) error {
	for i, stage := range []struct {
		store string
		do    func(ctx context.Context, dir string) error
	}{{storeFiles, s.files}, {storeFiles, s.services(storeFiles, "service")}, {storeSQLite, s.services(storeSQLite, "journals.db")}, {storePostgres, s.postgres}} {
		if s.store != "" && s.store != stage.store || i == 0 && s.engine != "" {
			continue
		}
		if err := stage.do(ctx, dir); err != nil {
			return err
		}
	}
	return nil
}

// files kills workers whose journals are files.
func (s *settings) files(ctx context.Context, dir string) error {
	err := s.with(ctx, filepath.Join(dir, "boundaries"), servicePart{}, func(l *lab) (*table, error) { return s.boundaries(ctx, l, s.every) })
	if err != nil {
		return err
	}
	return s.with(ctx, filepath.Join(dir, "moments"), slow, func(l *lab) (*table, error) { return s.moments(ctx, l) })
}

// slow are the waits that make each window wide enough to be hit.
var slow = servicePart{Before: 6 * time.Millisecond, After: 4 * time.Millisecond}

// with opens a lab, and prints what f has counted there.
func (s *settings) with(ctx context.Context, dir string, part servicePart, f func(*lab) (*table, error)) error {
	part.Seed = s.seed
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	l, err := openLab(ctx, dir, part)
	if err != nil {
		return err
	}
	t, err := f(l)
	if t != nil {
		err = errors.Join(err, t.print(s.out))
	}
	return errors.Join(err, l.close())
}
