package scenarios_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

func TestScenario23_EachSessionGetsItsOwnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type inquiry struct {
			people.Question
			answer chan people.Answer
		}
		inquiries := make(chan inquiry, 2)
		// One person for both, asked at the same time.
		user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
			i := inquiry{q, make(chan people.Answer)}
			inquiries <- i
			return <-i.answer, nil
		})
		start := func(what string, replies ...any) (*stage, <-chan error) {
			s := onStage(t, append([]any{call("FINISH", "wipe", map[string]any{"what": what})}, replies...)...)
			s.Desktop.AddTools(desktoptest.Tool{Name: "wipe", Annotations: desktop.Annotations{DestructiveHint: true}})
			s.Config.User = user
			ended := make(chan error, 1)
			r := s.drive(s.host(), "tidy up")
			go func() {
				_, err := r.Run(t.Context())
				ended <- err
			}()
			return s, ended
		}
		yes, yesEnded := start("mine", finish("done"))
		no, noEnded := start("yours")
		synctest.Wait()
		require.Len(t, inquiries, 2, "both wait in CONFIRM")
		asked := map[any]inquiry{}
		for range 2 {
			i := <-inquiries
			asked[i.Command.Parameters["what"]] = i
		}
		assert.NotEqual(t, asked["mine"].ID, asked["yours"].ID)

		asked["yours"].answer <- people.Answer{Text: "not mine to give"}
		require.ErrorIs(t, <-noEnded, round.ErrFailed)
		synctest.Wait()
		assert.Empty(t, yesEnded, "it still waits for its own")
		asked["mine"].answer <- people.Answer{Approved: true}
		require.NoError(t, <-yesEnded)
		assert.Equal(t, map[string]any{"what": "mine"}, yes.Desktop.Calls("wipe")[0].Command.Parameters)
		assert.Empty(t, no.Desktop.Calls("wipe"))
	})
}
