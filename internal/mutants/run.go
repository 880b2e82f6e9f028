package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

type verdict string

const (
	caught    verdict = "caught"
	elsewhere verdict = "elsewhere"
	survived  verdict = "SURVIVED"
	broken    verdict = "ERROR"
)

// outcome is what became of one fault.
type outcome struct {
	Fault   fault
	Verdict verdict
	Note    string // who else caught it, or what went wrong
	Output  string // of the failing test
	Took    time.Duration
}

// lab plants faults in a module and runs its tests.
type lab struct {
	root    string        // absolute; where the module's go.mod is
	tests   string        // package of the scenario tests, such as ./internal/scenarios
	scratch string        // a folder for binaries and changed files
	timeout time.Duration // for one run of tests
}

// packageOf is the package whose test must notice a fault.
func (l *lab) packageOf(f fault) string {
	if f.Package != "" {
		return f.Package
	}
	return l.tests
}

// baseline compiles the tests without a fault and runs those that the faults
// name: each must exist and pass, or its failure would prove nothing.
func (l *lab) baseline(ctx context.Context, faults []fault) error {
	var packages []string
	of := map[string][]fault{}
	for _, f := range faults {
		name := l.packageOf(f)
		if of[name] == nil {
			packages = append(packages, name)
		}
		of[name] = append(of[name], f)
	}
	var errs []error
	for _, name := range packages {
		errs = append(errs, l.baselineOf(ctx, name, of[name]))
	}
	return errors.Join(errs...)
}

func (l *lab) baselineOf(ctx context.Context, pkg string, faults []fault) error {
	binary := filepath.Join(l.scratch, "baseline.test")
	defer os.Remove(binary)
	if out, err := l.compile(ctx, pkg, binary, ""); err != nil {
		return fmt.Errorf("mutants: the tests of %s do not compile: %w\n%s", pkg, err, out)
	}
	wanted := map[string]bool{}
	var patterns []string
	for _, f := range faults {
		if !wanted[f.Test] {
			wanted[f.Test] = true
			patterns = append(patterns, f.pattern())
		}
	}
	out, err := l.run(ctx, pkg, binary, strings.Join(patterns, "|"))
	if err != nil {
		return fmt.Errorf("mutants: the tests of %s fail without any fault: %w\n%s", pkg, err, failures(out))
	}
	var errs []error
	for _, f := range faults {
		if !hasLine(out, "--- PASS: "+f.Test+" ") {
			errs = append(errs, fmt.Errorf("mutants: %s: %s: there is no test %s, or it did not run to its end", f.Pos, f.Name, f.Test))
		}
	}
	return errors.Join(errs...)
}

// try plants one fault. It reports an error only when ctx was cancelled;
// everything else is in the outcome.
func (l *lab) try(ctx context.Context, f fault) (o outcome, err error) {
	start := time.Now()
	o = outcome{Fault: f, Verdict: broken}
	defer func() { o.Took = time.Since(start) }()

	overlay, err := l.overlay(f)
	if err != nil {
		o.Note = err.Error()
		return o, nil
	}
	binary := filepath.Join(l.scratch, f.Name+".test")
	defer os.Remove(binary) // they are large, and there are many
	if out, err := l.compile(ctx, l.packageOf(f), binary, overlay); err != nil {
		o.Note, o.Output = "it does not compile", out
		return o, ctx.Err()
	}
	out, err := l.run(ctx, l.packageOf(f), binary, f.pattern())
	if ctx.Err() != nil {
		return o, ctx.Err()
	}
	if err != nil {
		o.Verdict, o.Output = caught, failures(out)
		return o, nil
	}
	out, err = l.run(ctx, l.packageOf(f), binary, "^Test")
	if ctx.Err() != nil {
		return o, ctx.Err()
	}
	if err == nil {
		o.Verdict = survived
		return o, nil
	}
	o.Verdict, o.Output = elsewhere, failures(out)
	o.Note = "by " + firstFailure(out) + ", not by the test that it names"
	return o, nil
}

// overlay writes the changed file, and the JSON that puts it into the place of
// the real one.
func (l *lab) overlay(f fault) (string, error) {
	original := filepath.Join(l.root, filepath.FromSlash(f.File))
	source, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	changed, err := f.apply(string(source))
	if err != nil {
		return "", err
	}
	replacement := filepath.Join(l.scratch, f.Name+".go")
	if err := os.WriteFile(replacement, []byte(changed), 0o600); err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{original: replacement}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(l.scratch, f.Name+".json")
	return overlay, os.WriteFile(overlay, data, 0o600)
}

func (l *lab) compile(ctx context.Context, pkg, binary, overlay string) (string, error) {
	// Faults are no matter of vet, which would look at every package again, nor of a
	// debugger, whose tables would only have to be linked.
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", binary}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	return output(ctx, l.root, "go", append(args, pkg)...)
}

func (l *lab) run(ctx context.Context, pkg, binary, pattern string) (string, error) {
	// The test binary ends itself; the context is for one that cannot any more.
	ctx, cancel := context.WithTimeout(ctx, l.timeout+10*time.Second)
	defer cancel()
	return output(ctx, filepath.Join(l.root, filepath.FromSlash(pkg)), binary,
		"-test.run", pattern, "-test.v", "-test.failfast", "-test.count=1", "-test.timeout", l.timeout.String())
}

func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

func hasLine(text, prefix string) bool {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, " "), prefix) { // that of a subtest is indented
			return true
		}
	}
	return false
}

// failures leaves out what the output says of tests that passed.
func failures(out string) string {
	var kept strings.Builder
	for line := range strings.Lines(out) {
		words := strings.TrimSpace(line)
		if !strings.HasPrefix(words, "=== ") && !strings.HasPrefix(words, "--- PASS: ") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// firstFailure names the test that failed first, or what ended the tests.
func firstFailure(out string) string {
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "--- FAIL: "); ok {
			name, _, _ = strings.Cut(name, " ")
			return name
		}
		if strings.HasPrefix(line, "panic: ") {
			return line
		}
	}
	return "something that ended the tests"
}
