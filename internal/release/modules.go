package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// ours is a module of the repository.
type ours struct {
	dir  string // relative to the root, with slashes; "." for the core
	file *modfile.File
}

func (m *ours) path() string { return m.file.Module.Mod.Path }

// name is that of its go.mod, relative to the root.
func (m *ours) name() string { return m.file.Syntax.Name }

// released reports whether the module gets tags.
func (m *ours) released() bool {
	isAdapter, _ := path.Match("adapters/*", m.dir)
	return m.dir == "." || isAdapter
}

// tag is how Go names a version of a module that is in a folder of its repository.
func (m *ours) tag(version string) string { return path.Join(m.dir, version) }

// repository has the modules of a folder, the core first, then by folder.
type repository struct {
	root    string
	modules []*ours
	byPath  map[string]*ours
}

var errNoCore = errors.New("release: the root has no go.mod")

// load reads every go.mod below the root. Fixtures are no modules of ours.
func load(root string) (*repository, error) {
	r := &repository{root: root, byPath: map[string]*ours{}}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch base := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && name != root && (base == "testdata" || base == "node_modules" || strings.ContainsAny(base[:1], "._")):
			return filepath.SkipDir
		case entry.IsDir() || base != "go.mod":
			return nil
		}
		m, err := r.read(name)
		if err != nil {
			return err
		}
		r.modules = append(r.modules, m)
		r.byPath[m.path()] = m
		return nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("release: %w", err)
	case r.core() == nil:
		return nil, errNoCore
	}
	return r, nil
}

func (r *repository) read(name string) (*ours, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Rel(r.root, filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	m := &ours{dir: filepath.ToSlash(dir)}
	if m.file, err = modfile.Parse(path.Join(m.dir, "go.mod"), data, nil); err != nil {
		return nil, err
	}
	if m.file.Module == nil {
		return nil, fmt.Errorf("%s names no module", m.name())
	}
	return m, nil
}

// core is the module in the root, and nil when there is none.
func (r *repository) core() *ours {
	for _, m := range r.modules {
		if m.dir == "." {
			return m
		}
	}
	return nil
}

// prefix is what the paths of all modules of the repository begin with: the path
// of the core, without its /v2 once it has one.
func (r *repository) prefix() string {
	prefix, _, _ := module.SplitPathVersion(r.core().path())
	return prefix
}

// isOurs reports whether a required module would be one of this repository.
func (r *repository) isOurs(required string) bool {
	return required == r.core().path() || strings.HasPrefix(required, r.prefix()+"/")
}

// pathOf is what a module in a folder must be called to be found there.
func (r *repository) pathOf(dir string) string {
	_, major, _ := module.SplitPathVersion(r.core().path())
	return path.Join(r.prefix(), dir) + major
}

// requires lists what a module requires of ours.
func (r *repository) requires(m *ours) []module.Version {
	var all []module.Version
	for _, q := range m.file.Require {
		if r.isOurs(q.Mod.Path) {
			all = append(all, q.Mod)
		}
	}
	return all
}
