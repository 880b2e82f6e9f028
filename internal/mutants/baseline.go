package main

import (
	"context"
	"os"
	"strings"
	"sync"
	"time"
)

// baseline is what the tests of a package say without any fault. A fault whose test
// does not pass then proves nothing.
type baseline struct {
	what   string // went wrong with the package as a whole, "" for nothing
	output string // of what went wrong; shown once
	passed map[string]bool
	once   sync.Once
}

// baseline compiles the tests of a package without a fault and runs those that its
// faults name.
func (l *lab) baseline(ctx context.Context, pkg, binary string, faults []fault) *baseline {
	b := &baseline{passed: map[string]bool{}}
	defer os.Remove(binary)
	out, err := l.compile(ctx, pkg, binary, "")
	if err != nil {
		b.what, b.output = "the tests of "+pkg+" do not compile without it", out
		return b
	}
	var patterns []string
	for _, f := range faults {
		if _, listed := b.passed[f.Test]; !listed {
			b.passed[f.Test] = false
			patterns = append(patterns, f.pattern())
		}
	}
	out, err = l.run(ctx, pkg, binary, strings.Join(patterns, "|"), time.Duration(len(patterns))*l.timeout)
	if err != nil {
		b.output = failures(out)
	}
	for test := range b.passed {
		b.passed[test] = hasLine(out, "--- PASS: "+test+" ")
	}
	return b
}

// problem is the outcome of a fault that need not be planted, nil for none.
func (b *baseline) problem(f fault) *outcome {
	o := &outcome{Verdict: broken, Note: b.what}
	switch {
	case b.what != "":
	case !b.passed[f.Test]:
		o.Note = "without it, " + f.Test + " of " + f.tests() + " fails, is skipped or does not exist"
	default:
		return nil
	}
	b.once.Do(func() { o.Output = b.output })
	return o
}

func hasLine(text, prefix string) bool {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, " "), prefix) { // that of a subtest is indented
			return true
		}
	}
	return false
}
