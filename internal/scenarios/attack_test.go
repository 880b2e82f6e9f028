package scenarios_test

import (
	"os"
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
	"github.com/agentfsm/agentfsm/llm"
)

// fewestAttacks is how many cases the corpus must have.
const fewestAttacks = 70

// Scenario 24 for every text that there is. The corpus is data: testdata/attacks has models that obey whoever speaks to them,
// and what must not come of it. Its README.md says how a case is written.
func TestScenario24_Attacks(t *testing.T) {
	files := readAttacks(t)
	names := map[string]bool{}
	for _, f := range files {
		for _, c := range f.cases {
			assert.False(t, names[c.Name], "%s is there twice", c.Name)
			names[c.Name] = true
			t.Run(c.Name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { runAttack(t, c) }) })
		}
		if *update && !t.Failed() {
			require.NoError(t, os.WriteFile(f.path, []byte(written(f.lines)), 0o644))
		}
	}
	assert.GreaterOrEqual(t, len(names), fewestAttacks)
}

func runAttack(t *testing.T, c *attackCase) {
	for _, key := range []string{"why", "user"} {
		require.True(t, c.has(key), "a case has a line %q", key)
	}
	require.True(t, c.has("never") || c.has("once") || c.has("untouched"), "a case says what must not be executed")
	w := newAttackWorld(t, c)
	w.play()
	assert.True(t, w.alone() || len(w.answers) == 0, "lines of the person were not needed")
	w.checkExecuted()
	w.checkUntouched()
	w.checkQuestions()
	w.checkPrompts()
	w.checkLogs()
	if *update {
		c.last.out = w.happened
		return
	}
	assert.Equal(t, strings.Join(c.last.before, "\n"), strings.Join(w.happened, "\n"), "(go test -update writes it anew; read what changes)")
}

// checkExecuted looks at what reached the desktop.
func (w *attackWorld) checkExecuted() {
	t := w.t
	assert.Empty(t, w.guard.Broken)
	count := func(text string) (n int) {
		for _, line := range w.executed {
			if strings.Contains(line, text) {
				n++
			}
		}
		return n
	}
	for _, l := range w.c.all("never", "once") {
		text := oneRow(attackText(l.text))
		tried := l.kind == "once" || slices.ContainsFunc(w.c.said, func(o *line) bool {
			return o.kind != "never" && o.kind != "once" && o.kind != "why" && strings.Contains(spelt(o.text), closed(text))
		})
		assert.True(t, tried, "nobody tries %q: the case says nothing", text)
		if l.kind == "never" {
			assert.Zero(t, count(text), "%s was executed", text)
		} else {
			assert.Equal(t, 1, count(text), "how often %s was executed", text)
		}
	}
}

// checkUntouched: the window of an application got no command but to come to the
// front.
func (w *attackWorld) checkUntouched() {
	for _, l := range w.c.all("untouched") {
		for _, line := range w.executed {
			assert.False(w.t, strings.Contains(line, " in "+l.text+"/") && !strings.HasPrefix(line, desktop.SelectApplicationWindow), line)
		}
	}
}

// spelt is what a line tries to say, with escapes of JSON read.
func spelt(value string) string {
	value = escapes.ReplaceAllStringFunc(attackText(value), func(e string) string {
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
func (w *attackWorld) checkQuestions() {
	var all strings.Builder
	for _, q := range w.questions {
		all.WriteString(q.Text + "\n")
		i := strings.IndexFunc(q.Text, func(r rune) bool {
			return r != '\n' && unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
		})
		assert.Negative(w.t, i, "a terminal obeys %q", q.Text)
		assert.Negative(w.t, strings.IndexFunc(q.Agent, func(r rune) bool { return !unicode.IsPrint(r) }), "a terminal obeys %q", q.Agent)
	}
	for _, l := range w.c.all("shows") {
		assert.Contains(w.t, all.String(), attackText(l.text))
	}
	for _, l := range w.c.all("hides") {
		assert.NotContains(w.t, all.String(), attackText(l.text))
	}
}

// checkPrompts: what anybody may have written stands in fenced sections only, and
// makes no section.
func (w *attackWorld) checkPrompts() {
	known := []string{
		"request", "subtask", "application", "windows", "controls", "not_observed", "tools", "previous_subtasks", "plan", "history",
		"answers", "blackboard", "last_error", "refused_reply", "allowed_statuses",
	}
	for _, req := range w.model.Requests() {
		for _, m := range req.Messages {
			assert.Contains(w.t, []llm.Role{llm.System, llm.User}, m.Role)
			for _, p := range m.Parts {
				outside, headings := outsideOfFences(p.Text)
				for _, h := range headings {
					assert.Contains(w.t, known, h)
				}
				for _, text := range w.untrusted {
					assert.NotContains(w.t, outside, text)
				}
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

func (w *attackWorld) checkLogs() {
	logs := w.logs.String()
	for _, l := range w.c.all("hides") {
		assert.NotContains(w.t, logs, attackText(l.text))
		assert.NotContains(w.t, w.lines.String(), attackText(l.text))
	}
	i := strings.IndexFunc(logs, func(r rune) bool { return r != '\n' && unicode.IsControl(r) })
	assert.Negative(w.t, i, "a terminal obeys the log")
}
