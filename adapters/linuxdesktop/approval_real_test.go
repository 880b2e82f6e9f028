//go:build linux

package linuxdesktop_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// A person approves an act in the editor. Before it is done somebody opens a dialog there. The act never
// reaches the dialog, in which {ENTER} or a click would save an empty file, or open another.
func TestRealDialogAfterApproval(t *testing.T) {
	wanted(t, "mousepad")
	s := start(t, "mousepad")
	random := rand.New(rand.NewPCG(5, 5))
	for i := range 1 + realpartstest.Runs(20) {
		d, path := editor(s, "precious")
		w, _, err := desktop.AppWindow(t.Context(), d)
		require.NoError(t, err)
		text := s.find(d, "text", "")
		act := []map[string]any{
			{"Function": desktop.KeyboardInput, "Args": map[string]any{"keys": "{ENTER}"}},
			{"Function": desktop.KeyboardInput, "Args": map[string]any{"id": text.ID, "keys": "{ENTER}"}},
			{"Function": desktop.ClickInput, "Args": map[string]any{"id": text.ID}},
			{"Function": desktop.SelectMenu, "Args": map[string]any{"path": []string{"File", "Save"}}},
		}[i%4]
		act["Status"] = "CONFIRM"
		approve, err := json.Marshal(act)
		require.NoError(t, err)
		model := &confirming{act: string(approve)}
		opens := []string{"^a{DEL}^q", "^o"}[random.IntN(2)] // Save Changes, Open
		if i == 0 {
			opens = "" // nobody comes between: it is done
		}
		agent, err := appagent.New(appagent.Config{
			Model: model, Desktop: s.Desktop, Window: w, NoImages: true, AskTimeout: time.Minute,
			User: people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
				if q.Command == nil {
					return people.Answer{}, nil
				}
				if opens != "" {
					s.keys(w.ID, opens)                                             //nolint:contextcheck // a person has no context
					s.await(func(o desktop.Window) bool { return o.Owner == w.ID }) //nolint:contextcheck // a person has no context
				}
				time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
				return people.Answer{Approved: true}, nil
			}),
		})
		require.NoError(t, err)
		done := 0
		r, err := round.New(agent, "add a line", &round.Options{Observe: func(step round.Step) {
			for _, c := range step.Commands {
				if c.Command.ToolName == act["Function"] && c.Result.Status == desktop.Success {
					done++
				}
			}
		}})
		require.NoError(t, err)
		_, err = r.Run(t.Context())
		require.NoError(t, err)
		_, dialog := s.owned(w.ID)
		if opens == "" {
			assert.Equal(t, 1, done, string(approve))
			assert.False(t, dialog)
		} else {
			assert.Zero(t, done, "%s with %s", approve, opens)
			assert.True(t, dialog, "it is open")
		}
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, "precious", string(raw))
		s.kill(w.ID)
	}
}

// owned is a window that belongs to another.
func (s *screen) owned(id string) (desktop.Window, bool) {
	for _, w := range s.list() {
		if w.Owner == id {
			return w, true
		}
	}
	return desktop.Window{}, false
}

// confirming is a model that wants one act to be approved, and then is done.
type confirming struct {
	act   string
	asked int
}

func (m *confirming) Complete(context.Context, *llm.Request) (*llm.Response, error) {
	if m.asked++; m.asked == 1 {
		return &llm.Response{Text: m.act}, nil
	}
	return &llm.Response{Text: `{"Status": "FINISH", "Comment": "somebody else works here", "Open": {"act_1": "dropped: a dialog came up"}}`}, nil
}
