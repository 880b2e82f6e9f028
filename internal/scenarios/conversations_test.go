package scenarios_test

import (
	"context"
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
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// Each plays the conversations of its topic: testdata/19_*.txt, testdata/plan_*.txt.

func TestScenario01_Conversations(t *testing.T) { conversations(t) }
func TestScenario03_Conversations(t *testing.T) { conversations(t) }
func TestScenario04_Conversations(t *testing.T) { conversations(t) }
func TestScenario05_Conversations(t *testing.T) { conversations(t) }
func TestScenario07_Conversations(t *testing.T) { conversations(t) }
func TestScenario12_Conversations(t *testing.T) { conversations(t) }
func TestScenario13_Conversations(t *testing.T) { conversations(t) }
func TestScenario14_Conversations(t *testing.T) { conversations(t) }
func TestScenario16_Conversations(t *testing.T) { conversations(t) }
func TestScenario17_Conversations(t *testing.T) { conversations(t) }
func TestScenario18_Conversations(t *testing.T) { conversations(t) }
func TestScenario19_Conversations(t *testing.T) { conversations(t) }
func TestScenario20_Conversations(t *testing.T) { conversations(t) }
func TestScenario21_Conversations(t *testing.T) { conversations(t) }
func TestScenario22_Conversations(t *testing.T) { conversations(t) }
func TestScenario24_Conversations(t *testing.T) { conversations(t) }
func TestScenario26_Conversations(t *testing.T) { conversations(t) }
func TestScenario27_Conversations(t *testing.T) { conversations(t) }
func TestScenario28_Conversations(t *testing.T) { conversations(t) }
func TestScenario29_Conversations(t *testing.T) { conversations(t) }
func TestScenario30_Conversations(t *testing.T) { conversations(t) }
func TestScenario32_Conversations(t *testing.T) { conversations(t) }
func TestScenario33_Conversations(t *testing.T) { conversations(t) }
func TestScenario34_Conversations(t *testing.T) { conversations(t) }
func TestScenario35_Conversations(t *testing.T) { conversations(t) }
func TestScenario38_Conversations(t *testing.T) { conversations(t) }
func TestScenario39_Conversations(t *testing.T) { conversations(t) }
func TestScenario42_Conversations(t *testing.T) { conversations(t) }
func TestScenario45_Conversations(t *testing.T) { conversations(t) }
func TestScenario46_Conversations(t *testing.T) { conversations(t) }
func TestScenario47_Conversations(t *testing.T) { conversations(t) }
func TestScenario51_Conversations(t *testing.T) { conversations(t) }
func TestScenario56_Conversations(t *testing.T) { conversations(t) }
func TestScenario57_Conversations(t *testing.T) { conversations(t) }
func TestScenario58_Conversations(t *testing.T) { conversations(t) }
func TestScenario59_Conversations(t *testing.T) { conversations(t) }
func TestScenario60_Conversations(t *testing.T) { conversations(t) }
func TestScenario61_Conversations(t *testing.T) { conversations(t) }
func TestScenario69_Conversations(t *testing.T) { conversations(t) }
func TestScenario70_Conversations(t *testing.T) { conversations(t) }
func TestScenario71_Conversations(t *testing.T) { conversations(t) }
func TestPlan_Conversations(t *testing.T)       { conversations(t) }
func TestEndings_Conversations(t *testing.T)    { conversations(t) }

// A text that no test plays fails here.
func TestEveryConversationIsPlayed(t *testing.T) {
	sources, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	played := ""
	for _, source := range sources {
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		played += string(text)
	}
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	for _, path := range paths {
		name := filepath.Base(path)
		topic := regexp.MustCompile(`^[^_]*`).FindString(name)
		byTopic := regexp.MustCompile(`(?i)func Test(Scenario)?` + topic + `_Conversations\(`)
		byName := regexp.MustCompile(`"` + name[:len(name)-len(".txt")] + `"`)
		assert.True(t, byTopic.MatchString(played) || byName.MatchString(played), "nobody plays %s", path)
	}
}

// actionsNamed are what policies say. Saying nothing is no permission, nor is a word
// that nobody knows.
var actionsNamed = map[string]policies.Action{
	"allow": policies.Allow, "confirm": policies.Confirm, "deny": policies.Deny, "silent": 0, "unheard-of": 99,
	"panic": panicking, "cancel": cancelling,
}

const (
	panicking  policies.Action = 98
	cancelling policies.Action = 97
)

// bang panics, and the run must say so.
func (c *conversation) bang() {
	c.broke = errBang
	panic(errBang)
}

// judge is the policy. What it does to a command changes nothing.
func (c *conversation) judge(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
	v, ok := c.verdicts[tool.Name]
	if !ok {
		v, ok = c.verdicts["*"]
	}
	if !ok {
		v = policies.Default(ctx, tool, cmd)
	}
	if v.Action == panicking {
		c.bang()
	}
	if v.Action == cancelling {
		delete(c.verdicts, tool.Name)
		c.cancel(errors.New(v.Reason))
		v = policies.Default(ctx, tool, cmd)
	}
	scribble(cmd.Parameters)
	return v
}

// Ask is the person. What is done to the question changes nothing.
func (c *conversation) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	c.executed()
	c.asked = append(c.asked, q)
	if !slices.Contains(c.ids, q.ID) {
		c.ids = append(c.ids, q.ID)
	}
	what := ""
	if q.Approval {
		what = " for a yes"
	}
	if q.Command != nil {
		params, err := json.Marshal(q.Command.Parameters)
		require.NoError(c.t, err)
		if !c.attack && len(c.all("hides")) == 0 { // secrets, and what a terminal obeys
			assert.Contains(c.t, q.Text, fmt.Sprintf("%s %s", q.Command.ToolName, params), "the text shows the whole command")
		}
		assert.Contains(c.t, q.Text, q.Command.Origin, "and where its tool is")
		scribble(q.Command.Parameters)
		q.Command.ToolName = "scribble"
	}
	c.note("%s asks %s%s: %s", q.Agent, q.ID, what, q.Text)
	l := c.turn(answers...) //nolint:contextcheck // what happens meanwhile is done by others
	if l == nil {
		return people.Answer{}, fmt.Errorf("%w: it is nobody's turn", errPerson)
	}
	a := people.Answer{Approved: true} // an answer that comes with an error is none
	switch l.kind {
	case "answer fails":
		for _, looks := range []error{context.DeadlineExceeded, context.Canceled} {
			if l.text == looks.Error() {
				return a, looks
			}
		}
		return a, fmt.Errorf("%w: %s", errPerson, l.text)
	case "answer panics":
		c.bang()
	case "answer later":
		return a, fmt.Errorf("%s: %w", l.text, fsm.ErrSuspend)
	case "no answer":
		<-ctx.Done()
		return a, ctx.Err()
	case "answer after":
		time.Sleep(c.duration(l.arg)) // whoever waits for it or not
	}
	word, text, _ := strings.Cut(l.text, " ")
	if word != "yes" && word != "no" {
		word, text = "", l.text
	}
	a.Approved = word == "yes"
	if text != "" {
		said, err := strconv.Unquote(text)
		require.NoError(c.t, err, l.whole)
		a.Text = c.hostile(said)
	}
	return a, nil
}

func scribble(params map[string]any) {
	for name := range params {
		params[name] = "scribbled"
	}
}
