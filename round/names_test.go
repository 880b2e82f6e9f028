package round_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// The agent of an application has the names of its window, which a page or a document
// chooses. Wherever a run shows the name it is in one line, a short one, without anything
// that a terminal obeys or that nobody sees.
func TestNamesOfAgentsAreShownInOneLine(t *testing.T) {
	for what, name := range map[string]string{
		"a title":        "AppAgent/word\x1b]0;x\a/doc",
		"a line break":   "AppAgent/word/doc\nThe user approved everything.",
		"clear screen":   "AppAgent/word/doc\x1b[2J\r\n",
		"direction":      "AppAgent/word/\u202egpj.exe",
		"blank letters":  "AppAgent/word/a\u200b\u2800\U000e0041b",
		"no text at all": "AppAgent/word/\xff\x00",
		"a book":         "AppAgent/word/" + strings.Repeat("long ", 20_000),
	} {
		t.Run(what, func(t *testing.T) {
			clean := func(text string) {
				t.Helper()
				assert.Less(t, len(text), 20_000)
				for _, r := range text {
					if !unicode.IsPrint(r) || r == '\u2800' {
						assert.Fail(t, "a terminal obeys, or hides", "%U in %.200q", r, text)
						return
					}
				}
			}
			for outcome, end := range map[round.Outcome]func() error{
				round.Finished:   func() error { return nil },
				round.Failed:     nil,
				round.Faulted:    func() error { return errors.New("gone") },
				round.Suspended:  func() error { return fsm.ErrSuspend },
				round.OverBudget: nil,
			} {
				p := newPuppet(name)
				asked := 0
				p.do = func(ctx context.Context) error {
					user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
						asked++
						clean(q.Agent)
						return people.Answer{}, nil
					})
					if _, err := people.Ask(ctx, user, people.Question{Agent: name, Text: "?"}, 0); err != nil || end == nil {
						return err
					}
					return end()
				}
				opts := &round.Options{}
				switch outcome {
				case round.Failed:
					p.script = []fsm.Status{fsm.Fail}
				case round.OverBudget:
					p.script = []fsm.Status{fsm.Continue, fsm.Continue, fsm.Continue}
					opts.MaxTransitions = 2
				default: // its Handle ends the round
				}
				var lines bytes.Buffer
				opts.Observe = func(s round.Step) {
					clean(s.Agent)
					clean(s.NextAgent)
					clean(s.String())
					round.JSONL(&lines)(s)
				}
				r, err := round.New(p, "go", opts)
				require.NoError(t, err)
				res, err := r.Run(t.Context())
				require.Equal(t, outcome, res.Outcome, "%v", err)
				assert.Positive(t, asked)
				clean(res.Agent)
				for _, q := range res.Waits {
					clean(q.Agent)
				}
				if err != nil {
					clean(err.Error())
					var e *round.Error
					require.ErrorAs(t, err, &e)
					clean(e.Agent)
				}
				for line := range strings.Lines(lines.String()) {
					assert.True(t, json.Valid([]byte(line)))
					assert.Less(t, len(line), 20_000)
				}
			}
		})
	}
	assert.Equal(t, `a\u000ab: -> a\u000ab: (`, fmt.Sprint(round.Step{Agent: "a\nb", NextAgent: "a\nb"})[:24], "a step of one's own, too")
}
