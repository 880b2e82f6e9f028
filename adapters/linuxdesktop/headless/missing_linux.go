package headless

import (
	"cmp"
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

func missing(programs []string) error {
	var lacks []string
	for _, name := range slices.Concat([]string{"Xvfb", "dbus-daemon", "openbox"}, programs) {
		path, err := exec.LookPath(name)
		switch {
		case err != nil:
			lacks = append(lacks, name)
		case name == "soffice":
			lacks = append(lacks, office(path)...)
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

// office lists the packages that the LibreOffice of that path lacks. A package of Debian that ends in -nogui has the program and
// not what its windows are made of.
func office(path string) (lacks []string) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	for name, file := range map[string]string{
		writer: "program/libswlo.so",
		calc:   "share/config/soffice.cfg/modules/scalc/ui/inputbar.ui",
		plugin: "program/libvclplug_gtk3lo.so",
	} {
		if !exists(filepath.Join(filepath.Dir(filepath.Dir(path)), file)) {
			lacks = append(lacks, name)
		}
	}
	return lacks
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
