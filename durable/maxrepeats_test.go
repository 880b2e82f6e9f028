package durable_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// An agent does the same on the same. MaxRepeats stops it after as many steps wherever its process died: what it saw is
// the same once it was recorded.
func TestRepeatsAreCountedOverACrash(t *testing.T) {
	success := func(c desktop.Content) func(desktop.Command) (desktop.Result, error) {
		return func(desktop.Command) (desktop.Result, error) {
			return desktop.Result{Status: desktop.Success, Content: []desktop.Content{c}}, nil
		}
	}
	for name, see := range map[string]func(desktop.Command) (desktop.Result, error){
		"a text":    success(desktop.Content{Text: "as ever <&>"}),
		"no UTF-8":  success(desktop.Content{Text: "as\xffever"}),
		"JSON":      success(desktop.Content{JSON: []byte("{ \"as\" : \"ever <\u2028\xff\" }")}),
		"a picture": success(desktop.Content{Text: "ever", Image: &desktop.Image{MediaType: "image/png", Data: []byte{}}}),
		"a failure": func(desktop.Command) (desktop.Result, error) { return desktop.FailureResult("as\xffever"), nil },
		"an error":  func(desktop.Command) (desktop.Result, error) { return desktop.Result{}, errors.New("as\xffever") },
	} {
		t.Run(name, func(t *testing.T) {
			open := func(m *mortal) *round.Session {
				agent := newClerk(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
					for range 2 {
						_, err := desktop.Execute(ctx, screen(see), desktop.Command{ToolName: "texts", Looks: true})
						if err != nil && !strings.Contains(err.Error(), "ever") {
							return "", err
						}
					}
					_, err := desktop.Execute(ctx, screen(success(desktop.Content{Text: "pressed"})), desktop.Command{ToolName: "press"})
					return fsm.Continue, err
				})
				s, err := durable.Open(t.Context(), agent, m, "run", &durable.Options{Round: &round.Options{MaxTransitions: 30, MaxRepeats: 5}})
				require.NoError(t, err)
				return s
			}
			steps := 0
			for death := range 12 {
				m := &mortal{Store: store.Memory()}
				m.start(death, true)
				res, err := open(m).Continue(t.Context(), "do it")
				if errors.Is(err, round.ErrLost) {
					m.start(0, false)
					res, err = open(m).Continue(t.Context(), "do it")
				}
				budget, ok := errors.AsType[*round.BudgetError](err)
				require.True(t, ok, err)
				assert.Equal(t, "MaxRepeats", budget.Bound)
				if death == 0 {
					steps = res.Transitions
				}
				assert.Equal(t, steps, res.Transitions, "it died at Append %d", death)
			}
		})
	}
}
