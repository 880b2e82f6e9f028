package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// fetched is what a user has of a module.
type fetched struct {
	size     int64 // of the zip
	files    []*zip.File
	programs int
}

// fetch does what users do: get the module, write programs that use it, tidy and run
// them. In between all of its packages are built.
func (u *user) fetch(ctx context.Context, m *ours) (*fetched, error) {
	got, err := u.publish(ctx, m)
	if err != nil {
		return nil, err
	}
	in, err := u.module(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := in.run(ctx, "go", "get", m.path()); err != nil {
		return nil, err
	}
	if err := u.arrived(ctx, in, m); err != nil {
		return nil, err
	}
	packages, err := u.everything(ctx, m)
	if err != nil {
		return nil, err
	}
	programs, err := programsOf(m, packages)
	if err != nil {
		return nil, err
	}
	got.programs = len(programs)
	return got, use(ctx, in, m, programs)
}

// A fetchError is a module that arrives, but is not what was tagged.
type fetchError struct{ Module, Why string }

func (e *fetchError) Error() string { return fmt.Sprintf("release: %s: %s", e.Module, e.Why) }

// everything builds all packages of a module, and lists them.
func (u *user) everything(ctx context.Context, m *ours) ([]*listed, error) {
	in, err := u.module(ctx)
	if err != nil {
		return nil, err
	}
	all := m.path() + "/..."
	if _, err := in.run(ctx, "go", "get", all); err != nil {
		return nil, err
	}
	if _, err := in.run(ctx, "go", "build", all); err != nil {
		return nil, err
	}
	text, err := in.run(ctx, "go", "list", "-json=ImportPath,Name,Dir,XTestGoFiles", all)
	if err != nil {
		return nil, err
	}
	var packages []*listed
	for decoder := json.NewDecoder(strings.NewReader(text)); ; {
		p := &listed{}
		switch err := decoder.Decode(p); {
		case errors.Is(err, io.EOF):
			return packages, nil
		case err != nil:
			return nil, fmt.Errorf("release: go list: %w", err)
		}
		packages = append(packages, p)
	}
}

// publish has the go command resolve the tag and make the zip, as a module proxy does, and
// puts both where the user finds them.
func (u *user) publish(ctx context.Context, m *ours) (*fetched, error) {
	at := m.path() + "@" + u.plan.version
	text, err := u.proxy.run(ctx, "go", "mod", "download", "-json", at)
	if err != nil {
		return nil, err
	}
	var got struct {
		Zip    string `json:"Zip"`
		Origin struct {
			Hash string `json:"Hash"`
		} `json:"Origin"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		return nil, fmt.Errorf("release: go mod download: %w", err)
	}
	if got.Origin.Hash != u.commit {
		return nil, &fetchError{at, fmt.Sprintf("it is of commit %q, not of %s", got.Origin.Hash, u.commit)}
	}
	data, err := os.ReadFile(got.Zip)
	if err != nil {
		return nil, fmt.Errorf("release: %w", err)
	}
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("release: %s: %w", at, err)
	}
	if !slices.ContainsFunc(in.File, func(f *zip.File) bool { return f.Name == at+"/LICENSE" }) {
		return nil, &fetchError{at, "its zip has no LICENSE"}
	}
	return &fetched{size: int64(len(data)), files: in.File}, nil
}

// arrived checks that a module of a user requires the version of the plan, without
// having named it.
func (u *user) arrived(ctx context.Context, in runner, m *ours) error {
	version, err := in.run(ctx, "go", "list", "-m", "-f", "{{.Version}}", m.path())
	if err != nil {
		return err
	}
	if version = strings.TrimSpace(version); version != u.plan.version {
		return &fetchError{m.path(), fmt.Sprintf("go get took %s, not %s", version, u.plan.version)}
	}
	return nil
}

// largest returns the n largest files of the zip.
func (f *fetched) largest(n int) []*zip.File {
	files := slices.SortedFunc(slices.Values(f.files), func(a, b *zip.File) int {
		return cmp.Compare(b.UncompressedSize64, a.UncompressedSize64)
	})
	return files[:min(n, len(files))]
}

// use goes on in the module of a user as README.md says: programs, go mod tidy, and run them.
func use(ctx context.Context, in runner, m *ours, programs []program) error {
	for i, p := range programs {
		dir := filepath.Join(in.dir, strconv.Itoa(i))
		err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "main.go"), []byte(p.code), 0o600))
		if err != nil {
			return fmt.Errorf("release: %w", err)
		}
	}
	if _, err := in.run(ctx, "go", "mod", "tidy"); err != nil {
		return err
	}
	for i, p := range programs {
		binary := filepath.Join(in.dir, "program"+strconv.Itoa(i)+".exe") // Windows wants the suffix
		if _, err := in.run(ctx, "go", "build", "-o", binary, "./"+strconv.Itoa(i)); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		got, err := in.run(ctx, binary)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if strings.TrimSpace(got) != strings.TrimSpace(p.output) {
			return &programError{path.Join(m.path(), p.name), got, p.output}
		}
	}
	return nil
}
