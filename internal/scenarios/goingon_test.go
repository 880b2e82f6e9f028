package scenarios_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// slowModel takes its time.
type slowModel struct {
	llm.Model
	takes time.Duration
}

func (m slowModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(m.takes):
		return m.Model.Complete(ctx, req)
	}
}

// longRound is a round in which a lot happens: a question, approvals of both
// agents, the same action several times, two applications, one of them launched.
func longRound(t *testing.T) *stage {
	again := call("CONTINUE", "note", map[string]any{"text": "again"})
	s := onStage(t,
		pending("", "Which year?"),
		call("CONTINUE", "wipe", everything),
		assign("0", "extract"),
		again, again, again, again,
		call("CONTINUE", "wipe", map[string]any{"what": "the rest"}),
		status(fsm.Screenshot),
		finish("r1"),
		assign("1", "draw"),
		map[string]any{"Status": "FAIL", "Comment": "no data"},
		assign("1", "draw again"),
		finish("r2"),
		finish("done"),
	)
	s.Desktop.Gone(s.Excel)
	s.Desktop.AddTools(
		desktoptest.Tool{Name: "wipe", Schema: wipeSchema, Annotations: desktop.Annotations{DestructiveHint: true}},
		desktoptest.Tool{Name: "note", Schema: noteSchema},
	)
	s.Config.Apps = []hostagent.Program{{Name: "excel"}}
	s.Config.Model = slowModel{s.Model, time.Second}
	s.Config.User = &person{answers: []any{"2024", true, true}}
	s.Config.Now = func() time.Time { return time.Time{} }
	return s
}

func (s *stage) acted() []string {
	var list []string
	for _, e := range s.Desktop.Actions() {
		list = append(list, e.String())
	}
	return list
}

func TestScenario36_GoesOnWithAHigherBound(t *testing.T) {
	price := func(_ string, u llm.Usage) float64 { return float64(u.Total()) }
	bounds := map[string]struct {
		raise func(o *round.Options, by int) string // returns the bound's new value
		by    int
	}{
		"MaxSteps":       {func(o *round.Options, by int) string { o.MaxSteps += by; return fmt.Sprint(o.MaxSteps) }, 1},
		"MaxCalls":       {func(o *round.Options, by int) string { o.MaxCalls += by; return fmt.Sprint(o.MaxCalls) }, 1},
		"MaxTransitions": {func(o *round.Options, by int) string { o.MaxTransitions += by; return fmt.Sprint(o.MaxTransitions) }, 1},
		"MaxRepeats":     {func(o *round.Options, by int) string { o.MaxRepeats += by; return fmt.Sprint(o.MaxRepeats) }, 1},
		"MaxTokens":      {func(o *round.Options, by int) string { o.MaxTokens += by; return fmt.Sprint(o.MaxTokens) }, 7},
		"MaxCost":        {func(o *round.Options, by int) string { o.MaxCost += float64(by); return fmt.Sprint(o.MaxCost) }, 7},
		"MaxDuration": {func(o *round.Options, by int) string {
			o.MaxDuration += time.Duration(by) * time.Millisecond
			return o.MaxDuration.String()
		}, 1500},
		"MaxSessionSteps":  {func(o *round.Options, by int) string { o.MaxSessionSteps += by; return fmt.Sprint(o.MaxSessionSteps) }, 1},
		"MaxSessionTokens": {func(o *round.Options, by int) string { o.MaxSessionTokens += by; return fmt.Sprint(o.MaxSessionTokens) }, 7},
		"MaxSessionCost": {func(o *round.Options, by int) string {
			o.MaxSessionCost += float64(by)
			return fmt.Sprint(o.MaxSessionCost)
		}, 7},
	}
	for bound, c := range bounds {
		t.Run(bound, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				whole := longRound(t)
				whole.Options.Price = price
				want, err := whole.session().Run(t.Context(), "extract and draw")
				require.NoError(t, err)

				s := longRound(t)
				s.Options.Price = price
				limit := c.raise(&s.Options, c.by)
				r, err := s.session().Start("extract and draw")
				require.NoError(t, err)
				stops := 0
				for {
					res, err := r.Run(t.Context())
					if err == nil {
						break
					}
					stops++
					require.Less(t, stops, 200)
					budget, ok := errors.AsType[*round.BudgetError](err)
					require.True(t, ok, "%v", err)
					require.ErrorIs(t, err, round.ErrBudget)
					assert.Equal(t, bound, budget.Bound)
					assert.Equal(t, limit, budget.Limit)
					assert.Equal(t, res.Agent+":"+string(res.Status), budget.Positions[len(budget.Positions)-1])
					assert.Contains(t, err.Error(), budget.Positions[0])
					assert.Equal(t, round.OverBudget, res.Outcome)
					assert.Equal(t, err, res.Err)
					assert.Equal(t, len(s.Steps), res.Transitions, "a partial result")
					assert.Empty(t, res.Answer)

					// With the bound as it is, it stops at the same place.
					calls := len(s.Model.Requests())
					again, err := r.Run(t.Context())
					require.ErrorIs(t, err, round.ErrBudget)
					assert.Equal(t, res.Agent, again.Agent)
					assert.Equal(t, res.Status, again.Status)
					assert.Equal(t, res.Steps, again.Steps)
					assert.Len(t, s.Model.Requests(), calls)
					r.Adjust(func(o *round.Options) { limit = c.raise(o, c.by) })
				}
				require.NotZero(t, stops)
				assert.Equal(t, whole.positions(), s.positions(), "it ends as it would have")
				assert.Equal(t, whole.acted(), s.acted(), "nothing is done twice")
				got := r.Result()
				got.Calls = want.Calls // calls that were refused or cut off may count
				assert.Equal(t, want, got)
				assert.Len(t, s.Model.Requests(), want.Calls, "each reply was asked for once")
				for i, req := range s.Model.Requests() {
					assert.Len(t, req.Messages, len(whole.Model.Requests()[i].Messages))
				}
			})
		})
	}
}
