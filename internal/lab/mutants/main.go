package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
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
	root := flags.String("root", "../..", "`folder` of the repository")
	data := flags.String("faults", "mutants/testdata", "`folder` of the faults")
	run := flags.String("run", "", "plant only faults whose name matches the `regexp`")
	changed := flags.String("changed", "", "plant only faults of packages that changed since HEAD left this `revision`")
	sample := flags.Int("sample", 0, "plant only this `number` of faults")
	seed := flags.String("seed", "", "any `text`: the same one chooses the same faults (default the hash of HEAD)")
	budget := flags.Duration("budget", 0, "plant no further fault after this time")
	least := flags.Int("min", 1, "fail if there are fewer faults than this `number`")
	jobs := flags.Int("j", runtime.GOMAXPROCS(0), "faults planted at the same time")
	timeout := flags.Duration("timeout", time.Minute, "for the test of a fault")
	verbose := flags.Bool("v", false, "show the output of the tests that fail")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, err := filepath.Abs(*root)
	if err != nil {
		return err
	}
	faults, err := loadFaults(*data)
	if err != nil {
		return err
	}
	if len(faults) < *least {
		return fmt.Errorf("mutants: %d faults, at least %d wanted", len(faults), *least)
	}
	match, err := regexp.Compile(*run)
	if err != nil {
		return fmt.Errorf("mutants: -run: %w", err)
	}
	faults = slices.DeleteFunc(faults, func(f fault) bool { return !match.MatchString(f.Name) })
	if len(faults) == 0 {
		return fmt.Errorf("mutants: no fault matches %q", *run)
	}
	if *changed != "" {
		if _, err := git(ctx, dir, "merge-base", *changed, "HEAD"); err != nil && ctx.Err() == nil {
			fmt.Fprintf(out, "no fault is planted: it is unknown what changed since %s: %v\n", *changed, err)
			return nil
		}
		packages, err := changedPackages(ctx, dir, *changed)
		if err != nil {
			return err
		}
		faults = slices.DeleteFunc(faults, func(f fault) bool { return !packages[f.Folder] && !packages[f.tests()] })
	}
	if *sample > 0 || *budget > 0 {
		if *seed == "" {
			*seed, _ = git(ctx, dir, "rev-parse", "HEAD") // a copy without git has one seed
		}
		faults = shuffled(faults, *seed)
		faults = faults[:min(cmp.Or(*sample, len(faults)), len(faults))]
		fmt.Fprintf(out, "seed %s: %d faults\n", *seed, len(faults))
	}
	return plantAll(ctx, out, faults, lab{dir, *timeout, *budget, *jobs, *verbose})
}

// shuffled orders faults by a hash of the seed and the name, so that a larger sample
// has all faults of a smaller one.
func shuffled(faults []fault, seed string) []fault {
	rank := func(f fault) string {
		sum := sha256.Sum256([]byte(seed + "\n" + f.Name))
		return string(sum[:])
	}
	return slices.SortedFunc(slices.Values(faults), func(a, b fault) int { return cmp.Compare(rank(a), rank(b)) })
}

// changedPackages returns the folders whose Go files or testdata differ between the
// working tree and the commit where HEAD left rev.
func changedPackages(ctx context.Context, root, rev string) (map[string]bool, error) {
	tracked, err := git(ctx, root, "diff", "--name-only", "--no-renames", "--merge-base", rev)
	untracked, err2 := git(ctx, root, "ls-files", "--others", "--exclude-standard")
	packages := map[string]bool{}
	for name := range strings.Lines(tracked + "\n" + untracked) {
		folder, _, inTestdata := strings.Cut(strings.TrimSpace(name), "testdata/")
		if inTestdata || path.Ext(folder) == ".go" {
			packages[path.Dir(folder)] = true
		}
	}
	return packages, errors.Join(err, err2)
}

func git(ctx context.Context, root string, args ...string) (string, error) {
	out, err := output(ctx, root, "git", args...)
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return strings.TrimSpace(out), nil
}
