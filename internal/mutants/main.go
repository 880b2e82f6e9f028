package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
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
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	root := flags.String("root", ".", "`folder` of the module")
	data := flags.String("faults", "internal/mutants/testdata/*.txt", "`pattern` of the files with faults, below the root")
	tests := flags.String("tests", "./internal/scenarios", "`package` of the tests of faults that name none")
	only := flags.String("run", "", "plant only faults whose name matches the `regexp`")
	least := flags.Int("min", 1, "fail when there are fewer faults than this `number`")
	jobs := flags.Int("j", runtime.GOMAXPROCS(0), "faults tried at the same time")
	timeout := flags.Duration("timeout", time.Minute, "for one run of tests")
	verbose := flags.Bool("v", false, "show the output of the tests that failed")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("mutants: %w", err)
	}

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
	if faults, err = choose(faults, *only); err != nil {
		return err
	}

	scratch, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return fmt.Errorf("mutants: %w", err)
	}
	defer os.RemoveAll(scratch)
	l := &lab{root: dir, tests: *tests, scratch: scratch, timeout: *timeout}
	if err := l.baseline(ctx, faults); err != nil {
		return err
	}
	outcomes, err := tryAll(ctx, l, faults, *jobs)
	if err != nil {
		return err
	}
	return report(out, outcomes, *verbose)
}

func choose(faults []fault, pattern string) ([]fault, error) {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("mutants: -run: %w", err)
	}
	var chosen []fault
	for _, f := range faults {
		if match.MatchString(f.Name) {
			chosen = append(chosen, f)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("mutants: no fault matches %q", pattern)
	}
	return chosen, nil
}

// tryAll keeps the order of the faults, whatever order they end in.
func tryAll(ctx context.Context, l *lab, faults []fault, jobs int) ([]outcome, error) {
	outcomes := make([]outcome, len(faults))
	errs := make([]error, len(faults))
	slots := make(chan struct{}, max(jobs, 1))
	var wg sync.WaitGroup
	for i, f := range faults {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if errs[i] = ctx.Err(); errs[i] == nil {
				outcomes[i], errs[i] = l.try(ctx, f)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("mutants: stopped: %w", err)
		}
	}
	return outcomes, nil
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
		case o.Verdict == survived:
			fmt.Fprintf(out, "\n%s: %s: no test of the package fails\n", o.Fault.Pos, o.Fault.Name)
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
