package headless

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// packages are those of Debian, by what is looked for.
var packages = map[string]string{
	"Xvfb": "xvfb", "dbus-daemon": "dbus", "openbox": "openbox", accessibility: "at-spi2-core",
	"soffice": writer + " " + calc + " " + plugin, writer: writer, calc: calc, plugin: plugin,
}

// What is looked for that is no program of the PATH.
const (
	accessibility = "AT-SPI (org.a11y.Bus.service)"
	writer        = "libreoffice-writer"
	calc          = "libreoffice-calc"
	plugin        = "libreoffice-gtk3"
)

func missing(ctx context.Context, programs []string) error {
	var lacks []string
	for _, name := range slices.Concat([]string{"Xvfb", "dbus-daemon", "openbox"}, programs) {
		path, err := exec.LookPath(name)
		switch {
		case err != nil:
			lacks = append(lacks, name)
		case name == "soffice":
			of, err := office(ctx, path)
			if err != nil {
				return err
			}
			lacks = append(lacks, of...)
		}
	}
	if !accessible() {
		lacks = append(lacks, accessibility)
	}
	if len(lacks) == 0 {
		return nil
	}
	slices.Sort(lacks)
	lacks = slices.Compact(lacks)
	var install []string
	for _, name := range lacks {
		if p := packages[name]; p != "" {
			install = append(install, p)
		}
	}
	text := strings.Join(lacks, ", ")
	if len(install) > 0 {
		text += " (Debian: apt-get install " + strings.Join(install, " ") + ")"
	}
	return fmt.Errorf("%w: %s", ErrMissing, text)
}

// accessible reports whether the bus can start AT-SPI. It looks for the service where
// dbus-daemon does.
func accessible() bool {
	data := cmp.Or(os.Getenv("XDG_DATA_DIRS"), "/usr/local/share:/usr/share")
	return slices.ContainsFunc(filepath.SplitList(data), func(dir string) bool {
		return exists(filepath.Join(dir, "dbus-1", "services", "org.a11y.Bus.service"))
	})
}

// office lists the packages that the LibreOffice of that path lacks. A package of Debian
// that ends in -nogui has the program and not what its windows are made of.
func office(ctx context.Context, path string) ([]string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("headless: %w", err)
	}
	folder := filepath.Dir(filepath.Dir(path))
	var lacks []string
	for name, file := range map[string]string{
		writer: "program/libswlo.so",
		calc:   "share/config/soffice.cfg/modules/scalc/ui/inputbar.ui",
		plugin: "program/libvclplug_gtk3lo.so",
	} {
		if !exists(filepath.Join(folder, file)) {
			lacks = append(lacks, name)
		}
	}
	installed, err := calcInstalled(ctx)
	if err == nil && !installed {
		lacks = append(lacks, calc)
	}
	return lacks, err
}

// calcInstalled asks the package manager, which knows that a package is half installed or
// about to be replaced. It is true where LibreOffice is not Debian's.
func calcInstalled(ctx context.Context) (bool, error) {
	query, err := exec.LookPath("dpkg-query")
	if err != nil {
		return true, nil //nolint:nilerr // a system without it has no such packages
	}
	out, err := exec.CommandContext(ctx, query, "-W", "-f=${Package}=${db:Status-Abbrev}\n", "libreoffice-common", calc).Output()
	if ctx.Err() != nil {
		return false, fmt.Errorf("headless: %w", context.Cause(ctx))
	}
	var unknown *exec.ExitError // dpkg-query fails when it does not know one of them
	if err != nil && !errors.As(err, &unknown) {
		return false, fmt.Errorf("headless: %w", err)
	}
	states := map[string]string{}
	for line := range bytes.Lines(out) {
		name, state, _ := strings.Cut(string(line), "=")
		states[name] = strings.TrimSpace(state)
	}
	installed := func(name string) bool { return strings.HasSuffix(states[name], "i") } // "ii", or "hi" if it is held
	return !installed("libreoffice-common") || installed(calc), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
