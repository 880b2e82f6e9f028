package shellpolicy_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/shellpolicy"
	"github.com/agentfsm/agentfsm/policies"
)

// findBash returns a bash that is new enough. Without one there is nothing to
// compare with: that is an error where tests are run for everybody.
func findBash(t testing.TB) (bash string, ok bool) {
	t.Helper()
	why := "Windows has none that is the machine's own"
	if runtime.GOOS != "windows" {
		bash, err := exec.LookPath("bash")
		if err == nil {
			err = exec.CommandContext(t.Context(), bash, "-c", "(( BASH_VERSINFO[0] >= 4 ))").Run()
		}
		if err == nil {
			return bash, true
		}
		why = err.Error()
	}
	if os.Getenv("CI") != "" && runtime.GOOS == "linux" {
		require.Fail(t, "bash 4 or later is needed to compare the policy with", why)
	}
	t.Logf("no bash 4 or later to compare the policy with: %s", why)
	return "", false
}

// standIns are names of programs and builtins that write down that they ran and do
// nothing else. What a policy lists is added.
const standIns = `rm sh bash dash zsh curl wget nc ssh sudo su xargs tee dd id touch mv cp ln chmod base64 python python3 perl awk sed ed vi
make git crontab sort cut find setsid watch x f
alias bg bind builtin caller cd compgen complete compopt declare dirs disown enable eval exec export fc fg getopts hash help history jobs kill let local
logout mapfile popd pushd read readarray readonly return set shift shopt source suspend times trap type typeset ulimit umask unalias unset wait
echo printf test [ true false pwd`

// stage is a bash that finds only stand-ins.
type stage struct {
	bash, dir, bin, log, env string
}

func newStage(t testing.TB, bash string) *stage {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	s := &stage{
		bash: bash, dir: filepath.Join(root, "work"), bin: filepath.Join(root, "bin"),
		log: filepath.Join(root, "log"), env: filepath.Join(root, "env"),
	}
	for _, dir := range []string{s.bin, filepath.Join(s.dir, "out"), filepath.Join(s.dir, "sub")} {
		require.NoError(t, os.MkdirAll(dir, 0o700))
	}
	for _, file := range []string{"a", "b", "data.csv", "sub/c.csv"} {
		require.NoError(t, os.WriteFile(filepath.Join(s.dir, file), []byte("x\n"), 0o600))
	}
	for name := range strings.FieldsSeq(standIns + " ls cat head tail wc grep mkdir date rsync scp tar gcc") {
		script := fmt.Sprintf("#!/bin/sh\nprintf '%%s\\n' '%s' >>'%s'\n", name, s.log)
		require.NoError(t, os.WriteFile(filepath.Join(s.bin, name), []byte(script), 0o700))
	}
	// Wrappers are the real ones: they look for what they run in the same PATH.
	for _, name := range []string{"env", "nice", "nohup", "stdbuf", "timeout"} {
		if program, err := exec.LookPath(name); err == nil {
			require.NoError(t, os.Symlink(program, filepath.Join(s.bin, name)))
		}
	}
	// A builtin that is off is looked for in PATH like any command. The rest are
	// those that only say where a loop goes on, and command.
	builtins := strings.Fields(standIns)
	builtins = builtins[slices.Index(builtins, "alias"):]
	off := "enable -n . " + strings.Join(slices.DeleteFunc(builtins, func(b string) bool { return b == "enable" }), " ") + "\nenable -n enable\n"
	require.NoError(t, os.WriteFile(s.env, []byte(off), 0o600))
	return s
}

// run executes a line and returns what ran, sorted, and what bash complained of.
// Restricted, it writes no file and runs nothing by a path.
func (s *stage) run(t testing.TB, line string, restricted bool) (ran []string, complaints string) {
	t.Helper()
	require.NoError(t, os.WriteFile(s.log, nil, 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := []string{"--noprofile", "--norc"}
	if restricted {
		args = append(args, "-r")
	}
	args = append(args, "-c", line)
	cmd := exec.CommandContext(ctx, s.bash, args...)
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=" + s.bin, "BASH_ENV=" + s.env, "HOME=/nonexistent", "LC_ALL=C.UTF-8"}
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, "%q", line)
	}
	require.NoError(t, ctx.Err(), "it did not end: %q", line)
	text, err := os.ReadFile(s.log)
	require.NoError(t, err)
	ran = strings.Fields(string(text))
	slices.Sort(ran)
	return slices.Compact(ran), stderr.String()
}

// listed are the commands that a policy lets run, by the first word.
func listed(cfg shellpolicy.Config) []string {
	var names []string
	for _, r := range cfg.Rules {
		names = append(names, strings.Fields(r.Command)[0])
	}
	return names
}

// onlyListed fails when something ran, or was looked for, that is not listed.
func onlyListed(t testing.TB, cfg shellpolicy.Config, line string, ran []string, complaints string) {
	t.Helper()
	for _, name := range ran {
		assert.Contains(t, listed(cfg), name, "%q ran %s", line, name)
	}
	for _, bad := range []string{"command not found", "restricted: cannot specify", "syntax error", "unexpected EOF", "bad substitution", "event not found"} {
		assert.NotContains(t, complaints, bad, "%q", line)
	}
}

// What the policy allows of the corpus makes a real bash run nothing else.
func TestBashAgrees(t *testing.T) {
	bash, ok := findBash(t)
	if !ok {
		return
	}
	s := newStage(t, bash)
	configs := readPolicies(t, s.dir)
	ranAny := 0
	for _, c := range readCorpus(t) {
		cfg := configs[c.policy]
		p, err := shellpolicy.New(cfg)
		require.NoError(t, err)
		line := place(c.line, s.dir)
		if judge(t, p, line).Action != policies.Allow {
			continue
		}
		ran, complaints := s.run(t, line, false)
		onlyListed(t, cfg, line, ran, complaints)
		if len(ran) > 0 {
			ranAny++
		}
	}
	assert.Greater(t, ranAny, 30, "the stand-ins run")
}

// The stage sees what it is there to see.
func TestStage(t *testing.T) {
	bash, ok := findBash(t)
	if !ok {
		return
	}
	s := newStage(t, bash)
	for line, want := range map[string][]string{
		`r'm' x; $'\x69d' | ls`:  {"id", "ls", "rm"},
		`eval ls`:                {"eval"},
		`echo "$(rm x)"`:         {"echo", "rm"},
		`nice -n 5 env A=b rm x`: {"rm"},
		`command rm x`:           {"rm"},
		`cd /; kill -9 1`:        {"cd", "kill"},
	} {
		ran, _ := s.run(t, line, false)
		assert.Equal(t, want, ran, line)
		ran, _ = s.run(t, line, true)
		assert.Equal(t, want, ran, line)
	}
	_, complaints := s.run(t, "nosuchthing", false)
	assert.Contains(t, complaints, "command not found")
	_, complaints = s.run(t, "/bin/ls", true)
	assert.Contains(t, complaints, "restricted: cannot specify")
}

// linked returns a directory with a file and with a link that leads out of it.
func linked(t testing.TB) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	dir := filepath.Join(root, "dir")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(root, "file"), nil, 0o600))
	require.NoError(t, os.Symlink(root, filepath.Join(dir, "out")))
	return dir
}
