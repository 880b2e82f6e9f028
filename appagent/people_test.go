package appagent_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/savetest"
	"github.com/agentfsm/agentfsm/people"
)

// An approval is of one control as it is: gone, renamed or of another type, it is
// not touched, before the question as behind the answer. What it holds may change.
func TestTargetOfAnApproval(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*bench)
		void   bool
	}{
		"same":        {func(*bench) {}, false},
		"value":       {func(b *bench) { b.Word.ChangeControl("3", func(now *desktop.Control) { now.Value = "Costs" }) }, false},
		"title":       {func(b *bench) { b.Word.ChangeWindow(func(now *desktop.Window) { now.Title = "*report.docx - Word" }) }, false},
		"gone":        {func(b *bench) { b.Word.SetControls() }, true},
		"renamed":     {func(b *bench) { b.Word.ChangeControl("1", func(now *desktop.Control) { now.Name = "Delete" }) }, true},
		"another":     {func(b *bench) { b.Word.SetControls(desktop.Control{ID: "1", Name: "Save", Type: "Link"}) }, true},
		"window gone": {func(b *bench) { b.Desktop.Gone(b.Word) }, true},
	} {
		for when, during := range map[string]bool{"before the question": false, "behind the answer": true} {
			t.Run(name+" "+when, func(t *testing.T) {
				b := newBench(t,
					m{"Status": "CONFIRM", "Function": "click_input", "ControlLabel": "1", "Comment": "shall I?"},
					say(fsm.Finish))
				asked := 0
				b.Config.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
					asked++
					assert.Empty(t, b.Desktop.Calls(desktop.ClickInput), "not before the answer")
					assert.Contains(t, q.Text, `on "Button \"Save\" (1) in word/report (2)"`)
					if during {
						tc.change(b)
					}
					return people.Answer{Approved: true}, nil
				})
				if !during {
					b.Desktop.Before(desktop.CaptureWindowScreenshot, func(desktoptest.Call) { tc.change(b) }).Skip(1).Times(1)
				}
				b.finish()
				if !tc.void {
					assert.Equal(t, 1, asked)
					assert.Len(t, b.Desktop.Calls(desktop.ClickInput), 1, "exactly once")
					assert.False(t, b.has(1, "last_error"))
					return
				}
				assert.Equal(t, during, asked == 1)
				assert.Empty(t, b.Desktop.Calls(desktop.ClickInput))
				assert.NotEmpty(t, b.lastError())
			})
		}
	}
}

// An approval is of one window as well: where commands act on another one behind
// the answer, nothing is executed and the task ends; before the question nobody
// is asked.
func TestWindowOfAnApproval(t *testing.T) {
	for name, desk := range map[string]func(*bench) desktop.Desktop{
		"the id is of another": func(b *bench) desktop.Desktop { return b.Desktop },
		"the focus moves":      func(b *bench) desktop.Desktop { return struct{ desktop.Desktop }{b.Desktop} },
	} {
		for when, during := range map[string]bool{"before the question": false, "behind the answer": true} {
			t.Run(name+" "+when, func(t *testing.T) {
				b := newBench(t, call(fsm.Confirm, "erase", nil))
				b.Desktop.AddTools(desktoptest.Tool{Name: "erase"})
				b.Config.Desktop = desk(b)
				_, err := commands.Do(t.Context(), b.Desktop, commands.Select(b.Config.Window.ID, b.Config.Window.Title))
				require.NoError(t, err)
				other, _ := b.Other.Window()
				change := func() {
					if strings.HasPrefix(name, "the focus") {
						_, err := commands.Do(t.Context(), b.Desktop, commands.Select(other.ID, other.Title))
						require.NoError(t, err)
						return
					}
					res, err := desktop.JSONResult([]desktop.Window{{ID: b.Config.Window.ID, Root: other.Root, Process: other.Process}})
					require.NoError(t, err)
					b.Desktop.Lie(desktop.GetAppWindow, res)
				}
				asked := 0
				b.Config.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
					asked++
					assert.Contains(t, q.Text, `on "word/report (2)"`)
					change()
					return people.Answer{Approved: true}, nil
				})
				if !during {
					b.Desktop.Before(desktop.GetAppWindow, func(desktoptest.Call) { change() }).Skip(1).Times(1)
				}
				agent := b.agent()
				_, err = b.drive(agent, "do it")
				require.ErrorContains(t, err, `of "excel/book", not of "word/report"`)
				assert.Equal(t, fsm.Fail, agent.Status())
				assert.Equal(t, fsm.BySystem, b.Steps[len(b.Steps)-1].By)
				assert.Empty(t, b.Desktop.Calls("erase"))
				assert.Equal(t, during, asked == 1)
				assert.NotContains(t, savetest.JSON(t, agent), `"approval"`, "it is forgotten")
			})
		}
	}
}

// The question says who wants approval and why, each in their own words.
func TestWordsOfAQuestion(t *testing.T) {
	for name, tc := range map[string]struct {
		reply m
		text  string
	}{
		"policy": {
			m{"Status": "CONTINUE", "Function": "erase"},
			`? It needs approval because the tool is marked as destructive.`,
		},
		"policy and agent": {
			m{"Status": "CONTINUE", "Function": "erase", "Comment": "a clean sheet"},
			`? It needs approval because the tool is marked as destructive. The agent says: "a clean sheet"`,
		},
		"agent": {
			m{"Status": "CONFIRM", "Function": "wait", "Args": m{"seconds": 1}},
			`? It needs approval because the model asks for confirmation.`,
		},
		"no command": {m{"Status": "CONFIRM", "Comment": "Shall I?"}, "Shall I?"},
		"no words":   {m{"Status": "CONFIRM"}, "Go on?"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, tc.reply)
			b.Desktop.AddTools(desktoptest.Tool{Name: "erase", Annotations: desktop.Annotations{DestructiveHint: true}})
			var text string
			b.Config.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
				text = q.Text
				return people.Answer{}, nil
			})
			res, err := b.run()
			require.Error(t, err)
			assert.Equal(t, fsm.Fail, res.Status)
			assert.True(t, strings.HasSuffix(text, tc.text), text)
			assert.Zero(t, b.acted())
		})
	}
}

func TestPending(t *testing.T) {
	b := newBench(t, m{"Status": "PENDING", "Questions": []string{"Which year?"}}, m{"Status": "PENDING", "Comment": "Tell me when it is printed."}, say(fsm.Finish))
	b.Config.User = answering("2023", false)
	b.finish()
	answers := section[[]acting.Entry](b, 2, "answers")
	require.Len(t, answers, 2)
	assert.Equal(t, "Which year?", answers[0].Question)
	assert.Equal(t, "Tell me when it is printed.", answers[1].Question)

	b = newBench(t, m{"Status": "PENDING", "Questions": []string{"Which year?"}})
	res, err := b.run()
	require.Error(t, err)
	assert.Equal(t, fsm.Fail, res.Status, "nobody to ask")
}

// A desktop that cannot be listed when a person is to be asked is a fault.
func TestDesktopBreaksBeforeAQuestion(t *testing.T) {
	for name, listings := range map[string]int{"before the question": 1, "behind the answer": 2} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, m{"Status": "CONFIRM", "Function": "click_input", "ControlLabel": "1"})
			b.Config.User = answering("", true)
			b.Desktop.Break(desktop.ListTools, io.ErrUnexpectedEOF).Skip(listings)
			res, err := b.run()
			assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
			assert.Equal(t, fsm.Error, res.Status)
			assert.Zero(t, b.acted())
		})
	}
}
