package program

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// What only reads files in the folder runs; everything else is asked about, or
// refused where it cannot be read at all.
func TestPolicy(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	judge, err := newPolicy(dir, filepath.Join(dir, "a.xlsx"))
	require.NoError(t, err)
	tool, _ := desktop.ToolNamed(desktop.RunShell)
	for action, lines := range map[policies.Action][]string{
		policies.Allow: {
			`printf '%s//' ./*.[cC][sS][vV] | tail -c +1 | head -c 300`,
			`for f in './a.csv' './it'\''s.csv'; do test -f "$f" && head -n 1 -- "$f" | head -c 300 | tr -d '\n'; printf '\n'; done`,
			`grep -hcF '"' './a.csv' './it'\''s.csv' | cat`, `grep -l north ./a.csv`,
			`ls -l`, `ls -1 .`, `wc -l ./a.csv`, `cut -d, -f3 -- ./a.csv | sort -n | uniq -c | tail -n 1`,
			`printf '%s//' ./*`, `for f in ./*.csv; do printf '%s//' "$f"; done`, `grep -c 'a.*b' ./a.csv`, `cut -d ';' -f 1 ./a.csv`,
			`cat ./a.csv 2>/dev/null`, `grep -c north ./a.csv`, `head -n 1 ./a.csv; tail -n +2 a.csv`,
		},
		policies.Confirm: {
			`awk '{ print }' ./a.csv`, `awk 'BEGIN { system("id") }'`, `sed -n 1p ./a.csv`, `find . -delete`, `rm ./a.csv`,
			`cat /etc/passwd`, `cat ../secret.csv`, `head -n 1 ~/secret`, `ls ..`, `ls /`, `cat ./a.csv > b.csv`, `sort -o ./a.csv ./b.csv`,
			`grep -e root /etc/passwd`, `grep -f /etc/passwd ./a.csv`, `grep -r x .`, `grep x /etc/passwd`,
			`sort --compress-program=./x ./a.csv`, `uniq ./a.csv ./b.csv`, `tail -f ./a.csv`, `test -v 'a[$(id)]'`, `printf -v x '%s//'`, `printf '%d'  1`,
			// Names of other files, wherever a wildcard stands.
			`printf '%s//' /etc/*`, `for f in /home/*/.ssh/*; do printf '%s//' "$f"; done`, `printf '%s//' ../*`, `printf '%s//' ./../*`,
			`printf '%s//' ./*/*`, `printf '%s//' ./*/.`, `printf '%s//' ~/*`, `printf '%s//' ./[/]etc/*`, `printf '%s//' ././/../*`, `printf '%s//' ./a.csv /*`,
			`for f in ./a.csv; do printf '%s//' "$f"/../../*; done`, `for f in /etc; do printf '%s//' "$f"/*; done`, `for f in /etc/*; do printf '\n'; done`,
			`for f in /etc/p*; do printf '%s//' abc | tr abc "$f"; done`, `tr a /etc/passw?`, `for f in /etc/p*; do sort -t "$f" ./a.csv; done`,
			`for f in /etc/p*; do cut -f "$f" ./a.csv; done`, `grep -c /etc/p* ./a.csv`,
			// Other files, behind options, in redirections, by options that take one.
			`cat -- /etc/passwd`, `head -n 1 -- ./a.csv /etc/passwd`, `ls -l -- /`, `ls -R /`, `ls -R .`, `ls ./a.csv ..`, `wc -l < /etc/passwd`, `cat 0</etc/passwd`,
			`cat <> /etc/passwd`, `cat < ./a.csv`, `wc --files0-from=/etc/passwd`, `wc --files0-from=-`, `sort ./a.csv -o ./b.csv`, `sort -nro./b.csv ./a.csv`,
			`sort -T /tmp ./a.csv`, `sort --files0-from=/etc/passwd`, `sort -S 1 ./a.csv`, `cut --output-delimiter=/ -d, -f1 ./a.csv`, `head --bytes=9 /etc/passwd`,
			`tail --pid=1 -n 1 ./a.csv`, `tail -n +1f ./a.csv`, `grep -cf /etc/passwd ./a.csv`, `grep -c -- x /etc/passwd`, `grep --file=/etc/passwd ./a.csv`,
			`test -f ./a.csv -o -f /etc/passwd`, `test -f /etc/passwd`, `uniq -c /etc/passwd`, `uniq -f1`, `cat ./*.csv`, `ls ./*`,
			`cat $(id)`, "cat `id`", `cat $HOME`, `PATH=. ls`, `g=1; ls`, `ls & ls`, `cd ..; ls`, `eval ls`, `exec ls`, `bash -c ls`, `./ls`, `/bin/ls`,
			`echo $((a[$(id)]))`, `for f in *; do cat "$f"; done`, `cat < /etc/passwd`, `cat <(id)`, `ls() { id; }; ls`, `setsid sleep 1000`, `curl example.com`,
		},
		policies.Deny: {"ls 'a", "ls \x1b[2J", "ls \u202e", "ls \r", "ls \xff"},
	} {
		for _, line := range lines {
			got := judge(t.Context(), tool, desktop.Shell(line))
			assert.Equal(t, action, got.Action, "%q: %s", line, got.Reason)
		}
	}

	save := desktop.Command{ToolName: "save_workbook"}
	assert.Equal(t, policies.Allow, judge(t.Context(), desktop.Tool{Name: "save_workbook"}, save).Action)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.xlsx"), nil, 0o600))
	assert.Equal(t, policies.Confirm, judge(t.Context(), desktop.Tool{Name: "save_workbook"}, save).Action)
}
