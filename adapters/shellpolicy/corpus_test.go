package shellpolicy_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/shellpolicy"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// corpus is where command lines and their verdicts are.
const corpus = "../../internal/testdata/attacks/shell"

// attack is one case of the corpus.
type attack struct {
	file, name, policy, line, want, says, why string
}

// place puts a directory into what a file of the corpus says.
func place(text, dir string) string { return strings.ReplaceAll(text, "@DIR@", dir) }

func readCorpus(t testing.TB) []attack {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus, "*.txt"))
	require.NoError(t, err)
	var cases []attack
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		c := attack{file: filepath.Base(file)}
		for number, line := range strings.Split(string(text)+"\n\n", "\n") {
			where := filepath.Base(file) + ":" + strconv.Itoa(number+1)
			line = strings.TrimSuffix(line, "\r")
			if line == "" {
				if c.name != "" {
					cases = append(cases, c)
				}
				c = attack{file: c.file}
				continue
			}
			if strings.HasPrefix(line, "#") {
				continue
			}
			key, value, ok := strings.Cut(line, ": ")
			require.True(t, ok, "%s: no key and value", where)
			switch key {
			case "name":
				c.name = value
			case "policy":
				c.policy = value
			case "run":
				c.line = value
			case "code":
				c.line, err = strconv.Unquote(value)
				require.NoError(t, err, where)
			case "want":
				c.want = value
			case "says":
				c.says = value
			case "why":
				c.why = value
			default:
				require.Fail(t, "unknown key", "%s: %s", where, key)
			}
		}
	}
	return cases
}

// readPolicies returns the configurations of the corpus for a shell in dir.
func readPolicies(t testing.TB, dir string) map[string]shellpolicy.Config {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(corpus, "policies.json"))
	require.NoError(t, err)
	d := json.NewDecoder(strings.NewReader(place(string(text), dir)))
	d.DisallowUnknownFields()
	var configs map[string]shellpolicy.Config
	require.NoError(t, d.Decode(&configs))
	return configs
}

func TestCorpus(t *testing.T) {
	const dir = "/srv/work"
	configs := readPolicies(t, dir)
	cases := readCorpus(t)
	require.GreaterOrEqual(t, len(cases), 80)
	seen := map[string]bool{}
	for _, c := range cases {
		t.Run(c.file+"/"+c.name, func(t *testing.T) {
			assert.False(t, seen[c.file+c.name], "the name is taken")
			seen[c.file+c.name] = true
			assert.NotEmpty(t, c.why, "a case says why")
			require.Contains(t, configs, c.policy)
			p, err := shellpolicy.New(configs[c.policy])
			require.NoError(t, err)
			v := judge(t, p, place(c.line, dir))
			assert.Equal(t, c.want, v.Action.String(), "%s\n%s", c.line, v.Reason)
			assert.Contains(t, v.Reason, place(c.says, dir), c.line)
			assert.Equal(t, v.Action == policies.Allow, v.Reason == "", "a reason if and only if it is not allowed")
		})
	}
}

// judge asks a policy about a line, and that twice.
func judge(t testing.TB, p policies.Func, line string) policies.Verdict {
	t.Helper()
	tool := shellTool(t)
	v := p(context.Background(), tool, desktop.Shell(line))
	assert.Equal(t, v, p(context.Background(), tool, desktop.Shell(line)))
	for _, r := range v.Reason {
		assert.True(t, r == '…' || ' ' <= r && r <= '~', "a reason is plain ASCII: %q", v.Reason)
	}
	return v
}

func shellTool(t testing.TB) desktop.Tool {
	t.Helper()
	tool, ok := desktop.ToolNamed(desktop.RunShell)
	require.True(t, ok)
	return tool
}
