package headless_test

import (
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
			err := headless.Missing(c.needs...)
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
	require.NoError(t, headless.Missing())
	t.Setenv("XDG_DATA_DIRS", t.TempDir())
	assert.EqualError(t, headless.Missing(), "headless: not installed: AT-SPI (org.a11y.Bus.service) (Debian: apt-get install at-spi2-core)")
}

func TestMissingOffice(t *testing.T) {
	const (
		words  = "program/libswlo.so"
		sheets = "share/config/soffice.cfg/modules/scalc/ui/inputbar.ui"
		gtk    = "program/libvclplug_gtk3lo.so"
	)
	for name, c := range map[string]struct {
		files []string
		says  string
	}{
		"all":                  {[]string{words, sheets, gtk}, ""},
		"no Calc":              {[]string{words, gtk}, "libreoffice-calc (Debian: apt-get install libreoffice-calc)"},
		"no Writer and no GTK": {[]string{sheets}, "libreoffice-gtk3, libreoffice-writer (Debian: apt-get install libreoffice-gtk3 libreoffice-writer)"},
	} {
		t.Run(name, func(t *testing.T) {
			machine(t, nil)
			office := t.TempDir()
			for _, file := range append(c.files, "program/soffice") {
				path := filepath.Join(office, file)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
				require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700))
			}
			require.NoError(t, os.Symlink(filepath.Join(office, "program", "soffice"), filepath.Join(os.Getenv("PATH"), "soffice")))
			err := headless.Missing("soffice")
			if c.says == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorIs(t, err, headless.ErrMissing)
			assert.EqualError(t, err, "headless: not installed: "+c.says)
		})
	}
}
