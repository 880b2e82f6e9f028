package scenarios_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// attackDir has the corpus; its README.md says how a case is written.
var attackDir = filepath.Join("..", "testdata", "attacks")

// Scenario 24 for every text that there is. The corpus is data: each case of testdata/attacks is a conversation with
// a model that obeys whoever speaks to it, and says what must not come of that.
func TestScenario24_Attacks(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(attackDir, "*.txt"))
	require.NoError(t, err)
	names := map[string]bool{}
	for _, path := range paths {
		lines := readLines(t, path)
		for i, one := range casesOf(lines) {
			c := &conversation{path: path, lines: one, attack: true}
			title := one[0].text
			assert.False(t, names[title], "%s is there twice", title)
			names[title] = true
			t.Run(title, func(t *testing.T) { c.attacks(t) })
			if len(c.all("only JSON")) > 0 {
				continue
			}
			again := casesOf(readLines(t, path))[i]
			t.Run(title+"/calls", func(t *testing.T) { (&conversation{path: path, lines: again, attack: true, calls: true}).attacks(t) })
		}
		if *update && !t.Failed() {
			require.NoError(t, os.WriteFile(path, []byte(written(lines, (*line).now)), 0o644))
		}
	}
	assert.GreaterOrEqual(t, len(names), 70, "the corpus is there")
}

// casesOf are the conversations of a text of the corpus, each from its line "case".
func casesOf(lines []*line) (cases [][]*line) {
	for i, l := range lines {
		if l.kind == "case" {
			cases = append(cases, nil)
		}
		if n := len(cases); n > 0 {
			cases[n-1] = append(cases[n-1], lines[i])
		}
	}
	return cases
}

// attacks plays a case.
func (c *conversation) attacks(t *testing.T) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c.t = t
		require.NotEmpty(t, c.all("why"), "a case has a line %q", "why")
		require.NotEmpty(t, c.all("never", "once", "untouched"), "a case says what must not be executed")
		c.prepare()
		c.maker = func(s *stage) fsm.Worker { return s.host() }
		c.play()
		c.compare()
	})
}

func (c *conversation) all(kinds ...string) []*line {
	return slices.DeleteFunc(slices.Clone(c.lines), func(l *line) bool { return !l.is(kinds...) })
}

// check is what holds for every conversation: nothing was executed that was not allowed, or that a line forbids.
func (c *conversation) check() {
	c.t.Helper()
	assert.Empty(c.t, c.guard.Broken)
	c.checkExecuted()
	c.checkQuestions()
	c.checkPrompts()
	c.checkLogs()
}

// checkExecuted looks at what reached the desktop.
func (c *conversation) checkExecuted() {
	t := c.t
	count := func(text string) (n int) {
		for _, line := range c.done {
			if strings.Contains(line, text) {
				n++
			}
		}
		return n
	}
	for _, l := range c.all("never", "once") {
		text := oneRow(spoken(l.text))
		tried := l.kind == "once" || slices.ContainsFunc(c.lines, func(o *line) bool {
			return !o.is(expectations...) && o.kind != "why" && strings.Contains(spelt(o.text), closed(text))
		})
		assert.True(t, tried, "nobody tries %q: the case says nothing", text)
		if l.kind == "never" {
			assert.Zero(t, count(text), "%s was executed", text)
		} else {
			assert.Equal(t, 1, count(text), "how often %s was executed", text)
		}
	}
	for _, l := range c.all("untouched") { // the window of an application got no command but to come to the front
		for _, line := range c.done {
			assert.False(t, strings.Contains(line, " in "+l.text+"/") && !strings.HasPrefix(line, desktop.SelectApplicationWindow), line)
		}
	}
}

// spelt is what a line tries to say, with escapes of JSON read.
func spelt(value string) string {
	value = escapes.ReplaceAllStringFunc(spoken(value), func(e string) string {
		n, err := strconv.ParseUint(e[2:], 16, 32)
		if err != nil {
			return e
		}
		return string(rune(n))
	})
	return closed(oneRow(value) + "\n" + oneRow(strings.ReplaceAll(value, `\"`, `"`)))
}

// closed leaves out blanks: JSON is written with and without.
func closed(text string) string { return strings.ReplaceAll(text, " ", "") }

var escapes = regexp.MustCompile(`\\u[0-9a-fA-F]{4}`)

// checkQuestions: a person reads everything that would be executed, and nothing
// that a terminal obeys.
func (c *conversation) checkQuestions() {
	var all strings.Builder
	for _, q := range c.asked {
		all.WriteString(q.Text + "\n")
		i := strings.IndexFunc(q.Text, func(r rune) bool {
			return r != '\n' && unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
		})
		assert.Negative(c.t, i, "a terminal obeys %q", q.Text)
		assert.Negative(c.t, strings.IndexFunc(q.Agent, func(r rune) bool { return !unicode.IsPrint(r) }), "a terminal obeys %q", q.Agent)
	}
	for _, l := range c.all("shows") {
		assert.Contains(c.t, all.String(), spoken(l.text))
	}
	for _, l := range c.all("hides") {
		assert.NotContains(c.t, all.String(), spoken(l.text))
	}
}

// checkPrompts: what anybody may have written stands in fenced sections only, and
// makes no section.
func (c *conversation) checkPrompts() {
	known := []string{
		"request", "subtask", "application", "application_now", "windows", "dialogs", "controls", "not_observed", "tools", "tool_groups", "previous_subtasks", "plan", "history",
		"answers", "blackboard", "last_error", "refused_reply", "allowed_statuses",
	}
	for i, req := range c.s.Model.Requests() {
		c.s.offers(i)
		unmarked(c.t, req)
		for _, m := range req.Messages {
			if c.calls && m.Role == llm.Assistant {
				continue // its own calls, as it made them
			}
			assert.Contains(c.t, []llm.Role{llm.System, llm.User, llm.ToolResult}, m.Role)
			assert.Equal(c.t, m.Role == llm.ToolResult, m.CallID != "")
			outside, headings := outsideOfFences(m.Text())
			for _, h := range headings {
				assert.Contains(c.t, known, h)
			}
			for _, text := range c.untrusted {
				assert.NotContains(c.t, outside, text)
			}
		}
	}
}

// outsideOfFences reads a prompt as a careless reader does, who takes any line
// with a fence for one.
func outsideOfFences(text string) (outside string, headings []string) {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") {
			inside = !inside
			continue
		}
		if name, ok := strings.CutPrefix(bare, "#"); ok {
			headings = append(headings, strings.TrimLeft(name, "# "))
		}
		if !inside {
			b.WriteString(line)
		}
	}
	return b.String(), headings
}

func (c *conversation) checkLogs() {
	logs := c.logs.String()
	for _, l := range c.all("hides", "unrecorded") {
		assert.NotContains(c.t, logs, spoken(l.text))
		assert.NotContains(c.t, c.records.String(), spoken(l.text))
	}
	i := strings.IndexFunc(logs, func(r rune) bool { return r != '\n' && unicode.IsControl(r) })
	assert.Negative(c.t, i, "a terminal obeys the log")
}
