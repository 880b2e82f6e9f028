package scenarios_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// several is a decision with a list of actions.
func several(s fsm.Status, actions ...any) any {
	return map[string]any{"Status": s, "Actions": actions, "Result": "said beside the actions"}
}

func action(function string, args map[string]any) any {
	return map[string]any{"Function": function, "Args": args}
}

func note(text string) any { return action("note", map[string]any{"text": text}) }

// onLabel is an action on a control.
func onLabel(label, function string, args map[string]any) any {
	return map[string]any{"Function": function, "ControlLabel": label, "Args": args}
}

// did is what was carried out, in order.
func (s *scene) did() []string {
	var list []string
	for _, e := range s.Desktop.Actions() {
		if e.Executed {
			line := e.Command.ToolName
			for _, name := range []string{"id", "text", "what"} {
				if v, ok := e.Command.Parameters[name].(string); ok {
					line += " " + v
				}
			}
			list = append(list, line)
		}
	}
	return list
}

// told is what the second prompt says of the actions of the step before it.
func (s *scene) told() []string {
	s.t.Helper()
	history := prompt[[]acting.Memo](s.stage, 1, "history")
	var list []string
	for _, a := range history[len(history)-1].Actions {
		line := a.Tool + " " + string(a.Status)
		if a.Error != "" {
			line += ": " + a.Error
		}
		list = append(list, line)
	}
	return list
}

func TestScenario29_ListRunsInOrder(t *testing.T) {
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		s := open(several("CONTINUE", note("one"), note("two"), onLabel("5", "click_input", nil), note("three")), finish("done"))
		s.Word.SetControls(desktop.Control{ID: "5", Name: "Save"})
		res, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, "done", res.Answer)
		assert.Equal(t, []string{"note one", "note two", "click_input 5", "note three"}, s.did())
		assert.Equal(t, []string{"note success", "note success", "click_input success", "note success"}, s.told())
		assert.False(t, s.hasSection(1, "last_error"))
		assert.Equal(t, 2, res.Steps, "a list is one step")
		assert.Equal(t, 2, res.Calls)
	})
}

func TestScenario29_FinishOfASoundListIsBelieved(t *testing.T) {
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		s := open(several("FINISH", note("one"), note("two")))
		res, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, "said beside the actions", res.Answer)
		assert.Equal(t, []string{"note one", "note two"}, s.did())
	})
}

func TestScenario29_ListStopsAtItsFirstFailure(t *testing.T) {
	allow := policies.Verdict{Action: policies.Allow}
	for name, c := range map[string]struct {
		prepare func(*scene)
		why     string
	}{
		"the tool says no":    {func(s *scene) { s.Desktop.Fail("wipe", "in use") }, "in use"},
		"no answer in time":   {func(s *scene) { s.Desktop.Slow("wipe", time.Hour) }, "no answer in time; it may or may not have happened"},
		"skipped by the tool": {func(s *scene) { s.Desktop.Lie("wipe", desktop.Result{Status: desktop.Skipped, Error: "later"}) }, "the desktop skipped it: later"},
		"denied": {func(s *scene) {
			s.Config.Policy = func(_ context.Context, tool desktop.Tool, _ desktop.Command) policies.Verdict {
				if tool.Name == "wipe" {
					return policies.Verdict{Action: policies.Deny, Reason: "it is Friday"}
				}
				return allow
			}
		}, "denied by policy: it is Friday"},
	} {
		for _, status := range []fsm.Status{fsm.Finish, fsm.Continue, fsm.Screenshot} {
			t.Run(name+"/"+string(status), func(t *testing.T) {
				forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
					s := open(several(status, note("one"), action("wipe", everything), note("two"), note("three")), finish("now"))
					s.Config.Policy = func(context.Context, desktop.Tool, desktop.Command) policies.Verdict { return allow }
					c.prepare(s)
					res, err := s.play()
					require.NoError(t, err)
					assert.Equal(t, "now", res.Answer, "FINISH beside a failed action is not believed")
					assert.Equal(t, []string{"note one"}, s.did())
					assert.Equal(t, 1, s.Desktop.Count("note"), "the rest was not tried")
					skipped := "note skipped: an action before it " + map[bool]string{true: "was denied", false: "failed"}[name == "denied"]
					assert.Equal(t, []string{"note success", "wipe failure: " + c.why, skipped, skipped}, s.told())
					assert.Equal(t, "wipe failed: "+c.why, prompt[string](s.stage, 1, "last_error"))
					assert.Equal(t, "CONTINUE > CONTINUE > FINISH", s.path())
					assert.Equal(t, fsm.BySystem, s.Steps[0].By)
				})
			})
		}
	}
}

// A failed action leaves a question alone: the person may know what to do.
func TestScenario29_QuestionBesideAFailure(t *testing.T) {
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		reply := several("PENDING", note("one"), note("two")).(map[string]any)
		reply["Questions"] = []string{"Which printer?"}
		s := open(reply, finish("done")).answered("the big one")
		s.Desktop.Fail("note", "no paper")
		_, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, "CONTINUE > PENDING > CONTINUE > FINISH", s.path())
		assert.Equal(t, []string{"note failure: no paper", "note skipped: an action before it failed"}, s.told())
		assert.Len(t, s.Person.Asked, 1)
	})
}

// The transport breaks in the middle: nobody knows, so the run does not go on,
// but what was done is remembered.
func TestScenario29_TransportBreaksInTheMiddle(t *testing.T) {
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		cut := errors.New("cable cut")
		s := open(several("FINISH", note("one"), action("wait", map[string]any{"seconds": 0}), note("two")))
		s.Desktop.Break(desktop.Wait, cut).Late()
		res, err := s.play()
		require.ErrorIs(t, err, cut)
		assert.Equal(t, fsm.Error, res.Status)
		assert.Empty(t, res.Answer)
		assert.Equal(t, []string{"note one"}, s.did(), "wait only looks, so to say")
		memory := s.agent().(interface{ Memory() acting.Memory }).Memory()
		acts := memory.Items[0].Actions
		require.Len(t, acts, 3)
		assert.Equal(t, []desktop.Status{desktop.Success, desktop.Failure, desktop.Skipped}, []desktop.Status{acts[0].Status, acts[1].Status, acts[2].Status})
		assert.Contains(t, acts[1].Error, "it may or may not have happened")
	})
}

func TestScenario29_CancelledInTheMiddle(t *testing.T) {
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		stop := errors.New("stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		s := open(several("FINISH", note("one"), note("two"), note("three")), finish("later"))
		s.Desktop.After("note", func(call desktoptest.Call) {
			if call.String("text") == "two" {
				cancel(stop)
			}
		})
		res, err := s.playUnder(ctx)
		require.ErrorIs(t, err, stop)
		require.ErrorIs(t, err, round.ErrCancelled)
		assert.Equal(t, fsm.Continue, res.Status)
		assert.Equal(t, []string{"note one", "note two"}, s.did())
		res, err = s.play()
		require.NoError(t, err)
		assert.Equal(t, "later", res.Answer)
		assert.Equal(t, []string{"note one", "note two"}, s.did(), "nothing is done twice")
		assert.Equal(t, []string{"note success", "note success", "note skipped: not executed"}, s.told())
	})
}

// One action with a claim is a list of one.
func TestScenario29_SingleFailedActionClaimsFinish(t *testing.T) {
	reply := map[string]any{"Status": "FINISH", "Function": "note", "Args": map[string]any{"text": "one"}, "Result": "too early"}
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		s := open(reply, finish("now"))
		s.Desktop.Fail("note", "no paper").Times(1)
		res, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, "now", res.Answer)
		assert.Equal(t, "CONTINUE > CONTINUE > FINISH", s.path())
		assert.Equal(t, fsm.BySystem, s.Steps[0].By)
		assert.Equal(t, []string{"note failure: no paper"}, s.told())
		assert.Equal(t, "note failed: no paper", prompt[string](s.stage, 1, "last_error"))
	})
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		s := open(several("FINISH", note("one")), finish("now"))
		s.Desktop.Fail("note", "no paper")
		res, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, "now", res.Answer)
	})
}

func TestScenario29_ApprovalInTheMiddle(t *testing.T) {
	list := several("FINISH", note("one"), action("wipe", everything), note("two"))
	waits := []string{"note success", "wipe skipped: it waits for approval", "note skipped: an action before it waits for approval"}
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		s := open(list, finish("now"))
		s.answered(func(context.Context, people.Question) (people.Answer, error) {
			assert.Equal(t, []string{"note one"}, s.did(), "what is before it is done, it and what is behind it are not")
			return people.Answer{Approved: true}, nil
		})
		res, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, "now", res.Answer, "FINISH was for all of the list")
		assert.Equal(t, []string{"note one", "wipe everything"}, s.did())
		assert.Equal(t, "CONTINUE > CONFIRM > CONTINUE > FINISH", s.path())
		history := prompt[[]acting.Memo](s.stage, 1, "history")
		require.Len(t, history, 2)
		assert.Equal(t, []string{"wipe success"}, s.told(), "after approval")
		var first []string
		for _, a := range history[0].Actions {
			first = append(first, a.Tool+" "+string(a.Status)+strings.TrimSuffix(": "+a.Error, ": "))
		}
		assert.Equal(t, waits, first)
	})
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		s := open(list).answered(false)
		res, err := s.play()
		s.failed(res, err, fsm.ByUser, "not approved: wipe")
		assert.Equal(t, []string{"note one"}, s.did())
	})
}

// An action may refer to what is on the blackboard, not to what an action before
// it is going to return.
func TestScenario29_References(t *testing.T) {
	refer := func(path string) any {
		return action("note", map[string]any{"text": map[string]any{"$ref": path}})
	}
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		long := strings.Repeat("x", 3*acting.MaxOutput)
		s := open(
			several("CONTINUE", action("report", nil)),
			several("CONTINUE", note("one"), refer("action_result_1"), refer("subject")),
			several("FINISH", action("report", nil), refer("action_result_2")), // it is not there yet
			finish("done"))
		s.Desktop.AddTools(desktoptest.Tool{Name: "report", Returns: long})
		s.Config.Board = blackboard.New(nil)
		require.NoError(t, s.Config.Board.PutRaw("subject", []byte(`"costs"`)))
		_, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, []string{"report", "note one", "note " + long, "note costs"}, s.did(), "and nothing of the list with the reference that leads nowhere")
		assert.Contains(t, prompt[string](s.stage, 3, "last_error"), `$ref "action_result_2"`)
		assert.Len(t, prompt[[]acting.Memo](s.stage, 3, "history"), 2, "a refused reply was no step")
	})
}

func TestScenario29_InvalidListIsFedBackBeforeAnythingRuns(t *testing.T) {
	many := make([]any, 21)
	for i := range many {
		many[i] = note("again")
	}
	for name, c := range map[string]struct {
		reply any
		says  string
	}{
		"a tool that does not exist": {several("FINISH", note("one"), action("fly", nil)), `unknown tool "fly"`},
		"no tool":                    {several("FINISH", note("one"), map[string]any{"Args": map[string]any{"text": "x"}}), "Function"},
		"arguments that do not fit":  {several("FINISH", note("one"), action("note", map[string]any{"text": 7})), "$.text: must be of type string"},
		"a reference to nowhere":     {several("FINISH", note("one"), action("note", map[string]any{"text": map[string]any{"$ref": "nowhere"}})), `$ref "nowhere"`},
		"a control that was not shown": {
			several("FINISH", note("one"), onLabel("9", "click_input", nil)), `ControlLabel "9" is not among the controls that were shown`,
		},
		"two controls in one": {
			several("FINISH", note("one"), onLabel("5", "click_input", map[string]any{"id": "6"})), `ControlLabel is "5", but the argument id is "6"`,
		},
		"a call beside the list": {
			map[string]any{"Status": "FINISH", "Function": "note", "Args": map[string]any{"text": "x"}, "Actions": []any{note("one")}},
			"give either Function or Actions, not both",
		},
		"too many": {several("FINISH", many...), "there are 21 Actions; give at most 20"},
	} {
		t.Run(name, func(t *testing.T) {
			forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
				s := open(c.reply, several("FINISH", note("better")))
				s.Word.SetControls(desktop.Control{ID: "5"}, desktop.Control{ID: "6"})
				res, err := s.play()
				require.NoError(t, err)
				assert.Equal(t, []string{"note better"}, s.did())
				assert.Contains(t, prompt[string](s.stage, 1, "last_error"), c.says)
				assert.Equal(t, 1, res.Steps)
				assert.Equal(t, 2, res.Calls)
			})
		})
	}
}
