package realpartstest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// install.sh desktop asks the package manager for what is missing, and only then.
func TestInstallDesktop(t *testing.T) {
	const all = "xvfb openbox dbus at-spi2-core fonts-dejavu fonts-liberation libreoffice-writer libreoffice-calc libreoffice-gtk3 mousepad featherpad xfce4-terminal galculator thunar poppler-utils chromium chromium-sandbox"
	for name, c := range map[string]struct {
		states string // of packages that are not there; all others are
		files  string // of libreoffice-calc
		user   string
		calls  string // of apt-get
		says   string
	}{
		"all there":       {"", "/bin/sh", "0", "", ""},
		"replaced":        {"libreoffice-calc) printf 'rc ';;", "/bin/sh", "0", "install libreoffice-calc", ""},
		"a file lost":     {"", "/nowhere/modules/scalc/ui/inputbar.ui", "0", "install --reinstall libreoffice-calc", ""},
		"the file there":  {"", "$0/../modules/scalc/ui/inputbar.ui", "0", "", ""},
		"none there":      {"*) exit 1;;", "/bin/sh", "0", "install " + all, ""},
		"one on hold":     {"dbus) printf 'hi ';;", "/bin/sh", "0", "", ""},
		"half installed":  {"xvfb) printf 'iU ';;", "/bin/sh", "0", "install xvfb", ""},
		"no right to":     {"mousepad) exit 1;;", "/bin/sh", "1000", "", "packages are missing: apt-get install mousepad"},
		"right not asked": {"", "/bin/sh", "1000", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			script, err := os.ReadFile("../install.sh")
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "install.sh"), script, 0o600))
			bin := filepath.Join(dir, "bin")
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "modules", "scalc", "ui"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "modules", "scalc", "ui", "inputbar.ui"), nil, 0o600))
			require.NoError(t, os.Mkdir(bin, 0o700))
			for _, tool := range []string{"sh", "dirname", "flock", "grep", "xargs", "ls"} {
				if path, err := exec.LookPath(tool); err == nil {
					require.NoError(t, os.Symlink(path, filepath.Join(bin, tool)))
				}
			}
			for tool, does := range map[string]string{
				"id": "echo " + c.user,
				"dpkg-query": "case $1 in -L) echo " + strings.Replace(c.files, "$0/..", dir, 1) + ";; *) shift 2; case $1 in " +
					c.states + " *) printf 'ii ';; esac;; esac",
				"apt-get": `for word; do case $word in DPkg*|-o|-y|-qq|--no-install-recommends) ;; *) printf '%s ' "$word";; esac; done >>` + dir + "/calls",
			} {
				require.NoError(t, os.WriteFile(filepath.Join(bin, tool), []byte("#!/bin/sh\n"+does+"\n"), 0o700))
			}
			cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "sh"), filepath.Join(dir, "install.sh"), "desktop")
			cmd.Env = []string{"PATH=" + bin}
			out, err := cmd.CombinedOutput()
			assert.Equal(t, c.says == "", err == nil)
			if c.says == "" {
				assert.Empty(t, string(out))
			} else {
				assert.Equal(t, "internal/lab/realparts: "+c.says+"\n", string(out))
			}
			calls, _ := os.ReadFile(filepath.Join(dir, "calls"))
			want := ""
			if c.calls != "" {
				want = "update " + c.calls
			}
			assert.Equal(t, want, strings.TrimSpace(string(calls)))
		})
	}
}
