package scenarios_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// line is one line at the left margin: KIND: TEXT, KIND ARG: TEXT, a remark or nothing.
type line struct {
	whole, kind, arg, text string
	played                 bool
	before, out            []string // what happened below it, the last time and now
}

func (l *line) is(kinds ...string) bool { return slices.Contains(kinds, l.kind) }

var (
	lineKinds = []string{
		"user", "go on", "elsewhere", "model", "model fails", "model panics",
		"answer", "answer fails", "answer panics", "answer later", "no answer",
		"play", "given", "then", "set", "show", "look",
	}
	linesWithArg = []string{"answer after", "after"}
)

func readConversation(t *testing.T, name string) *conversation {
	t.Helper()
	c := &conversation{t: t, path: filepath.Join("testdata", name+".txt")}
	text, err := os.ReadFile(c.path)
	require.NoError(t, err)
	c.before = strings.ReplaceAll(string(text), "\r\n", "\n")
	c.lines = readLines(t, c.path, c.before, lineKinds...)
	require.NotEmpty(t, c.lines)
	return c
}

// readLines reads lines of these kinds at the left margin, and what happened the last time, indented below them.
func readLines(t *testing.T, path, text string, kinds ...string) (lines []*line) {
	t.Helper()
	for one := range strings.Lines(text) {
		one = strings.TrimRight(one, " \n")
		if happened, ok := strings.CutPrefix(one, "    "); ok {
			above := lines[len(lines)-1]
			above.before = append(above.before, happened)
			continue
		}
		l := &line{whole: one}
		if one != "" && !strings.HasPrefix(one, "#") {
			l.kind, l.text, _ = strings.Cut(one, ":")
			l.text = strings.TrimSpace(l.text)
			for _, kind := range linesWithArg {
				if arg, ok := strings.CutPrefix(l.kind, kind+" "); ok && l.arg == "" {
					l.kind, l.arg = kind, arg
				}
			}
			require.True(t, l.is(kinds...) || l.is(linesWithArg...), "%s: nobody says %q", path, one)
		}
		lines = append(lines, l)
	}
	return lines
}

// written is the text with what happened now.
func written(lines []*line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.whole + "\n")
		for _, out := range l.out {
			b.WriteString("    " + out + "\n")
		}
	}
	return b.String()
}

// note writes what happened below the line that spoke last.
func (c *conversation) note(format string, args ...any) {
	l := c.lines[max(c.at, 0)]
	l.out = append(l.out, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", `\n`))
}

// executed notes the commands that acted since the last time.
func (c *conversation) executed() {
	log := c.s.Desktop.Log()
	for _, e := range log[c.logged:] {
		if !e.Command.Looks && e.Command.CallID != somebody {
			c.note("does %s", e)
		}
	}
	c.logged = len(log)
}

// step notes what a step did that is not noted yet, and where it went.
func (c *conversation) step(s round.Step) {
	c.executed()
	c.steps++
	for _, v := range s.Verdicts {
		c.note("policy: %s", strings.TrimSuffix(v.Action+" "+v.Tool+": "+v.Reason, ": "))
	}
	if s.From == fsm.Pending || s.From == fsm.Confirm {
		assert.Zero(c.t, s.Calls, "who asks a person asks no model")
		for _, cmd := range s.Commands {
			assert.True(c.t, cmd.Command.Looks, "who asks a person only looks")
		}
	}
	assert.Equal(c.t, s.By == fsm.ByFault, s.Err != nil, "only a fault has an error")
	if s.Reason == "" {
		c.note("%s", s)
	} else {
		c.note("%s: %s", s, s.Reason)
	}
}

// sentinels are the errors that outcomes have.
var sentinels = map[round.Outcome]error{
	round.Failed: round.ErrFailed, round.Faulted: round.ErrFault, round.OverBudget: round.ErrBudget,
	round.Suspended: round.ErrSuspended, round.Cancelled: round.ErrCancelled,
}

// end notes how a round ended, or why it stopped, and requires what holds for all.
func (c *conversation) end(res round.Result, err error, took time.Duration) {
	c.executed()
	c.results, c.errs = append(c.results, res), append(c.errs, err)
	for outcome, sentinel := range sentinels {
		assert.Equal(c.t, res.Outcome == outcome, errors.Is(err, sentinel), "%v of %s", err, res.Outcome)
	}
	assert.Equal(c.t, res.Outcome == round.Finished, err == nil)
	assert.Equal(c.t, err, res.Err)
	assert.Equal(c.t, c.steps, res.Transitions, "each transition was seen")
	switch {
	case errors.Is(c.broke, errBang):
		panicked(c.t, res, err, "panic(")
	case c.broke != nil && res.Outcome == round.Faulted:
		assert.ErrorIs(c.t, err, c.broke, "the cause is found")
	}
	for _, sub := range res.Subtasks {
		text := fmt.Sprintf("%s of %s, %q: %s", sub.ID, sub.App, sub.Text, sub.Status)
		if sub.Result != nil {
			text += " " + oneLine(sub.Result)
		}
		if sub.Reason != "" {
			text += " because " + sub.Reason
		}
		if len(sub.DependsOn) > 0 {
			text += ", after " + strings.Join(sub.DependsOn, " and ")
		}
		c.note("%s", text)
	}
	verb := "stops"
	if res.Outcome.Ended() {
		verb = "ends"
	}
	text := fmt.Sprintf("%s as %s at %s:%s after %d steps, %d transitions, %d calls, %d tokens",
		verb, res.Outcome, res.Agent, res.Status, res.Steps, res.Transitions, res.Calls, res.Usage.Total())
	if took > 0 {
		text += ", " + took.String()
	}
	c.note("%s", text)
	if res.Answer != "" {
		c.note("answer %q", res.Answer)
	}
	if err != nil {
		c.note("error %v", err)
	}
}

func oneLine(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return string(raw)
	}
	return b.String()
}

// sameForAll takes out what differs when several agents play a conversation: who is
// at work, and that only an AppAgent has a window, and sees controls, to act on.
var sameForAll = []struct {
	differs *regexp.Regexp
	same    string
}{
	{regexp.MustCompile(`HostAgent|AppAgent/word/report`), "Agent"},
	{regexp.MustCompile(` on "([^"\\]|\\.)*" titled "([^"\\]|\\.)*"`), ""},
	{regexp.MustCompile(`"target":"([^"\\]|\\.)*",`), ""},
}

func (c *conversation) compare() {
	c.t.Helper()
	happened := written(c.lines)
	for i, id := range c.ids {
		require.NotEmpty(c.t, id, "a question has an id")
		happened = strings.ReplaceAll(happened, id, fmt.Sprintf("id-%d", i+1))
	}
	if agents := agentsOf(c.t, strings.TrimSuffix(filepath.Base(c.path), ".txt")); len(agents) > 1 {
		for _, r := range sameForAll {
			happened = r.differs.ReplaceAllString(happened, r.same)
		}
	}
	if *update {
		require.NoError(c.t, os.WriteFile(c.path, []byte(happened), 0o644))
		return
	}
	assert.Equal(c.t, c.before, happened, "%s (go test -update writes it anew; read what changes)", c.path)
}
