package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

type verdict string

const (
	unfinished verdict = ""
	caught     verdict = "caught"
	elsewhere  verdict = "elsewhere"
	survived   verdict = "SURVIVED"
	broken     verdict = "ERROR"
)

// outcome is what became of one fault.
type outcome struct {
	Fault   fault
	Verdict verdict
	Note    string // who else caught it, or what went wrong
	Output  string // of the failing test
	Took    time.Duration
}

// lab plants faults in a module, and in those nested in it, and runs their tests.
type lab struct {
	root    string        // absolute; where the outer module's go.mod is
	scratch string        // a folder for binaries and changed files
	timeout time.Duration // for the test of a fault
	others  bool          // whether to ask the other tests of a package about a fault that its own test misses

	baselines map[string]func() *baseline // by package
}

// newLab makes ready for these faults.
func newLab(ctx context.Context, root, scratch string, faults []fault) *lab {
	l := &lab{root: root, scratch: scratch, timeout: time.Minute, baselines: map[string]func() *baseline{}}
	of := map[string][]fault{}
	for _, f := range faults {
		of[f.tests()] = append(of[f.tests()], f)
	}
	for pkg, faults := range of {
		binary := filepath.Join(scratch, fmt.Sprintf("%d.test", len(l.baselines)))
		l.baselines[pkg] = sync.OnceValue(func() *baseline { return l.baseline(ctx, pkg, binary, faults) })
	}
	return l
}

// try plants one fault. It is unfinished when ctx was cancelled before its end.
func (l *lab) try(ctx context.Context, f fault) outcome {
	start := time.Now()
	o := l.verdict(ctx, f)
	if ctx.Err() != nil { // what failed then may have failed of that
		return outcome{}
	}
	o.Fault, o.Took = f, time.Since(start)
	return o
}

func (l *lab) verdict(ctx context.Context, f fault) outcome {
	if problem := l.baselines[f.tests()]().problem(f); problem != nil {
		return *problem
	}
	overlay, err := l.overlay(f)
	if err != nil {
		return outcome{Verdict: broken, Note: err.Error()}
	}
	binary := filepath.Join(l.scratch, f.Name+".test")
	defer os.Remove(binary) // they are large, and there are many
	if out, err := l.compile(ctx, f.tests(), binary, overlay); err != nil {
		return outcome{Verdict: broken, Note: "it does not compile", Output: out}
	}
	out, err := l.run(ctx, f.tests(), binary, f.pattern(), l.timeout, "-test.failfast")
	if err != nil {
		return outcome{Verdict: caught, Output: failures(out)}
	}
	if !l.others {
		return outcome{Verdict: survived, Note: "its test passes; with -v the other tests of " + f.tests() + " run, too"}
	}
	if out, err = l.run(ctx, f.tests(), binary, "^Test", 10*l.timeout, "-test.failfast"); err == nil {
		return outcome{Verdict: survived, Note: "no test of " + f.tests() + " fails"}
	}
	return outcome{
		Verdict: elsewhere, Note: "by " + firstFailure(out) + ", not by the test that it names", Output: failures(out),
	}
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
	if !l.others {
		// What one run does not gain by being optimised. Tests that count allocations do.
		args = append(args, "-gcflags=-N -l")
	}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	module, folder := l.module(pkg)
	return output(ctx, module, "go", append(args, folder)...)
}

// module is the folder of the module that a package is in, which may be nested in ours,
// and the package within it.
func (l *lab) module(pkg string) (folder, within string) {
	for above := path.Clean(pkg); above != "."; above = path.Dir(above) {
		folder = filepath.Join(l.root, filepath.FromSlash(above))
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, "." + strings.TrimPrefix(path.Clean(pkg), above)
		}
	}
	return l.root, pkg
}

// run runs tests in their short form, which is what a contributor runs.
func (l *lab) run(ctx context.Context, pkg, binary, pattern string, timeout time.Duration, flags ...string) (string, error) {
	// The test binary ends itself; the context is for one that cannot any more.
	ctx, cancel := context.WithTimeout(ctx, timeout+10*time.Second)
	defer cancel()
	return output(ctx, filepath.Join(l.root, filepath.FromSlash(pkg)), binary,
		append(flags, "-test.run", pattern, "-test.short", "-test.v", "-test.timeout", timeout.String())...)
}

func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	// The go command that is interrupted removes its files.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
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
