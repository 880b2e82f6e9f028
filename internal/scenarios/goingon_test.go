package scenarios_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/savetest"
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
	bounds := map[string]float64{ // and by how much each is raised
		"MaxSteps": 1, "MaxCalls": 1, "MaxTransitions": 1, "MaxRepeats": 1, "MaxTokens": 7, "MaxCost": 7,
		"MaxDuration": float64(1500 * time.Millisecond), "MaxSessionSteps": 1, "MaxSessionTokens": 7, "MaxSessionCost": 7,
	}
	raise := func(o *round.Options, bound string) (value string) {
		field := reflect.ValueOf(o).Elem().FieldByName(bound)
		if field.CanFloat() {
			field.SetFloat(field.Float() + bounds[bound])
		} else {
			field.SetInt(field.Int() + int64(bounds[bound]))
		}
		return fmt.Sprint(field.Interface())
	}
	for bound := range bounds {
		t.Run(bound, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				whole := longRound(t)
				whole.Options.Price = price
				want, err := whole.session().Run(t.Context(), "extract and draw")
				require.NoError(t, err)

				s := longRound(t)
				s.Options.Price = price
				limit := raise(&s.Options, bound)
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
					r.Adjust(func(o *round.Options) { limit = raise(o, bound) })
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

func TestScenario38_OtherArgumentsVoidTheApproval(t *testing.T) {
	// The data of the agent lies somewhere between question and execution, and
	// there something in it changes.
	for name, change := range map[string]func(act, command map[string]any){
		"an argument": func(_, command map[string]any) { command["parameters"] = map[string]any{"what": "more than that"} },
		"one argument on": func(_, command map[string]any) {
			command["parameters"] = map[string]any{"what": "everything", "id": "5"}
		},
		"the tool": func(_, command map[string]any) {
			command["tool_name"], command["parameters"] = "note", map[string]any{"text": "everything"}
		},
		"the target": func(act, _ map[string]any) { act["target"], act["label"] = "something else", "7" },
	} {
		for _, when := range []fsm.Status{fsm.Confirm, fsm.Continue} {
			t.Run(name+"/then "+string(when), func(t *testing.T) {
				forBoth(t, func(t *testing.T, open func(...any) *scene) {
					// Changed before the question it cannot be approved at all.
					fails := when == fsm.Confirm && name != "the target"
					replies := []any{call("FINISH", "wipe", everything)}
					if !fails {
						replies = append(replies, finish("done"))
					}
					s := open(replies...).answered(true)
					s.Options.Observe = func(step round.Step) {
						if step.To != when || when == fsm.Continue && step.From != fsm.Confirm {
							return
						}
						savetest.Change(t, s.agent().(fsm.Saver), func(state map[string]any) {
							act := state["approval"].(map[string]any)["act"].(map[string]any)
							change(act, act["command"].(map[string]any))
						})
					}
					res, err := s.play()
					assert.Empty(t, s.Desktop.Calls("wipe"))
					assert.Empty(t, s.Desktop.Calls("note"))
					if fails {
						s.failed(res, err, fsm.BySystem, "changed while it was being approved")
						return
					}
					require.NoError(t, err)
					assert.Equal(t, "CONTINUE > CONFIRM > CONTINUE > FINISH", s.path())
					assert.Regexp(t, "void|not there any more", prompt[string](s.stage, 1, "last_error"))
				})
			})
		}
	}
}
