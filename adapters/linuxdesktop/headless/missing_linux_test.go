package headless_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
)

func TestMissing(t *testing.T) {
	for name, c := range map[string]struct {
		programs map[string]string
		needs    []string
		says     string
	}{
		"nothing":           {nil, nil, ""},
		"Xvfb":              {map[string]string{"Xvfb": missing}, nil, "headless: not installed: Xvfb (Debian: apt-get install xvfb)"},
		"all three":         {map[string]string{"Xvfb": missing, "dbus-daemon": missing, "openbox": missing}, nil, "headless: not installed: Xvfb, dbus-daemon, openbox (Debian: apt-get install xvfb dbus openbox)"},
		"another program":   {map[string]string{"openbox": missing}, []string{"there", "elsewhere"}, "headless: not installed: elsewhere, openbox, there (Debian: apt-get install openbox)"},
		"one of no package": {nil, []string{"elsewhere", "elsewhere"}, "headless: not installed: elsewhere"},
		"one that is there": {map[string]string{"there": "exit"}, []string{"there"}, ""},
		"LibreOffice":       {nil, []string{"soffice"}, "headless: not installed: soffice (Debian: apt-get install libreoffice-writer libreoffice-calc libreoffice-gtk3)"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := machine(t, c.programs)
			err := headless.Missing(t.Context(), c.needs...)
			if c.says == "" {
				assert.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, headless.ErrMissing)
			assert.EqualError(t, err, c.says)
			if c.needs == nil {
				_, err = headless.Start(t.Context(), &headless.Options{Dir: dir})
				assert.EqualError(t, err, c.says, "Start says the same")
			}
		})
	}
}

func TestMissingAccessibility(t *testing.T) {
	machine(t, nil)
	there := os.Getenv("XDG_DATA_DIRS")
	t.Setenv("XDG_DATA_DIRS", t.TempDir()+":"+there)
	require.NoError(t, headless.Missing(t.Context()))
	t.Setenv("XDG_DATA_DIRS", t.TempDir())
	assert.EqualError(t, headless.Missing(t.Context()), "headless: not installed: AT-SPI (org.a11y.Bus.service) (Debian: apt-get install at-spi2-core)")
}

func TestMissingOffice(t *testing.T) {
	const (
		words  = "program/libswlo.so"
		sheets = "share/config/soffice.cfg/modules/scalc/ui/inputbar.ui"
		gtk    = "program/libvclplug_gtk3lo.so"
	)
	states := func(lines string) string { return "printf '" + lines + "'; exit 1" }
	for name, c := range map[string]struct {
		files []string
		query string
		says  string
	}{
		"no package manager":   {[]string{words, sheets, gtk}, missing, ""},
		"all":                  {[]string{words, sheets, gtk}, states(`libreoffice-common=ii \nlibreoffice-calc=ii \n`), ""},
		"on hold":              {[]string{words, sheets, gtk}, states(`libreoffice-common=ii \nlibreoffice-calc=hi \n`), ""},
		"no Calc":              {[]string{words, gtk}, missing, "libreoffice-calc (Debian: apt-get install libreoffice-calc)"},
		"no Writer and no GTK": {[]string{sheets}, missing, "libreoffice-gtk3, libreoffice-writer (Debian: apt-get install libreoffice-gtk3 libreoffice-writer)"},
		"replaced":             {[]string{words, sheets, gtk}, states(`libreoffice-common=ii \nlibreoffice-calc=rc \n`), "libreoffice-calc (Debian: apt-get install libreoffice-calc)"},
		"half installed":       {[]string{words, gtk}, states(`libreoffice-common=ii \nlibreoffice-calc=iU \n`), "libreoffice-calc (Debian: apt-get install libreoffice-calc)"},
		"never installed":      {[]string{words, sheets, gtk}, states(`libreoffice-common=ii \n`), "libreoffice-calc (Debian: apt-get install libreoffice-calc)"},
		"not Debian's":         {[]string{words, sheets, gtk}, states(""), ""},
	} {
		t.Run(name, func(t *testing.T) {
			machine(t, map[string]string{"dpkg-query": c.query})
			office := t.TempDir()
			for _, file := range append(c.files, "program/soffice") {
				path := filepath.Join(office, file)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
				require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700))
			}
			require.NoError(t, os.Symlink(filepath.Join(office, "program", "soffice"), filepath.Join(os.Getenv("PATH"), "soffice")))
			err := headless.Missing(t.Context(), "soffice")
			if c.says == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorIs(t, err, headless.ErrMissing)
			assert.EqualError(t, err, "headless: not installed: "+c.says)
		})
	}
}

// A package manager that does not answer keeps nobody waiting.
func TestMissingHonoursItsContext(t *testing.T) {
	begun := filepath.Join(t.TempDir(), "begun")
	machine(t, map[string]string{"soffice": "exit", "dpkg-query": "echo >" + begun + "; exec /bin/sleep 1000"})
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(begun); err == nil {
				cancel(errGone)
			}
		}
	}()
	err := headless.Missing(ctx, "soffice")
	assert.ErrorIs(t, err, errGone)
	assert.NotErrorIs(t, err, headless.ErrMissing)
}
