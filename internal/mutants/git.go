package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"strings"
)

// noBaseError says why nobody knows what changed.
type noBaseError struct{ Reason string }

func (e *noBaseError) Error() string { return e.Reason }

// changedPackages returns the packages below root, such as ./round, that have a Go
// file or testdata which differs between the working tree and the commit where its
// branch left rev.
func changedPackages(ctx context.Context, root, rev string) (map[string]bool, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, &noBaseError{"there is no git"}
	}
	if _, err := git(ctx, root, "rev-parse", "--git-dir"); err != nil {
		return nil, unlessCancelled(ctx, &noBaseError{"this is no git repository"})
	}
	commit, err := git(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return nil, unlessCancelled(ctx, &noBaseError{fmt.Sprintf("there is no revision %q", rev)})
	}
	base, err := git(ctx, root, "merge-base", strings.TrimSpace(commit), "HEAD")
	if err != nil {
		return nil, unlessCancelled(ctx, &noBaseError{fmt.Sprintf("HEAD and %s have no commit in common", rev)})
	}
	// Without renames both names of a file that was moved are listed.
	tracked, err := git(ctx, root, "diff", "--name-only", "--no-renames", "--relative", "-z", strings.TrimSpace(base), "--", ".")
	if err != nil {
		return nil, err
	}
	untracked, err := git(ctx, root, "ls-files", "--others", "--exclude-standard", "-z", "--", ".")
	if err != nil {
		return nil, err
	}
	packages := map[string]bool{}
	for name := range strings.SplitSeq(tracked+untracked, "\x00") {
		if pkg := packageOfFile(name); pkg != "" {
			packages[pkg] = true
		}
	}
	return packages, nil
}

// unlessCancelled returns the error of a context that is done: then git said nothing.
func unlessCancelled(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("mutants: %w", ctx.Err())
	}
	return err
}

// packageOfFile is the package whose tests may depend on a file, "" for none.
func packageOfFile(name string) string {
	folder := path.Dir(name)
	before, _, inTestdata := strings.Cut("/"+folder+"/", "/testdata/")
	if inTestdata {
		folder = strings.Trim(before, "/")
	}
	switch {
	case name == "", !inTestdata && path.Ext(name) != ".go":
		return ""
	case folder == ".", folder == "":
		return "."
	}
	return "./" + folder
}

// head is the commit that is checked out, or another text that stays the same where
// there is none, as in a copy of the files.
func head(ctx context.Context, root string) string {
	commit, err := git(ctx, root, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		return "no-commit"
	}
	return strings.TrimSpace(commit)
}

// git returns what it prints.
func git(ctx context.Context, root string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = root
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok && len(failed.Stderr) > 0 {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(failed.Stderr)))
	}
	if err != nil {
		return "", fmt.Errorf("mutants: git %s: %w", args[0], err)
	}
	return string(out), nil
}
