package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// lab plants faults in the modules of a repository and runs their tests.
type lab struct {
	root            string // absolute
	timeout, budget time.Duration
	jobs            int
	verbose         bool
}

// plantAll prints what becomes of each fault. Its error says how many were not caught.
func plantAll(ctx context.Context, out io.Writer, faults []fault, l lab) error {
	start := time.Now()
	var mu sync.Mutex
	planted, missed := 0, 0
	todo := make(chan fault)
	var wg sync.WaitGroup
	for range max(l.jobs, 1) {
		wg.Go(func() {
			for f := range todo {
				began := time.Now()
				verdict, details := l.try(ctx, f)
				mu.Lock()
				planted++
				if verdict != "caught" {
					missed++
				} else if !l.verbose {
					details = ""
				}
				fmt.Fprintf(out, "%-8s %5.1fs  %s: %s (%s, %s of %s)\n%s", verdict, time.Since(began).Seconds(), f.Name, f.Why, f.Pos, f.Test, f.tests(), details)
				mu.Unlock()
			}
		})
	}
	for _, f := range faults {
		if ctx.Err() == nil && (l.budget == 0 || time.Since(start) < l.budget) {
			todo <- f
		}
	}
	close(todo)
	wg.Wait()
	fmt.Fprintf(out, "%d of %d faults planted, %d caught, in %v\n", planted, len(faults), planted-missed, time.Since(start).Round(time.Second))
	if missed > 0 {
		return fmt.Errorf("mutants: %d of %d faults not caught", missed, planted)
	}
	return ctx.Err()
}

// try runs the test of a fault without it and with it.
func (l lab) try(ctx context.Context, f fault) (verdict, details string) {
	file, changed, err := f.plant(l.root)
	if err != nil {
		return "ERROR", err.Error() + "\n"
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return "ERROR", err.Error() + "\n"
	}
	defer os.RemoveAll(dir)
	replacement, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{file: replacement}})
	if err = errors.Join(err, os.WriteFile(replacement, []byte(changed), 0o600), os.WriteFile(overlay, data, 0o600)); err != nil {
		return "ERROR", err.Error() + "\n"
	}
	// The go command remembers the result of a test, so this costs once per test.
	if out, err := l.test(ctx, f); err != nil || !strings.Contains(out, "--- PASS: "+f.Test+" ") {
		return "ERROR", "without the fault its test fails, is skipped or does not exist:\n" + out
	}
	out, err := l.test(ctx, f, "-overlay", overlay)
	switch {
	case err == nil:
		return "SURVIVED", ""
	case strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]") || ctx.Err() != nil:
		return "ERROR", out
	}
	return "caught", out
}

// test runs the test of a fault, in its short form.
func (l lab) test(ctx context.Context, f fault, flags ...string) (string, error) {
	parts := strings.Split(f.Test, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	folder := filepath.Join(l.root, filepath.FromSlash(f.tests()))
	args := append([]string{"test", "-short", "-v", "-vet=off", "-timeout", l.timeout.String(), "-run", strings.Join(parts, "/")}, flags...)
	return output(ctx, folder, "go", append(args, ".")...)
}

func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // then the go command removes its files
	cmd.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}
