package scenarios_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/savetest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// whileAsked does something to the world between the question and the yes.
func whileAsked(change func()) any {
	return func(context.Context, people.Question) (people.Answer, error) {
		change()
		return people.Answer{Approved: true}, nil
	}
}

// void asserts that what was approved was not executed and that the model was
// told.
func (s *scene) void(tool string) {
	s.t.Helper()
	assert.Empty(s.t, s.Desktop.Calls(tool), "it was not executed, nor even tried")
	last := len(s.Model.Requests()) - 1
	told := prompt[string](s.stage, last, "last_error")
	assert.Contains(s.t, told, tool)
	assert.Regexp(s.t, "void|not there any more", told)
}

// onControl is a call that aims at a control of Word.
func onControl(tool string, args map[string]any) any {
	return map[string]any{"Status": "CONFIRM", "ControlLabel": "5", "Function": tool, "Args": args}
}

func TestScenario38_AnotherTargetVoidsTheApproval(t *testing.T) {
	const before, during = "before the question", "between question and approval"
	button := desktop.Control{ID: "5", Name: "Delete the draft", Type: "Button"}
	for name, change := range map[string]func(*scene){
		"another name": func(s *scene) {
			s.Word.ChangeControl("5", func(now *desktop.Control) { now.Name = "Delete everything" })
		},
		"another type":   func(s *scene) { s.Word.SetControls(desktop.Control{ID: "5", Name: button.Name, Type: "MenuItem"}) },
		"another id":     func(s *scene) { s.Word.SetControls(desktop.Control{ID: "6", Name: button.Name, Type: "Button"}) },
		"not there":      func(s *scene) { s.Word.SetControls() },
		"cannot be seen": func(s *scene) { s.Desktop.Fail(desktop.GetUITree, "busy") },
		"window gone":    func(s *scene) { s.Desktop.Gone(s.Word) },
	} {
		for _, when := range []string{before, during} {
			for tool, args := range map[string]map[string]any{
				"click_input": {"button": "left"},
				"wipe":        everything,
			} {
				t.Run(name+"/"+when+"/"+tool, func(t *testing.T) {
					forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
						s := open(onControl(tool, args), finish("done"))
						s.Word.SetControls(button)
						if when == during {
							s.answered(whileAsked(func() { change(s) }))
						} else {
							s.Options.Observe = func(step round.Step) {
								if step.To == fsm.Confirm {
									change(s)
								}
							}
						}
						_, err := s.play()
						require.NoError(t, err)
						assert.Equal(t, "CONTINUE > CONFIRM > CONTINUE > FINISH", s.path())
						s.void(tool)
						if when == before {
							assert.Empty(t, s.Person.Asked, "about what is not there nobody is asked")
							assert.Equal(t, fsm.BySystem, s.Steps[1].By)
						} else {
							require.Len(t, s.Person.Asked, 1)
							assert.Contains(t, s.Person.Asked[0].Text, "Delete the draft")
						}
					})
				})
			}
		}
	}
}

// What looks the same is the same: an approval holds while the screen lives on.
func TestScenario38_TheSameTargetKeepsTheApproval(t *testing.T) {
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		s := open(onControl("wipe", everything), finish("done"))
		s.Word.SetControls(desktop.Control{ID: "5", Name: "Delete the draft", Type: "Button"}, desktop.Control{ID: "6", Value: "1"})
		s.answered(whileAsked(func() {
			s.Word.ChangeWindow(func(now *desktop.Window) { now.Title = "*report.docx - Word" })
			s.Word.ChangeControl("6", func(now *desktop.Control) { now.Value = "2" })
		}))
		_, err := s.play()
		require.NoError(t, err)
		assert.Len(t, s.Desktop.Calls("wipe"), 1)
		assert.False(t, s.hasSection(1, "last_error"))
	})
}

func TestScenario38_AnotherWindowVoidsTheApprovalOfTheHost(t *testing.T) {
	other := func(w desktop.Window) func(*scene) {
		return func(s *scene) {
			result, err := desktop.JSONResult([]desktop.Window{w})
			require.NoError(s.t, err)
			s.Desktop.Lie(desktop.GetDesktopAppInfo, result)
		}
	}
	for name, change := range map[string]func(*scene){
		"gone":             func(s *scene) { s.Desktop.Gone(s.Word) },
		"another program":  other(desktop.Window{ID: "1", Root: "excel", Process: "report", Title: "report.docx - Word"}),
		"another document": other(desktop.Window{ID: "1", Root: "word", Process: "thesis", Title: "thesis.docx - Word"}),
	} {
		t.Run(name, func(t *testing.T) {
			forKinds(t, "host", func(t *testing.T, open func(...any) *scene) {
				s := open(call("CONTINUE", desktop.CloseApplication, map[string]any{"id": "0"}), finish("done"))
				s.answered(whileAsked(func() { change(s) }))
				_, err := s.play()
				require.NoError(t, err)
				s.void(desktop.CloseApplication)
				require.Len(t, s.Person.Asked, 1)
				assert.Contains(t, s.Person.Asked[0].Text, "word/report")
				assert.Equal(t, map[string]any{"id": "1"}, s.Person.Asked[0].Command.Parameters, "the desktop's id, not that of the list")
			})
		})
	}
}

// An approval of reaching for the chosen application is of that application,
// and can be given.
func TestScenario38_TheHostCanBeAllowedToReachForAnApplication(t *testing.T) {
	forKinds(t, "host", func(t *testing.T, open func(...any) *scene) {
		s := open(assign("0", "go"), finish("done")).answered(true)
		s.Config.Policy = func(_ context.Context, _ desktop.Tool, cmd desktop.Command) policies.Verdict {
			if cmd.ToolName == desktop.SelectApplicationWindow {
				return policies.Verdict{Action: policies.Confirm, Reason: "it takes the focus"}
			}
			return policies.Verdict{Action: policies.Allow}
		}
		_, err := s.play()
		require.NoError(t, err)
		assert.Len(t, s.Person.Asked, 1)
		assert.Len(t, s.Desktop.Calls(desktop.SelectApplicationWindow), 1)
	})
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

func TestScenario38_TheQuestionIsACopy(t *testing.T) {
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		s := open(call("CONTINUE", "wipe", everything), finish("done"))
		s.answered(func(_ context.Context, q people.Question) (people.Answer, error) {
			q.Command.Parameters["what"] = "more than that"
			q.Command.ToolName = "note"
			return people.Answer{Approved: true}, nil
		})
		_, err := s.play()
		require.NoError(t, err)
		require.Len(t, s.Desktop.Calls("wipe"), 1)
		assert.Equal(t, everything, s.Desktop.Calls("wipe")[0].Command.Parameters, "what was asked about")
		assert.Equal(t, everything, s.Steps[1].Asks[0].Command.Parameters)
	})
}

// A kind of agent that uses approvals directly gets the same.
func TestScenario38_AnActThatChangesWhileItIsAskedAbout(t *testing.T) {
	act := func() acting.Act {
		return acting.Act{
			Command: desktop.Command{ToolName: "wipe", Parameters: map[string]any{"what": "everything"}},
			Target:  "word/report",
		}
	}
	for name, change := range map[string]func(*acting.Act){
		"arguments": func(a *acting.Act) { a.Command.Parameters["what"] = "more" },
		"tool":      func(a *acting.Act) { a.Command.ToolName = "note" },
		"target":    func(a *acting.Act) { a.Target = "word/thesis" },
	} {
		t.Run(name, func(t *testing.T) {
			approval := acting.NewApproval("1", act(), "")
			yes := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
				change(&approval.Act)
				return people.Answer{Approved: true}, nil
			})
			decision, err := approval.Ask(t.Context(), yes, "me", "", 0)
			require.NoError(t, err)
			assert.Equal(t, fsm.Fail, decision.To)
			assert.False(t, approval.Granted)

			d := desktoptest.New(t)
			d.AddTools(desktoptest.Tool{Name: "wipe"}, desktoptest.Tool{Name: "note"})
			for _, now := range []acting.Act{act(), approval.Act} {
				assert.False(t, approval.Covers(now))
			}
			for _, granted := range []bool{false, true} { // whatever somebody writes into it
				approval.Granted = granted
				work := acting.Work{Waiting: acting.Waiting{Approval: approval}}
				p, err := work.PerformApproved(t.Context(), &acting.Actor{Desktop: d}, "")
				require.NoError(t, err)
				assert.Equal(t, granted, strings.Contains(p.Problem(), "void"))
			}
			assert.Empty(t, d.Log())
		})
	}
}
