package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
)

// selection says which faults are planted, and in which order.
type selection struct {
	run     string // only faults whose name matches this regexp
	changed string // only those of packages that differ from this revision; "": of all
	sample  int    // only so many of them; 0: all
	shuffle bool   // in the order of the seed, which a sample always has
	seed    string // "": the commit that is checked out
}

// choose returns the faults to plant: none when nothing changed, or when nobody can
// say what did. It prints why, and what it takes to choose the same ones again.
func (s *selection) choose(ctx context.Context, out io.Writer, root string, faults []fault) ([]fault, error) {
	match, err := regexp.Compile(s.run)
	if err != nil {
		return nil, fmt.Errorf("mutants: -run: %w", err)
	}
	faults = slices.DeleteFunc(slices.Clone(faults), func(f fault) bool { return !match.MatchString(f.Name) })
	if len(faults) == 0 {
		return nil, fmt.Errorf("mutants: no fault matches %q", s.run)
	}
	if s.changed != "" {
		packages, err := changedPackages(ctx, root, s.changed)
		if unknown, ok := errors.AsType[*noBaseError](err); ok {
			fmt.Fprintf(out, "-changed: %v: no fault is planted\n", unknown)
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		faults = slices.DeleteFunc(faults, func(f fault) bool { return !packages[f.owner()] && !packages[f.tests()] })
		if len(faults) == 0 {
			fmt.Fprintf(out, "-changed: no package of a fault differs from %s: no fault is planted\n", s.changed)
			return nil, nil
		}
	}
	if s.sample == 0 && !s.shuffle {
		return faults, nil
	}
	seed := cmp.Or(s.seed, head(ctx, root))
	all := len(faults)
	faults = shuffled(faults, seed)
	if s.sample > 0 {
		faults = faults[:min(s.sample, all)]
	}
	fmt.Fprintf(out, "seed %s: %d of %d faults\n", seed, len(faults), all)
	return faults, nil
}

// shuffled orders faults by what the seed makes of their names. So a fault that is
// added moves no other one, and a larger sample has all of a smaller one.
func shuffled(faults []fault, seed string) []fault {
	rank := func(f fault) string {
		sum := sha256.Sum256([]byte(seed + "\n" + f.Name))
		return string(sum[:])
	}
	return slices.SortedFunc(slices.Values(faults), func(a, b fault) int { return cmp.Compare(rank(a), rank(b)) })
}
