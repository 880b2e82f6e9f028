package scenarios_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/hostagent/plan"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

var update = flag.Bool("update", false, "write what happened into testdata/*.txt")

// conversation is a session as a text: testdata/<name>.txt. A line at the left
// margin is said by somebody,
//
//	user: TEXT           a request; it starts a round
//	model: TEXT          the next reply
//	model fails: TEXT    the next call gives this error instead
//	show: NAME …         print these sections of the prompt that comes next
//	# TEXT               a remark
//
// and what is indented below it is what happened: sections that were asked for,
// each step with what it did, and the end of the round. The test compares these;
// with -update it writes them.
type conversation struct {
	t       *testing.T
	path    string
	before  string
	lines   []*line
	at      int // who spoke last
	results []round.Result
	plans   []plan.Plan // of a host, behind each round
	errs    []error
}

type line struct {
	text string
	out  []string
}

func (l *line) is(directive string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(l.text, directive+":")
	return strings.TrimSpace(rest), ok
}

// errModel is behind every "model fails".
var errModel = errors.New("the model is out of order")

// converse plays a conversation with the agent that setup makes, with nil the
// host of the stage, and compares it. The results are those of its rounds.
func converse(t *testing.T, name string, setup func(*stage) fsm.Worker) (*stage, *conversation) {
	t.Helper()
	c := readConversation(t, name)
	s := onStage(t, c.replies()...)
	ids := 0
	s.Config.NewID = func() string { ids++; return fmt.Sprintf("id-%d", ids) }
	var worker fsm.Worker
	if setup != nil {
		worker = setup(s)
	}
	if worker == nil {
		worker = s.host()
	}
	options := s.Options
	options.Observe = func(step round.Step) {
		s.Steps = append(s.Steps, step)
		c.step(step)
	}
	session, err := round.NewSession(worker, &options)
	require.NoError(t, err)
	for i, l := range c.lines {
		if request, ok := l.is("user"); ok {
			c.at = i
			res, err := session.Run(t.Context(), request)
			c.end(res, err)
			if host, ok := worker.(*hostagent.Agent); ok {
				c.plans = append(c.plans, host.Plan())
			}
		}
	}
	c.compare()
	return s, c
}

func readConversation(t *testing.T, name string) *conversation {
	t.Helper()
	c := &conversation{t: t, path: filepath.Join("testdata", name+".txt")}
	text, err := os.ReadFile(c.path)
	require.NoError(t, err)
	c.before = strings.ReplaceAll(string(text), "\r\n", "\n")
	for one := range strings.Lines(c.before) {
		one = strings.TrimRight(one, " \n")
		if strings.HasPrefix(one, " ") {
			continue // what happened the last time
		}
		l := &line{text: one}
		known := one == "" || strings.HasPrefix(one, "#") || slices.ContainsFunc(
			[]string{"user", "model", "model fails", "show"}, func(d string) bool { _, ok := l.is(d); return ok })
		require.True(t, known, "%s: nobody says %q", c.path, one)
		c.lines = append(c.lines, l)
	}
	return c
}

// replies are the lines of the model, as a script.
func (c *conversation) replies() []any {
	var list []any
	for i, l := range c.lines {
		if text, ok := l.is("model"); ok {
			list = append(list, func(req *llm.Request) (string, error) { c.turn(i, req); return text, nil })
		} else if text, ok := l.is("model fails"); ok {
			list = append(list, func(req *llm.Request) (string, error) {
				c.turn(i, req)
				return "", fmt.Errorf("%w: %s", errModel, text)
			})
		}
	}
	return list
}

// turn gives the word to the model's line i, and shows of its prompt what was
// asked for on the way there.
func (c *conversation) turn(i int, req *llm.Request) {
	for _, l := range c.lines[c.at:i] {
		names, ok := l.is("show")
		if !ok || l.out != nil {
			continue
		}
		for name := range strings.FieldsSeq(names) {
			shown := "(none)"
			if raw, ok := llm.FindSection(req, name); ok {
				shown = oneLine(raw)
			}
			l.out = append(l.out, name+" "+shown)
		}
	}
	for _, l := range c.lines[c.at+1 : i] {
		if _, ok := l.is("user"); ok {
			c.t.Errorf("%s: the model was asked for a reply of the next round: %s", c.path, c.lines[i].text)
		}
	}
	c.at = i
}

func (c *conversation) note(format string, args ...any) {
	l := c.lines[c.at]
	l.out = append(l.out, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", `\n`))
}

func (c *conversation) step(s round.Step) {
	for _, cmd := range s.Commands {
		if cmd.Command.ToolType == desktop.DataCollection {
			continue
		}
		params, err := json.Marshal(cmd.Command.Parameters)
		require.NoError(c.t, err)
		said := string(cmd.Result.Status)
		if cmd.Result.Error != "" {
			said += ": " + cmd.Result.Error
		}
		c.note("does %s %s: %s", cmd.Command.ToolName, params, said)
	}
	if s.Reason == "" {
		c.note("%s", s)
	} else {
		c.note("%s: %s", s, s.Reason)
	}
}

// end notes how a round ended.
func (c *conversation) end(res round.Result, err error) {
	c.results, c.errs = append(c.results, res), append(c.errs, err)
	for _, sub := range res.Subtasks {
		text := fmt.Sprintf("%s of %s, %q: %s", sub.ID, sub.App, sub.Text, sub.Status)
		if sub.Result != nil {
			text += " " + oneLine(sub.Result)
		}
		if sub.Reason != "" {
			text += " because " + sub.Reason
		}
		c.note("%s", text)
	}
	c.note("ends as %s at %s:%s after %d steps, %d transitions, %d calls",
		res.Outcome, res.Agent, res.Status, res.Steps, res.Transitions, res.Calls)
	if res.Answer != "" {
		c.note("answer %q", res.Answer)
	}
	if err != nil {
		c.note("error %v", err)
	}
}

func (c *conversation) compare() {
	c.t.Helper()
	var b strings.Builder
	for _, l := range c.lines {
		b.WriteString(l.text + "\n")
		for _, out := range l.out {
			b.WriteString("    " + out + "\n")
		}
	}
	if *update {
		require.NoError(c.t, os.WriteFile(c.path, []byte(b.String()), 0o644))
		return
	}
	assert.Equal(c.t, c.before, b.String(), "%s (go test -update writes it anew; read what changes)", c.path)
}

func oneLine(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return string(raw)
	}
	return b.String()
}
