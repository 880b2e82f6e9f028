package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"text/tabwriter"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := command(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func command(ctx context.Context, args []string, out io.Writer) error {
	var s selection
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	root := flags.String("root", ".", "`folder` of the module")
	data := flags.String("faults", "internal/mutants/testdata/*.txt", "`pattern` of the files with faults, below the root")
	flags.StringVar(&s.run, "run", "", "plant only faults whose name matches the `regexp`")
	flags.StringVar(&s.changed, "changed", "", "plant only faults of packages that changed since HEAD left this `revision`")
	flags.IntVar(&s.sample, "sample", 0, "plant only this `number` of faults, chosen by -seed")
	flags.StringVar(&s.seed, "seed", "", "any `text`: the same one chooses the same faults (default the hash of HEAD)")
	budget := flags.Duration("budget", 0, "end after this time, with whatever was planted by then")
	least := flags.Int("min", 1, "fail when there are fewer faults than this `number`, chosen or not")
	jobs := flags.Int("j", runtime.GOMAXPROCS(0), "faults tried at the same time")
	timeout := flags.Duration("timeout", time.Minute, "for the test of a fault; all tests of a package have ten times as long")
	verbose := flags.Bool("v", false, "show the output of the tests that failed, and say whether another test catches what survived")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("mutants: %w", err)
	}
	if flags.NArg() > 0 || s.sample < 0 || *budget < 0 {
		return errors.New("mutants: -sample and -budget are not negative, and there are no arguments")
	}
	s.shuffle = *budget > 0

	dir, err := filepath.Abs(*root)
	if err != nil {
		return fmt.Errorf("mutants: %w", err)
	}
	faults, err := loadFaults(filepath.Join(dir, filepath.FromSlash(*data)))
	if err != nil {
		return err
	}
	if len(faults) < *least {
		return fmt.Errorf("mutants: %d faults in %s, at least %d wanted", len(faults), *data, *least)
	}
	start := time.Now()
	limited, cancel := within(ctx, *budget)
	defer cancel()
	if faults, err = s.choose(ctx, out, dir, faults); err != nil || len(faults) == 0 {
		return err
	}

	scratch, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return fmt.Errorf("mutants: %w", err)
	}
	defer os.RemoveAll(scratch)
	l := newLab(limited, dir, scratch, faults)
	l.timeout, l.others = *timeout, *verbose
	outcomes, err := tryAll(limited, l, faults, *jobs)
	if err != nil {
		return err
	}
	err = report(out, outcomes, *verbose)
	if *budget > 0 {
		took := min(time.Since(start).Round(time.Second), *budget)
		fmt.Fprintf(out, "%d of %d faults planted in %v\n", len(outcomes), len(faults), took)
	}
	return err
}

// errBudget ends what is still running when the time is over.
var errBudget = errors.New("mutants: the time is over")

func within(ctx context.Context, budget time.Duration) (context.Context, context.CancelFunc) {
	if budget == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, budget, errBudget)
}

// tryAll keeps the order of the faults, whatever order they end in. It leaves out
// those that were not finished when the budget ended.
func tryAll(ctx context.Context, l *lab, faults []fault, jobs int) ([]outcome, error) {
	outcomes := make([]outcome, len(faults))
	slots := make(chan struct{}, max(jobs, 1))
	var wg sync.WaitGroup
	for i, f := range faults {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() == nil {
				outcomes[i] = l.try(ctx, f)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errBudget) {
		return nil, fmt.Errorf("mutants: stopped: %w", ctx.Err())
	}
	return slices.DeleteFunc(outcomes, func(o outcome) bool { return o.Verdict == unfinished }), nil
}

// report prints the table. Its error says how many faults were not caught.
func report(out io.Writer, outcomes []outcome, verbose bool) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "VERDICT\tFAULT\tFILE\tTEST\tTIME\tWHY")
	missed := 0
	for _, o := range outcomes {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%.1fs\t%s\n",
			o.Verdict, o.Fault.Name, o.Fault.File, o.Fault.Test, o.Took.Seconds(), o.Fault.Why)
		if o.Verdict != caught {
			missed++
		}
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("mutants: %w", err)
	}
	for _, o := range outcomes {
		switch {
		case o.Verdict != caught:
			fmt.Fprintf(out, "\n%s: %s: %s\n%s", o.Fault.Pos, o.Fault.Name, o.Note, o.Output)
		case verbose:
			fmt.Fprintf(out, "\n%s: %s:\n%s", o.Fault.Pos, o.Fault.Name, o.Output)
		}
	}
	fmt.Fprintf(out, "\n%d of %d faults caught by the test that they name\n", len(outcomes)-missed, len(outcomes))
	if missed > 0 {
		return fmt.Errorf("mutants: %d of %d faults not caught", missed, len(outcomes))
	}
	return nil
}
