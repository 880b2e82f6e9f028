package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// checker fetches what the HEAD of a repository would release.
type checker struct {
	root    string
	out     io.Writer
	verbose bool
}

// check does it for one module after another, in the order of their tags.
func (c *checker) check(ctx context.Context) (err error) {
	start := time.Now()
	temp, err := os.MkdirTemp("", "agentfsm-release-")
	if err != nil {
		return fmt.Errorf("release: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()

	origin, err := c.clone(ctx, temp)
	if err != nil {
		return err
	}
	p, err := planOf(origin.dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s of %s\n", p.version, origin.commit)
	for _, m := range p.modules {
		if err := origin.tag(ctx, m.tag(p.version)); err != nil {
			return err
		}
	}
	u, err := c.user(ctx, temp, origin, p)
	if err != nil {
		return err
	}
	for _, m := range p.modules {
		began := time.Now()
		got, err := u.fetch(ctx, m)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%-30s %5d KiB in %3d files, %d programs, %.0f s\n",
			m.tag(p.version), (got.size+1023)/1024, len(got.files), got.programs, time.Since(began).Seconds())
		if c.verbose {
			for _, f := range got.largest(5) {
				fmt.Fprintf(c.out, "  %8d bytes %s\n", f.UncompressedSize64, f.Name)
			}
		}
	}
	fmt.Fprintf(c.out, "%d modules fetched, built and run in %.0f s\n", len(p.modules), time.Since(start).Seconds())
	return nil
}

// repo is a clone that stands for the repository that users fetch from.
type repo struct {
	dir    string
	commit string
	git    runner
}

// clone copies the HEAD of the root, without its tags.
func (c *checker) clone(ctx context.Context, temp string) (*repo, error) {
	git := runner{dir: c.root, env: environment(nil), log: c.log()}
	status, err := git.run(ctx, "git", "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if n := strings.Count(status, "\n"); n > 0 {
		fmt.Fprintf(c.out, "%d changes are not committed, and so not checked\n", n)
	}
	r := &repo{dir: filepath.Join(temp, "repository")}
	if _, err := git.run(ctx, "git", "clone", "--quiet", "--no-tags", "--", c.root, r.dir); err != nil {
		return nil, err
	}
	r.git = runner{dir: r.dir, env: git.env, log: git.log}
	head, err := r.git.run(ctx, "git", "rev-parse", "HEAD")
	r.commit = strings.TrimSpace(head)
	return r, err
}

// tag needs no key of who runs it.
func (r *repo) tag(ctx context.Context, name string) error {
	_, err := r.git.run(ctx, "git", "-c", "tag.gpgSign=false", "tag", name, r.commit)
	return err
}

func (c *checker) log() io.Writer {
	if c.verbose {
		return c.out
	}
	return nil
}
