//go:build unix

package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// What the policy lets run shows nothing of what is outside of the folder when a
// real bash runs it, and what it asks about would.
func TestPolicyAgainstBash(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	require.NoError(t, err, "the example needs bash")
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	dir, private := filepath.Join(root, "work"), filepath.Join(root, "private")
	for _, d := range []string{filepath.Join(dir, "sub"), private} {
		require.NoError(t, os.MkdirAll(d, 0o700))
	}
	for name, text := range map[string]string{
		"work/a.csv": "north,1\nsouth,2\n", "work/sub/b.csv": "x\n", "private/secret-name": "secret-word\n", "private/secret-other": "secret-word\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	require.NoError(t, os.Symlink(private, filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink(filepath.Join(private, "secret-name"), filepath.Join(dir, "c.csv")))
	judge, err := newPolicy(dir, "a.xlsx")
	require.NoError(t, err)
	tool, _ := desktop.ToolNamed(desktop.RunShell)
	run := func(line string) string {
		cmd := exec.CommandContext(t.Context(), bash, "--noprofile", "--norc", "-c", line)
		cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
		out, _ := cmd.CombinedOutput() // some fail, and say too much in doing so
		return string(out)
	}
	for _, line := range []string{
		`printf '%s//' ./*`, `printf '%s//' ./*.csv ./sub/*`, `for f in ./*; do printf '%s//' "$f"; done`, `ls -1p`, `ls -a .`, `ls ./sub`, `cat ./a.csv`,
		`head -n 1 -- ./a.csv ./sub/b.csv`, `tail -c +2 ./a.csv`, `wc -lc -- ./a.csv`, `cut -d, -f2 ./a.csv | sort -rn`, `sort -t , -k 2 ./a.csv`,
		`grep -c 'secret-wor[d]' ./a.csv`, `grep -l north ./a.csv ./sub/b.csv`, `printf '%s//' abc | tr abc def`, `for f in ./s*; do tr a "$f"; done`,
		`test -f ./a.csv && printf '\n'`, `sort ./a.csv | uniq -c`,
	} {
		v := judge(t.Context(), tool, desktop.Shell(line))
		assert.Equal(t, policies.Allow, v.Action, "%q: %s", line, v.Reason)
		assert.NotContains(t, run(line), "secret-n", line)
	}
	for _, line := range []string{
		`printf '%s//' @/*`, `printf '%s//' ../private/*`, `printf '%s//' ./link/*`, `printf '%s//' ./*/*`, `printf '%s//' ./../private/s*`,
		`for f in @/*; do printf '%s//' "$f"; done`, `for f in ./link/*; do printf '%s//' "$f"; done`, `for f in @; do printf '%s//' "$f"/*; done`,
		`for f in @/*; do cut -f "$f" ./a.csv; done`, `for f in @/*; do sort -k "$f" ./a.csv; done`,
		`for f in @/*; do sort -t "$f" ./a.csv; done`, `ls @`, `ls -- ./link/`, `ls -R ./link/.`, `ls -1 ../private`,
		`cat ./c.csv`, `cat ./*.csv`, `cat @/secret-name`, `cat -- ./link/secret-name`, `head -n 1 -- ./c.csv`, `cat < @/secret-name`, `cat <./c.csv`, `wc ./link/*`,
		`sort ./c.csv`, `grep -h secret ./c.csv`, `grep -l . ./link/secret-name`, `cut -c1-20 ./c.csv`, `printf '%s\0' ./link/secret-name | wc --files0-from=-`,
		`sort --files0-from=<(printf '%s\0' ./c.csv)`, `tail -n 1 -q ./c.csv`, `uniq ./c.csv`, `grep -f ./c.csv ./c.csv`, `test -f @/secret-name && printf secret-n`,
	} {
		line = strings.ReplaceAll(line, "@", private)
		v := judge(t.Context(), tool, desktop.Shell(line))
		assert.Equal(t, policies.Confirm, v.Action, "%q", line)
		out := run(line)
		assert.True(t, strings.Contains(out, "secret-n") || strings.Contains(out, "secret-w"), "%q is harmless: %q", line, out)
	}
}
