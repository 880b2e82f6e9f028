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
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
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
func (l *line) lastTime() []string      { return l.before }
func (l *line) now() []string           { return l.out }

// The kinds of lines. Those of linesWithArg have one between their kind and the colon.
var (
	rounds       = []string{"user", "go on", "elsewhere"}
	replies      = []string{"model", "model after", "model status", "assign", "finish", "model fails", "model panics", "no reply"}
	answers      = []string{"answer", "answer after", "answer fails", "answer panics", "answer later", "no answer"}
	changes      = []string{"given", "then", "after", "set", "look", "show"}
	remarks      = []string{"", "play", "case", "why", "policy", "only JSON"}
	expectations = []string{"never", "once", "untouched", "shows", "hides", "unrecorded"}
	lineKinds    = slices.Concat(rounds, replies, answers, changes, remarks, expectations)
	linesWithArg = []string{"model after", "model status", "answer after", "after"}
)

func readConversation(t *testing.T, name string) *conversation {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	return &conversation{t: t, path: path, lines: readLines(t, path)}
}

// readLines reads the lines at the left margin, and what happened the last time, indented below them.
func readLines(t *testing.T, path string) (lines []*line) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for one := range strings.Lines(strings.ReplaceAll(string(text), "\r\n", "\n")) {
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
			require.True(t, l.is(lineKinds...), "%s: nobody says %q", path, one)
		}
		lines = append(lines, l)
	}
	require.NotEmpty(t, lines)
	return lines
}

// spoken is a text as it stands, or a string as Go writes it.
func spoken(text string) string {
	if quoted, err := strconv.Unquote(text); err == nil && strings.HasPrefix(text, `"`) {
		return quoted
	}
	return text
}

// written is the text with what happened the last time, or now.
func written(lines []*line, happened func(*line) []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.whole + "\n")
		for _, out := range happened(l) {
			b.WriteString("    " + out + "\n")
		}
	}
	return b.String()
}

// note writes what happened below the line that spoke last.
func (c *conversation) note(format string, args ...any) {
	l := c.lines[max(c.at, 0)]
	l.out = append(l.out, strings.TrimRight(oneRow(fmt.Sprintf(format, args...)), " "))
}

// oneRow keeps a text on its line, and readable there.
func oneRow(text string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(text, "\n", `\n`) {
		if r < ' ' || r > '~' && r != '…' && r != 'é' {
			fmt.Fprintf(&b, `\u{%x}`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// executed notes the commands that acted since the last time.
func (c *conversation) executed() {
	log := c.s.Desktop.Log()
	for _, e := range log[c.logged:] {
		if !e.Command.Looks && e.Command.CallID != somebody {
			c.note("does %s", e)
			e.Result, e.Err = desktop.Result{}, nil // what it said of itself is not what was done
			c.done = append(c.done, oneRow(e.String()))
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
	if res.Cost > 0 {
		text += fmt.Sprintf(", at %g", res.Cost)
	}
	c.note("%s", text)
	if res.Answer != "" {
		c.note("answer %q", res.Answer)
	}
	for _, undone := range res.Partial {
		text := fmt.Sprintf("leaves %s %q %s", undone.ID, undone.Task, undone.Status)
		if undone.Reason != "" {
			text += ": " + undone.Reason
		}
		c.note("%s", text)
	}
	if v := res.Verified; v != nil {
		c.note("verified by %s: %s: %s", v.By, v.Verdict, v.Evidence)
	}
	if err != nil {
		c.note("error %v", err)
	}
	// The answer and the data of sub-tasks are what was asked for, and no record.
	res.Answer, res.Agent, res.Subtasks = "", "", slices.Clone(res.Subtasks)
	for i := range res.Subtasks {
		res.Subtasks[i].Result = nil
	}
	raw, wrong := json.Marshal(res)
	require.NoError(c.t, wrong)
	fmt.Fprintf(&c.logs, "%v\n%s\n", err, raw)
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
	{regexp.MustCompile(` on (\w+ )?"([^"\\]|\\.)*"( \(\d+\) in \S+ \(\d+\))? titled "([^"\\]|\\.)*"`), ""},
	{regexp.MustCompile(`"target":"([^"\\]|\\.)*",`), ""},
}

func (c *conversation) compare() {
	c.t.Helper()
	several := !c.attack && len(agentsOf(c.t, strings.TrimSuffix(filepath.Base(c.path), ".txt"))) > 1
	for _, l := range c.lines {
		for o, text := range l.out {
			for i, id := range c.ids {
				require.NotEmpty(c.t, id, "a question has an id")
				text = strings.ReplaceAll(text, id, fmt.Sprintf("id-%d", i+1))
			}
			for _, r := range sameForAll {
				if several {
					text = r.differs.ReplaceAllString(text, r.same)
				}
			}
			l.out[o] = text
		}
	}
	happened, before := written(c.lines, (*line).now), written(c.lines, (*line).lastTime)
	switch {
	case c.calls:
		for _, r := range sameInCalls {
			happened, before = r.differs.ReplaceAllString(happened, r.same), r.differs.ReplaceAllString(before, r.same)
		}
		assert.Equal(c.t, before, happened, "%s, in calls", c.path)
	case c.closed:
		assert.Equal(c.t, before, happened, "%s, in the closed form", c.path)
	case !*update:
		assert.Equal(c.t, before, happened, "%s (go test -update writes it anew; read what changes)", c.path)
	case !c.attack:
		require.NoError(c.t, os.WriteFile(c.path, []byte(happened), 0o644))
	}
}
