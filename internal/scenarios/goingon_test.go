package scenarios_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

var (
	errGoHome     = errors.New("it is late")
	used          = llm.Usage{InputTokens: 10, OutputTokens: 5} // what every reply of a script costs
	nobodyAnswers = people.UserFunc(func(ctx context.Context, _ people.Question) (people.Answer, error) {
		<-ctx.Done()
		return people.Answer{}, ctx.Err()
	})
)

// a token costs 2, so that a cost is not taken for a number of tokens.
func price(_ string, u llm.Usage) float64 { return 2 * float64(u.Total()) }

// slowModel takes a second for each call.
type slowModel struct{ llm.Model }

func (m slowModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(time.Second):
		return m.Model.Complete(ctx, req)
	}
}

// longRound is a round in which a lot happens: a question, approvals of both
// agents, the same action several times, two applications, one of them launched.
func longRound(t *testing.T) *stage {
	again := call("CONTINUE", "note", map[string]any{"text": "again"})
	wipe := call("CONTINUE", "wipe", map[string]any{"what": "everything"})
	s := onStage(t,
		map[string]any{"Status": "PENDING", "Questions": []string{"Which year?"}}, wipe,
		assign("0", "extract"), again, again, again, again, wipe, status(fsm.Screenshot), finish("r1"),
		assign("1", "draw"), map[string]any{"Status": "FAIL", "Comment": "no data"},
		assign("1", "draw again"), finish("r2"), leaving("done", "subtask_2"),
	)
	s.Desktop.Gone(s.Excel)
	s.Desktop.AddTools(desktoptest.Tool{Name: "wipe", Annotations: desktop.Annotations{DestructiveHint: true}}, desktoptest.Tool{Name: "note"})
	s.Config.Apps = []hostagent.Program{{Name: "excel"}}
	s.Config.Model = slowModel{s.Model}
	s.Config.User = people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{Text: "2024", Approved: true}, nil
	})
	s.Options.Price = price
	return s
}

func (s *stage) acted() (list []string) {
	for _, e := range s.Desktop.Actions() {
		list = append(list, e.String())
	}
	return list
}

func TestScenario36_GoesOnWithAHigherBound(t *testing.T) {
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
				want, err := whole.session().Run(t.Context(), "extract and draw")
				require.NoError(t, err)

				s := longRound(t)
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
					assert.Equal(t, bound, budget.Bound)
					assert.Equal(t, limit, budget.Limit)
					assert.Contains(t, err.Error(), res.Agent+":"+string(res.Status))

					// With the bound as it is, it stops at the same place.
					calls := len(s.Model.Requests())
					again, err := r.Run(t.Context())
					require.ErrorIs(t, err, round.ErrBudget)
					assert.Equal(t, []any{res.Agent, res.Status, res.Steps}, []any{again.Agent, again.Status, again.Steps})
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
			})
		})
	}
}

// Zero is the documented default, a number is the bound, and a negative one is none.
func TestScenario39_Bounds(t *testing.T) {
	const goOn, note = `{"Status": "CONTINUE"}`, `{"Status": "CONTINUE", "Function": "note"}`
	for bound, c := range map[string]struct {
		byDefault int
		reply     string
		set       func(o *round.Options, value int)
	}{
		"MaxSteps":       {50, goOn, func(o *round.Options, value int) { o.MaxSteps = value }},
		"MaxTransitions": {200, goOn, func(o *round.Options, value int) { o.MaxTransitions, o.MaxSteps = value, -1 }},
		"MaxRepeats":     {10, note, func(o *round.Options, value int) { o.MaxRepeats = value }},
		"MaxCalls":       {200, "no JSON", func(o *round.Options, value int) { o.MaxCalls = value }},
	} {
		for value, want := range map[int]int{0: c.byDefault, 3: 3, -1: c.byDefault + 5} {
			t.Run(fmt.Sprint(bound, " ", value), func(t *testing.T) {
				s := onStage(t)
				s.Desktop.AddTools(desktoptest.Tool{Name: "note"})
				calls := 0
				s.Config.MaxReasks = -1
				s.Config.Model = llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
					if calls++; calls == c.byDefault+5 {
						return &llm.Response{Text: `{"Status": "FINISH", "Comment": "done"}`}, nil
					}
					return &llm.Response{Text: c.reply}, nil
				})
				c.set(&s.Options, value)
				_, err := s.run("go")
				assert.Equal(t, want, calls)
				if value < 0 {
					require.NoError(t, err)
				} else {
					require.ErrorContains(t, err, fmt.Sprintf("%s of %d reached", bound, want))
				}
			})
		}
	}
}

func TestScenario40_ABudgetsErrorCannotBeSwallowed(t *testing.T) {
	bounds := map[string]round.Options{
		"MaxTokens":   {MaxTokens: 20},
		"MaxCost":     {MaxCost: 40},
		"MaxDuration": {MaxDuration: 1500 * time.Millisecond},
	}
	ways := map[string]func() error{
		"nothing":       func() error { return nil },
		"another error": func() error { return errors.New("something else") },
		"a suspension":  func() error { return fsm.ErrSuspend },
		"a cancel":      func() error { return context.Canceled },
		"a panic":       func() error { panic("something else") },
	}
	for bound, options := range bounds {
		for way, says := range ways {
			for _, to := range []fsm.Status{fsm.Continue, fsm.Finish} {
				t.Run(fmt.Sprintf("%s/%s/%s", bound, way, to), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						s := onStage(t)
						fine := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
							return &llm.Response{Text: "fine", Usage: used}, nil
						})
						s.Options = options
						s.Options.Price = price
						agent := &worker{name: "Deaf", script: []fsm.Status{to}}
						refused := 0
						agent.does = func(ctx context.Context) error { // does not listen, and goes on acting
							for range 3 {
								if _, err := llm.Complete(ctx, slowModel{fine}, &llm.Request{}); err != nil {
									refused++
									_, _ = desktop.Execute(ctx, s.Desktop, desktop.Shell("rm -r everything"))
								}
							}
							return says()
						}
						res, err := s.drive(agent, "go").Run(t.Context())
						budget, ok := errors.AsType[*round.BudgetError](err)
						require.True(t, ok, "%v", err)
						assert.Equal(t, bound, budget.Bound)
						require.NotErrorIs(t, err, round.ErrFault)
						assert.Equal(t, round.OverBudget, res.Outcome)
						assert.Equal(t, fsm.Continue, agent.Status(), "nothing moved")
						assert.Empty(t, res.Answer)
						assert.Positive(t, refused)
						assert.Empty(t, s.Desktop.Log(), "nothing is executed any more")
					})
				})
			}
		}
	}
}

// A result that is too long for a prompt travels whole by its reference.
func TestScenario03_LongResultsTravelByReference(t *testing.T) {
	long := strings.Repeat("row ", 2000)
	s := onStage(t,
		assign("0", "extract"), finish(long),
		assign("1", "copy"), call(fsm.Continue, "note", map[string]any{"text": map[string]any{"$ref": "subtask_result_1.data"}}),
		finish(map[string]any{"$ref": "subtask_result_1.data"}), finish("done"))
	s.Desktop.AddTools(desktoptest.Tool{Name: "note"})
	res, err := s.run("copy the table")
	require.NoError(t, err)
	assert.JSONEq(t, strconv.Quote(long), string(res.Subtasks[1].Result))
	assert.Equal(t, long, s.Desktop.Calls("note")[0].Command.Parameters["text"])
	before := prompt[[]blackboard.Subtask](s, 2, "previous_subtasks")
	assert.Less(t, len(before[0].Result), 4096)
	assert.Contains(t, string(before[0].Result), `"subtask_result_1.data"`)
}
