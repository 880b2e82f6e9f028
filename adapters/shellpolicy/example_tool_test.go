package shellpolicy_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/shellpolicy"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// Line is what the tool run_shell is given.
type Line struct {
	BashCommand string `json:"bash_command" desc:"A command line of bash."`
}

// NewShell returns a tool that runs command lines in dir, as they were judged.
func NewShell(dir string) *desktop.FuncTool {
	run := func(ctx context.Context, in Line) (string, error) {
		cmd := exec.CommandContext(ctx, "bash", "--norc", "-c", "--", in.BashCommand)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C"} // nothing of the program's own
		cmd.WaitDelay = time.Second                          // for what it leaves in the background
		out, err := cmd.CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
		return string(out), nil
	}
	return desktop.Func(desktop.RunShell, "Run a command line of bash.", run,
		&desktop.Annotations{DestructiveHint: true})
}

// NewShellPolicy lets lines run that read in dir, and asks about every other tool
// that may destroy something.
func NewShellPolicy(dir string) (policies.Func, error) {
	lines, err := shellpolicy.New(shellpolicy.Config{
		Dir: dir, Resolve: true, // the shell runs on this machine
		Rules: []shellpolicy.Rule{
			{Command: "ls", Flags: []string{"-l"}, Args: []string{"path..."}, Paths: []string{dir}},
			{Command: "head", Flags: []string{"-n=number"}, Args: []string{"path"}, Paths: []string{dir}},
		},
	})
	if err != nil {
		return nil, err
	}
	return policies.All(lines, policies.Except(policies.AskDestructive(), desktop.RunShell)), nil
}

// A shell of one's own: what the policy lets pass, a bash gets as it is.
func Example_tool() {
	p, err := NewShellPolicy("/srv/reports")
	if err != nil {
		panic(err)
	}
	for _, cmd := range []desktop.Command{
		desktop.Shell("head -n 3 sales.csv"),
		desktop.Shell("head -n 3 /etc/passwd"),
		desktop.Shell("head -n 3 sales.csv | sh"),
		desktop.Command{ToolName: desktop.CloseApplication, Parameters: map[string]any{"id": "1"}},
	} {
		tool, _ := desktop.ToolNamed(cmd.ToolName)
		v := p(context.Background(), tool, cmd)
		fmt.Println(strings.TrimSpace(v.Action.String() + " " + v.Reason))
	}
	// Output:
	// allow
	// deny "head": the path "/etc/passwd" is not in a directory on the list
	// deny the command "sh" is not on the list
	// confirm the tool is marked as destructive
}

// The tool of the example keeps the promises that the policy needs.
func TestExampleTool(t *testing.T) {
	if _, ok := findBash(t); !ok {
		return
	}
	t.Setenv("BASH_ENV", "/nonexistent/file")
	t.Setenv("BASH_FUNC_head%%", "() { echo stolen; }")
	t.Setenv("IFS", "x")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	desk, err := desktop.New(NewShell(dir))
	require.NoError(t, err)
	for line, want := range map[string]string{
		"pwd":                              dir + "\n",
		`v=axb; echo $v`:                   "axb\n",
		"printf 'a\nb\n' | head -n 1":      "a\n",
		`echo "${BASH_ENV-} $PATH $HOME."`: " /usr/bin:/bin .\n",
		"echo gone; exit 3":                "exit status 3: gone\n",
	} {
		res, err := desk.Execute(t.Context(), desktop.Shell(line))
		require.NoError(t, err)
		assert.Equal(t, want, res.Text()+res.Error, line)
	}
	res, err := desk.Execute(t.Context(), desktop.Shell("-x"))
	require.NoError(t, err)
	assert.Contains(t, res.Error, "exit status 127", "a line, and no option of bash")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = desk.Execute(ctx, desktop.Shell("echo late"))
	require.ErrorIs(t, err, context.Canceled)
}
