package durable_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// A process dies while it sets a text. The next one sets it again, since that does no harm, on the control that it was
// approved for, and asks nobody: it is the same act. On a control that is another one by now it does nothing.
func TestAnIdempotentActIsRepeated(t *testing.T) {
	asks := func(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
		return policies.Verdict{Action: policies.Confirm, Reason: "it is new"}
	}
	for name, c := range map[string]struct {
		policy  policies.Func
		appends int // up to the intent
		renamed bool
		asked   int
		set     int
	}{
		"approved":             {policies.All(asks, policies.AskUncertain()), 4, false, 1, 2},
		"approved for another": {policies.All(asks, policies.AskUncertain()), 4, true, 1, 1},
		"allowed":              {policies.AskUncertain(), 2, false, 0, 2},
		"allowed for another":  {policies.AskUncertain(), 2, true, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w, asked := newWorld(t), 0
			agent := func(d desktop.Desktop) *appagent.Agent {
				a, err := appagent.New(appagent.Config{
					Desktop: d, Window: desktop.Window{ID: "1", Root: "excel", Process: "book"}, NoImages: true, Policy: c.policy,
					Model: llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
						if _, acted := llm.FindSection(req, "history"); acted {
							return &llm.Response{Text: `{"Status":"FINISH","Comment":"done","Open":{"act_1":"done: it is set"}}`}, nil
						}
						return &llm.Response{Text: `{"Status":"CONTINUE","Function":"set_edit_text","Args":{"id":"rows","text":"7"}}`}, nil
					}),
					User: people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
						asked++
						return people.Answer{Approved: true}, nil
					}),
				})
				require.NoError(t, err)
				return a
			}
			w.store.start(c.appends+1, false) // it has executed the act
			s, err := durable.Open(t.Context(), agent(w.desk), w.store, "run", nil)
			require.NoError(t, err)
			_, err = s.Run(t.Context(), "set it")
			require.ErrorIs(t, err, round.ErrLost)
			kinds, _ := w.records()
			require.Equal(t, "intent", kinds[len(kinds)-1], kinds)
			w.store.start(0, false)
			if c.renamed {
				w.excel.ChangeControl("rows", func(now *desktop.Control) { now.Name = "price" })
			}
			s, err = durable.Open(t.Context(), agent(w.desk), w.store, "run", &durable.Options{Existing: true})
			require.NoError(t, err)
			res, err := s.Round().Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.asked, asked)
			assert.Len(t, w.desk.Calls("set_edit_text"), c.set)
			again, err := durable.Replay(t.Context(), agent(untouchable{t}), w.store, "run", nil)
			require.NoError(t, err)
			assert.Equal(t, res, again)
		})
	}
}
