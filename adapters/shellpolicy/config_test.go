package shellpolicy_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/shellpolicy"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

func rules(list ...shellpolicy.Rule) shellpolicy.Config { return shellpolicy.Config{Rules: list} }

// A configuration that means nothing, or everything, is no policy.
func TestNewRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		cfg  shellpolicy.Config
		says string
	}{
		"no command":          {rules(shellpolicy.Rule{}), `Rules[0].Command: ""`},
		"no ASCII":            {rules(shellpolicy.Rule{Command: "сat"}), "is no name of a command"},
		"a pattern":           {rules(shellpolicy.Rule{Command: "l*"}), "is no name of a command"},
		"eval":                {rules(shellpolicy.Rule{Command: "true"}, shellpolicy.Rule{Command: "eval"}), "Rules[1].Command"},
		"cd":                  {rules(shellpolicy.Rule{Command: "cd", Args: []string{"path"}, Paths: []string{"/"}}), "cannot be judged"},
		"a keyword":           {rules(shellpolicy.Rule{Command: "if"}), "cannot be judged"},
		"a shell":             {rules(shellpolicy.Rule{Command: "bash", AnyArgs: true}), "runs what it is given"},
		"a script of any":     {rules(shellpolicy.Rule{Command: "bash -c", Args: []string{"any"}}), "runs what it is given"},
		"a script from stdin": {rules(shellpolicy.Rule{Command: "/bin/sh"}), "runs what it is given"},
		"a version":           {rules(shellpolicy.Rule{Command: "python3.13", Args: []string{"any..."}}), "runs what it is given"},
		"a script that may be missing": {
			rules(shellpolicy.Rule{Command: "sh", Args: []string{"=x.sh?"}, Flags: []string{"-e"}}), "runs what it is given",
		},
		"xargs":                           {rules(shellpolicy.Rule{Command: "xargs", Args: []string{"any..."}}), "runs what it is given"},
		"awk":                             {rules(shellpolicy.Rule{Command: "awk", Args: []string{"any", "path"}, Paths: []string{"/"}}), "runs what it is given"},
		"a shell that reads its input":    {rules(shellpolicy.Rule{Command: "bash -s", Args: []string{"=x"}}), "from standard input"},
		"among other letters":             {rules(shellpolicy.Rule{Command: "/bin/dash -eus", Args: []string{"=x"}}), "from standard input"},
		"with a plus":                     {rules(shellpolicy.Rule{Command: "bash +s", Args: []string{"=x"}}), "from standard input"},
		"an interpreter and a hyphen":     {rules(shellpolicy.Rule{Command: "python3 -"}), "from standard input"},
		"a hyphen as an argument":         {rules(shellpolicy.Rule{Command: "perl", Args: []string{"=-"}}), "from standard input"},
		"nothing as an argument":          {rules(shellpolicy.Rule{Command: "perl", Args: []string{"="}}), "from standard input"},
		"a prompt":                        {rules(shellpolicy.Rule{Command: "python3.13 -Bi", Args: []string{"=x.py"}}), "from standard input"},
		"a shell that another runs":       {rules(shellpolicy.Rule{Command: "sudo bash", AnyArgs: true}), "runs what it is given"},
		"an interpreter that env runs":    {rules(shellpolicy.Rule{Command: "env python3", Args: []string{"any"}}), "runs what it is given"},
		"a hyphen behind what busybox is": {rules(shellpolicy.Rule{Command: "busybox sh -", Args: []string{"=x"}}), "from standard input"},
		"test -v":                         {rules(shellpolicy.Rule{Command: "test", Flags: []string{"-v"}, Args: []string{"any"}}), "may have -v"},
		"[ of anything":                   {rules(shellpolicy.Rule{Command: "[", AnyArgs: true}), "may have -v"},
		"printf -v":                       {rules(shellpolicy.Rule{Command: "printf -v"}), "may have -v"},
		"no flag":                         {rules(shellpolicy.Rule{Command: "ls", Flags: []string{"l"}}), "is no flag"},
		"no kind of a flag":               {rules(shellpolicy.Rule{Command: "ls", Flags: []string{"-n=numbers"}}), "is no kind of argument"},
		"no kind":                         {rules(shellpolicy.Rule{Command: "ls", Args: []string{"data"}}), "is no kind of argument"},
		"no pattern":                      {rules(shellpolicy.Rule{Command: "ls", Args: []string{"/(/"}}), "is no kind of argument"},
		"more behind all":                 {rules(shellpolicy.Rule{Command: "ls", Args: []string{"any...", "any"}}), "only the last"},
		"one behind none":                 {rules(shellpolicy.Rule{Command: "ls", Args: []string{"any?", "any"}}), "only the last"},
		"a path to nowhere":               {rules(shellpolicy.Rule{Command: "ls", Args: []string{"path"}}), "Paths names no directory"},
		"a relative path":                 {rules(shellpolicy.Rule{Command: "ls", Paths: []string{"data"}}), "is relative"},
		"a relative directory":            {shellpolicy.Config{Dir: "data"}, "is relative"},
		"reads":                           {shellpolicy.Config{Reads: []string{"/a/../b"}}, "Reads"},
		"wildcards":                       {shellpolicy.Config{Wildcards: []string{"data"}}, "Wildcards"},
		"writes":                          {shellpolicy.Config{Writes: []string{"~"}}, "Writes"},
		"PATH":                            {shellpolicy.Config{Vars: []string{"f", "PATH"}}, `Vars: "PATH"`},
		"LD_PRELOAD":                      {shellpolicy.Config{Vars: []string{"LD_PRELOAD"}}, "changes how"},
		"no variable":                     {shellpolicy.Config{Vars: []string{"a b"}}, "is no name"},
		"no wrapper":                      {shellpolicy.Config{Wrappers: []string{"sudo"}}, "known are command, env"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := shellpolicy.New(c.cfg)
			require.Error(t, err)
			assert.Nil(t, p)
			var broken *shellpolicy.ConfigError
			require.ErrorAs(t, err, &broken)
			assert.True(t, strings.HasPrefix(err.Error(), "shellpolicy: "), err)
			assert.Contains(t, err.Error(), c.says)
		})
	}
	_, err := shellpolicy.New(shellpolicy.Config{Writes: []string{"~"}})
	assert.ErrorContains(t, err, "policies: roots: ", "the cause")
}

// A rule may name what an interpreter runs.
func TestFixedScripts(t *testing.T) {
	p, err := shellpolicy.New(shellpolicy.Config{Dir: "/srv", Rules: []shellpolicy.Rule{
		{Command: "bash", Args: []string{"=./report.sh", "/[a-z]+/?"}},
		{Command: "sudo systemctl restart", Args: []string{"=nginx"}},
		{Command: "env -i python3", Args: []string{"path"}, Paths: []string{"/srv"}},
		{Command: "echo", Args: []string{"any..."}},
		{Command: "awk", Args: []string{"={print $2}", "path"}, Paths: []string{"/srv"}},
	}})
	require.NoError(t, err)
	for line, want := range map[string]string{
		"bash ./report.sh":             "allow",
		"bash ./report.sh weekly":      "allow",
		"bash ./report.sh '$(id)'":     "deny",
		"bash":                         "deny",
		"echo id | bash":               "deny",
		"bash -c ./report.sh":          "deny",
		"bash ./other.sh":              "deny",
		"sudo systemctl restart nginx": "allow",
		"sudo systemctl stop nginx":    "deny",
		"env -i python3 ./sum.py":      "allow",
		"env -i python3 -":             "deny",
		"echo 1 | env -i python3 ./x":  "allow",
		"awk '{print $2}' data.csv":    "allow",
		`awk 'BEGIN{system("id")}' x`:  "deny",
	} {
		assert.Equal(t, want, judge(t, p, line).Action.String(), line)
	}
}

// What is asked about is the line of the tools that are named, and nothing else.
func TestTools(t *testing.T) {
	for _, tools := range []map[string]string{{"run_shell": ""}, {"": "command"}} {
		_, err := shellpolicy.New(shellpolicy.Config{Tools: tools})
		var wrong *shellpolicy.ConfigError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, "Tools", wrong.Field)
	}
	p, err := shellpolicy.New(shellpolicy.Config{
		Rules:      []shellpolicy.Rule{{Command: "true"}},
		Tools:      map[string]string{"bash": "script"},
		Parameters: []string{"timeout"},
	})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		tool       string
		parameters map[string]any
		want       policies.Action
		says       string
	}{
		"another tool":        {"list_files", map[string]any{"bash_command": "rm x"}, policies.Allow, ""},
		"the well-known one":  {"run_shell", map[string]any{"bash_command": "rm x"}, policies.Deny, `"rm" is not on the list`},
		"its line":            {"bash", map[string]any{"script": "true"}, policies.Allow, ""},
		"another line":        {"bash", map[string]any{"script": "rm x"}, policies.Deny, `"rm" is not on the list`},
		"no line":             {"bash", nil, policies.Deny, `no command line in "script"`},
		"a list":              {"bash", map[string]any{"script": []any{"true"}}, policies.Deny, "no command line"},
		"a type of its own":   {"bash", map[string]any{"script": text("rm x")}, policies.Deny, `"rm" is not on the list`},
		"a known parameter":   {"bash", map[string]any{"script": "true", "timeout": 5}, policies.Allow, ""},
		"another parameter":   {"bash", map[string]any{"script": "true", "env": map[string]any{"PATH": "/tmp"}}, policies.Deny, "another parameter"},
		"no JSON":             {"bash", map[string]any{"script": func() {}}, policies.Deny, "cannot be read"},
		"too long":            {"bash", map[string]any{"script": "true #" + strings.Repeat("x", shellpolicy.MaxLine)}, policies.Deny, "longer than"},
		"too much":            {"bash", map[string]any{"script": strings.Repeat("true;", 13_000)}, policies.Deny, "too much to judge"},
		"only some are named": {"bash", map[string]any{"script": "a;b;c;d;e"}, policies.Deny, "and 2 more"},
	} {
		t.Run(name, func(t *testing.T) {
			v := p(context.Background(), desktop.Tool{Name: c.tool}, desktop.Command{ToolName: c.tool, Parameters: c.parameters})
			assert.Equal(t, c.want, v.Action, v.Reason)
			assert.Contains(t, v.Reason, c.says)
		})
	}
}

type text string

// A line that asks cannot drown one that denies.
func TestTheStrictestCounts(t *testing.T) {
	p, err := shellpolicy.New(shellpolicy.Config{AskUnclear: true, Rules: []shellpolicy.Rule{{Command: "true"}}})
	require.NoError(t, err)
	unclear := strings.Repeat("true $(true) {a,b}\n", 200)
	v := judge(t, p, unclear+"rm x")
	assert.Equal(t, policies.Deny, v.Action, v.Reason)
	v = judge(t, p, "true $x; rm x; true $y")
	assert.Equal(t, policies.Verdict{Action: policies.Deny, Reason: `the command "rm" is not on the list`}, v)
}

// What the schema calls a secret is in no reason.
func TestSecretLine(t *testing.T) {
	p, err := shellpolicy.New(shellpolicy.Config{Tools: map[string]string{"bash": "script"}})
	require.NoError(t, err)
	tool := desktop.Tool{Name: "bash", InputSchema: []byte(`{"type": "object", "properties": {"script": {"type": "string", "writeOnly": true}}}`)}
	v := p(context.Background(), tool, desktop.Command{ToolName: "bash", Parameters: map[string]any{"script": "hunter2 x"}})
	assert.Equal(t, policies.Deny, v.Action)
	assert.NotContains(t, v.Reason, "hunter2")
}

// With Resolve a link does not lead out, and wildcards are in no directory.
func TestResolve(t *testing.T) {
	if _, ok := findBash(t); !ok {
		return
	}
	dir := linked(t)
	for resolve, want := range map[bool][]string{
		false: {"allow", "allow", "allow", "allow"},
		true:  {"allow", "deny", "deny", "deny"},
	} {
		p, err := shellpolicy.New(shellpolicy.Config{
			Dir: dir, Resolve: resolve, Reads: []string{dir},
			Rules: []shellpolicy.Rule{{Command: "cat", Args: []string{"path..."}, Paths: []string{dir}}},
		})
		require.NoError(t, err)
		for i, line := range []string{"cat file", "cat out/file", "cat < out/file", "cat ./f*"} {
			assert.Equal(t, want[i], judge(t, p, line).Action.String(), "%v %s", resolve, line)
		}
	}
}
