package appagent_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/savetest"
	"github.com/agentfsm/agentfsm/people"
)

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
