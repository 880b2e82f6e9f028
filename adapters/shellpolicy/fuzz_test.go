package shellpolicy_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/shellpolicy"
	"github.com/agentfsm/agentfsm/policies"
)

// Whatever the line is, the policy has an answer, and what it allows makes bash run
// nothing that is not listed. Bash is restricted here: a mistake of the policy must
// not do harm to the machine that looks for it.
func FuzzPolicy(f *testing.F) {
	for _, c := range readCorpus(f) {
		f.Add(c.line)
	}
	for _, line := range []string{
		"ls\\\n -l", "echo $'a\\'b'", "{ ls; }>out/x", "echo \"a\\\\\"", "ls;;", "time -p ls", "cat<<A;ls\nx\nA\nls", "for f in a;do ls \"$f\";done",
		"ls|ls|&ls", "! ! ls", "if ls;then ls;fi", "case a in(a)ls;;esac", "ls>&2", "echo a\\", "(ls)(ls)", "ls #\nls", "echo }", "cat <<A\n\\\nA\nls\nA",
	} {
		f.Add(line)
	}
	bash, ok := findBash(f)
	var s *stage
	dir := "/srv/work"
	if ok {
		s = newStage(f, bash)
		dir = s.dir
	}
	cfg := readPolicies(f, dir)["files"]
	p, err := shellpolicy.New(cfg)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, line string) {
		line = place(line, dir)
		v := judge(t, p, line)
		if v.Action != policies.Allow {
			assert.NotEmpty(t, v.Reason)
			return
		}
		// A loop that does not end is no finding.
		if s == nil || strings.Contains(line, "while") || strings.Contains(line, "until") {
			return
		}
		ran, complaints := s.run(t, line, true)
		onlyListed(t, cfg, line, ran, complaints)
	})
}
