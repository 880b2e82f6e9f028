package shellpolicy_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/shellpolicy"
	"github.com/agentfsm/agentfsm/policies"
)

// secret is what is in every file outside.
const secret = "what nobody may read"

// jail is a real bash with real programs, in a directory that has a secret beside it.
// Links to the secret stand where a line leads that is read in another way than the
// policy reads it.
type jail struct{ bash, root, dir, bin string }

func newJail(t *testing.T, bash string) *jail {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	j := &jail{bash: bash, root: root, dir: filepath.Join(root, "work"), bin: filepath.Join(root, "bin")}
	for _, name := range []string{"bin", "work/out", "work/sub", "work/file:/srv/trusted", "outside"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, name), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "outside", "passwd"), []byte(secret), 0o600))
	for _, name := range []string{
		"a", "b", "a.csv", "data.csv", "sub/c.csv", "what?.txt", "a*b.txt", "x?y", "report [1].txt", "x[y", "cost$.csv", "$5.txt", "100%x%.csv",
		"a:b.txt", "ab:c.txt", "out/10:30.log", "+2", "-n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(j.dir, name), []byte("mine\n"), 0o600))
	}
	for _, name := range []string{"whatX.txt", "aXb.txt", "xXy", "report 1.txt", ".txt", "cost.txt", "~"} {
		require.NoError(t, os.Symlink(filepath.Join(root, "outside", "passwd"), filepath.Join(j.dir, name)))
	}
	for name := range strings.FieldsSeq("cat head tail wc sort cut grep ls mkdir find date sed env nice nohup stdbuf timeout true") {
		if program, err := exec.LookPath(name); assert.NoError(t, err) {
			require.NoError(t, os.Symlink(program, filepath.Join(j.bin, name)))
		}
	}
	for name := range strings.FieldsSeq("rsync scp tar git gcc bash dash python3 perl make awk ed x") {
		require.NoError(t, os.WriteFile(filepath.Join(j.bin, name), []byte("#!/bin/sh\n"), 0o700))
	}
	return j
}

// run executes a line and returns what it wrote, and which files it changed.
func (j *jail) run(t *testing.T, line string) (output string, changed []string) {
	t.Helper()
	before := j.files(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, j.bash, "--noprofile", "--norc", "-c", line)
	cmd.Dir, cmd.WaitDelay = j.dir, time.Second
	cmd.Env = []string{"PATH=" + j.bin, "HOME=" + filepath.Join(j.root, "outside"), "LC_ALL=C.UTF-8"}
	text, err := cmd.CombinedOutput()
	if err != nil {
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, "%q", line)
	}
	require.NoError(t, ctx.Err(), "it did not end: %q", line)
	after := j.files(t)
	for name, is := range after {
		if before[name] != is {
			changed = append(changed, name)
		}
	}
	for name := range before {
		if _, there := after[name]; !there {
			changed = append(changed, name)
		}
	}
	return string(text), changed
}

// files are all files of the jail and around it, with what is in them.
func (j *jail) files(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(j.root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 && strings.HasPrefix(name, j.bin) {
			return err
		}
		files[name] = entry.Type().String()
		if entry.Type().IsRegular() {
			text, err := os.ReadFile(name)
			files[name] += string(text)
			return err
		}
		return nil
	}))
	return files
}

func within(name string, dirs []string) bool {
	for _, dir := range dirs {
		if name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/") {
			return true
		}
	}
	return false
}

// What the policy allows of the corpus makes a real bash, with real programs, read
// nothing outside of the roots and write nothing outside of those for writing.
func TestBashStaysInside(t *testing.T) {
	bash, ok := findBash(t)
	if !ok {
		return
	}
	j := newJail(t, bash)
	configs := readPolicies(t, j.dir)
	wrote, read := 0, 0
	for _, c := range readCorpus(t) {
		cfg := configs[c.policy]
		p, err := shellpolicy.New(cfg)
		require.NoError(t, err)
		line := place(c.line, j.dir)
		if judge(t, p, line).Action != policies.Allow {
			continue
		}
		output, changed := j.run(t, line)
		assert.NotContains(t, output, secret, "%q", line)
		assert.NotContains(t, output, "root:", "%q", line)
		writable := cfg.Writes
		for _, rule := range cfg.Rules {
			if rule.Command == "mkdir" {
				writable = append(writable, rule.Paths...)
			}
		}
		for _, name := range changed {
			assert.True(t, within(name, writable), "%q changed %s", line, name)
			wrote++
		}
		if strings.Contains(output, "mine") {
			read++
		}
	}
	assert.Greater(t, read, 15, "the programs read")
	assert.Greater(t, wrote, 3, "the programs write")
}

// The jail sees what it is there to see.
func TestJail(t *testing.T) {
	bash, ok := findBash(t)
	if !ok {
		return
	}
	j := newJail(t, bash)
	for _, line := range []string{"cat what?.txt", "cat report\\ [1].txt", "cat ../outside/*", "cat ~/passwd", "cat cost$5.txt", `cat "$5.txt"`, "cat < ./\\~"} {
		output, changed := j.run(t, line)
		assert.Contains(t, output, secret, line)
		assert.Empty(t, changed, line)
	}
	for line, name := range map[string]string{"echo x > ../outside/new": "outside/new", "echo x > file:/srv/trusted/x.sh": "work/file:/srv/trusted/x.sh", "echo >> ./\\~": "outside/passwd"} {
		_, changed := j.run(t, line)
		assert.Equal(t, []string{filepath.Join(j.root, name)}, changed, line)
	}
}

// Names that somebody may read as something else than a name: with Resolve they are
// the files that bash opens, so a link under the very name is seen. The class is that
// of names with two readings.
func TestResolveFollowsTheNameThatBashOpens(t *testing.T) {
	bash, ok := findBash(t)
	if !ok {
		return
	}
	j := newJail(t, bash)
	p, err := shellpolicy.New(shellpolicy.Config{
		Dir: j.dir, Reads: []string{j.dir}, Writes: []string{j.dir}, Resolve: true,
		Rules: []shellpolicy.Rule{{Command: "cat", Args: []string{"path..."}, Paths: []string{j.dir}}},
	})
	require.NoError(t, err)
	inside := filepath.Join(j.dir, "data.csv")
	for i, name := range []string{
		"file:" + inside, "file://" + inside, "FILE:" + inside, "file://localhost" + inside, "https:" + inside, "C:" + inside, "evil.example:" + inside,
		"evil:x", "u@evil:y", "[v6]::mod", "if=" + inside, "of=z", "@" + inside, "@opts", "what*ever", "a?c", "$HOME", "%HOME%", "a;" + inside, "a:" + inside,
	} {
		for _, linked := range []bool{false, true} {
			full := filepath.Join(j.dir, name)
			require.NoError(t, os.RemoveAll(full))
			require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o700))
			if linked {
				require.NoError(t, os.Symlink(filepath.Join(j.root, "outside", "passwd"), full))
			} else {
				require.NoError(t, os.WriteFile(full, []byte("mine\n"), 0o600), "%d", i)
			}
			for _, written := range []string{name, "./" + name, j.dir + "/" + name} {
				for _, line := range []string{"cat '" + written + "'", "cat < '" + written + "'"} {
					v := judge(t, p, line)
					switch {
					case linked:
						assert.Equal(t, policies.Deny, v.Action, line)
					case written != name:
						assert.Equal(t, policies.Allow, v.Action, "%s: %s", line, v.Reason)
					}
					output, _ := j.run(t, line)
					assert.Equal(t, linked, strings.Contains(output, secret), "%s: %s", line, output)
				}
			}
		}
	}
}
