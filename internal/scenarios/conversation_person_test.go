package scenarios_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// answers are the lines of a person.
var answers = []string{"answer", "answer after", "answer fails", "answer panics", "answer later", "no answer"}

// actionsNamed are what policies say. Saying nothing is no permission, nor is a word
// that nobody knows.
var actionsNamed = map[string]policies.Action{
	"allow": policies.Allow, "confirm": policies.Confirm, "deny": policies.Deny, "silent": 0, "unheard-of": 99,
	"panic": panicking,
}

const panicking policies.Action = 98

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
	scribble(cmd.Parameters)
	return v
}

// Ask is the person. What is done to the question changes nothing.
func (c *conversation) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	c.executed()
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
		assert.Contains(c.t, q.Text, fmt.Sprintf("%s %s", q.Command.ToolName, params), "the text shows the whole command")
		assert.Contains(c.t, q.Text, q.Command.Origin, "and where its tool is")
		scribble(q.Command.Parameters)
		q.Command.ToolName = "scribble"
	}
	c.note("%s asks %s%s: %s", q.Agent, q.ID, what, q.Text)
	l := c.turn(answers...) //nolint:contextcheck // what happens meanwhile is done by others
	if l == nil {
		return people.Answer{}, fmt.Errorf("%w: it is nobody's turn", errPerson)
	}
	switch l.kind {
	case "answer fails":
		for _, looks := range []error{context.DeadlineExceeded, context.Canceled} {
			if l.text == looks.Error() {
				return people.Answer{}, looks
			}
		}
		return people.Answer{}, fmt.Errorf("%w: %s", errPerson, l.text)
	case "answer panics":
		c.bang()
	case "answer later":
		return people.Answer{}, fmt.Errorf("%s: %w", l.text, fsm.ErrSuspend)
	case "no answer":
		<-ctx.Done()
		return people.Answer{}, ctx.Err()
	case "answer after":
		time.Sleep(c.duration(l.arg)) // whoever waits for it or not
	}
	var a people.Answer
	word, text, _ := strings.Cut(l.text, " ")
	if word != "yes" && word != "no" {
		word, text = "", l.text
	}
	a.Approved = word == "yes"
	if text != "" {
		said, err := strconv.Unquote(text)
		require.NoError(c.t, err, l.whole)
		a.Text = said
	}
	return a, nil
}

func scribble(params map[string]any) {
	for name := range params {
		params[name] = "scribbled"
	}
}
