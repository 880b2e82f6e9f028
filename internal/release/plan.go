package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// plan is a release: the core and the adapters with one version, each after those
// that it requires.
type plan struct {
	repository *repository
	version    string
	modules    []*ours
}

// A requireError is a go.mod that asks for what the release does not have.
type requireError struct {
	File    string // such as adapters/mcp/go.mod
	Require module.Version
	Why     string
}

func (e *requireError) Error() string {
	return fmt.Sprintf("release: %s requires %s, %s", e.File, e.Require, e.Why)
}

// A moduleError is a go.mod that cannot be released as it is.
type moduleError struct {
	File string // such as adapters/mcp/go.mod
	Why  string
}

func (e *moduleError) Error() string { return fmt.Sprintf("release: %s: %s", e.File, e.Why) }

var errNoVersion = errors.New("release: no module requires another one of the repository, so none names a version")

// planOf reads the release from the go.mod files. Its error joins everything that
// is wrong with them.
func planOf(root string) (*plan, error) {
	r, err := load(root)
	if err != nil {
		return nil, err
	}
	p := &plan{repository: r, version: r.version()}
	if p.version == "" {
		return nil, errNoVersion
	}
	if err := checkVersion(r.core(), p.version); err != nil {
		return nil, err
	}
	var errs []error
	for _, m := range r.modules {
		errs = append(errs, p.names(m), p.asks(m), p.replaces(m))
	}
	errs = append(errs, p.order())
	return p, errors.Join(errs...)
}

// version is what most go.mod files ask for; of two that are equally frequent, the
// older one.
func (r *repository) version() string {
	asked := map[string]int{}
	for _, m := range r.modules {
		for _, q := range r.requires(m) {
			asked[q.Version]++
		}
	}
	versions := slices.SortedFunc(maps.Keys(asked), func(a, b string) int {
		return cmp.Or(cmp.Compare(asked[b], asked[a]), semver.Compare(a, b))
	})
	if len(versions) == 0 {
		return ""
	}
	return versions[0]
}

// names checks that the module is called as a tag of its folder needs it.
func (p *plan) names(m *ours) error {
	if want := p.repository.pathOf(m.dir); m.path() != want {
		return &moduleError{m.name(), fmt.Sprintf("the module is called %s; in this folder it must be %s", m.path(), want)}
	}
	return nil
}

// asks checks that everything that the module requires of ours is in the release.
func (p *plan) asks(m *ours) error {
	var errs []error
	for _, q := range p.repository.requires(m) {
		required := p.repository.byPath[q.Path]
		switch {
		case required == nil:
			errs = append(errs, &requireError{m.name(), q, "and there is no such module"})
		case m.released() && !required.released():
			errs = append(errs, &requireError{m.name(), q, "which is never released"})
		case q.Version != p.version:
			errs = append(errs, &requireError{m.name(), q, "which is not tagged: the release is " + p.version})
		}
	}
	return errors.Join(errs...)
}

// replaces checks that a build here takes what it requires of ours from here.
func (p *plan) replaces(m *ours) error {
	var errs []error
	if m.dir == "." && len(m.file.Replace) > 0 {
		errs = append(errs, &moduleError{m.name(), "the core has a replace, which does not reach its users"})
	}
	for _, q := range p.repository.requires(m) {
		required := p.repository.byPath[q.Path]
		if required == nil {
			continue // an error already
		}
		here := slices.ContainsFunc(m.file.Replace, func(to *modfile.Replace) bool {
			return to.Old == module.Version{Path: q.Path} && to.New.Version == "" && path.Join(m.dir, to.New.Path) == required.dir
		})
		if !here {
			errs = append(errs, &moduleError{m.name(), fmt.Sprintf("%s is not replaced by its folder, %s", q.Path, required.dir)})
		}
	}
	return errors.Join(errs...)
}

// order puts each module after those that it requires.
func (p *plan) order() error {
	const begun, done = 1, 2
	state := map[*ours]int{}
	var visit func(*ours) error
	visit = func(m *ours) error {
		switch state[m] {
		case begun:
			return &moduleError{m.name(), "it requires itself, through others"}
		case done:
			return nil
		}
		state[m] = begun
		for _, q := range p.repository.requires(m) {
			required := p.repository.byPath[q.Path]
			if required == nil || !required.released() {
				continue // an error already
			}
			if err := visit(required); err != nil {
				return err
			}
		}
		state[m] = done
		p.modules = append(p.modules, m)
		return nil
	}
	for _, m := range p.repository.modules {
		if !m.released() {
			continue
		}
		if err := visit(m); err != nil {
			return err
		}
	}
	return nil
}
