package scenarios_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

var everything = map[string]any{"what": "everything"}

// yes approves, after it has seen that nothing was executed yet.
func (s *scene) yes(tool string) any {
	return func(context.Context, people.Question) (people.Answer, error) {
		assert.Empty(s.t, s.Desktop.Calls(tool), "executed before the answer")
		return people.Answer{Approved: true}, nil
	}
}

// A step that is broken off before CONFIRM has asked nobody.
func TestScenario22_BrokenOffBeforeTheQuestion(t *testing.T) {
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		s := open(call("CONTINUE", "wipe", everything), call("CONTINUE", "wipe", everything), finish("done"))
		s.answered(s.yes("wipe"))
		ctx, cancel := context.WithCancel(t.Context())
		s.Config.Policy = func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
			cancel()
			return policies.Default(ctx, tool, cmd)
		}
		res, err := s.playUnder(ctx)
		require.ErrorIs(t, err, round.ErrCancelled)
		assert.Equal(t, fsm.Continue, res.Status)
		_, err = s.play()
		require.NoError(t, err)
		assert.Equal(t, "CONTINUE > CONFIRM > CONTINUE > FINISH", s.path())
		assert.Len(t, s.Person.Asked, 1)
		assert.Len(t, s.Desktop.Calls("wipe"), 1)
		assert.False(t, s.hasSection(1, "last_error"), "no approval became void: there was none")
	})
}

func TestScenario23_EachSessionGetsItsOwnAnswer(t *testing.T) {
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		type inquiry struct {
			people.Question
			answer chan people.Answer
		}
		inquiries := make(chan inquiry, 2)
		// One person for both, asked at the same time.
		user := people.UserFunc(func(ctx context.Context, q people.Question) (people.Answer, error) {
			i := inquiry{q, make(chan people.Answer)}
			inquiries <- i
			select {
			case <-ctx.Done():
				return people.Answer{}, ctx.Err()
			case a := <-i.answer:
				return a, nil
			}
		})
		type ending struct {
			res round.Result
			err error
		}
		start := func(what string, replies ...any) (*scene, <-chan ending) {
			s := open(append([]any{call("FINISH", "wipe", map[string]any{"what": what})}, replies...)...)
			s.Config.User = user
			session, err := round.NewSession(s.agent(), &round.Options{Observe: func(step round.Step) { s.Steps = append(s.Steps, step) }})
			require.NoError(t, err)
			ended := make(chan ending, 1)
			go func() {
				res, err := session.Run(t.Context(), "tidy up")
				ended <- ending{res, err}
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
		require.Len(t, asked, 2)
		assert.NotEqual(t, asked["mine"].ID, asked["yours"].ID)

		asked["yours"].answer <- people.Answer{Text: "not mine to give"}
		refused := <-noEnded
		synctest.Wait()
		assert.Empty(t, yesEnded, "it still waits for its own")
		asked["mine"].answer <- people.Answer{Approved: true}
		approved := <-yesEnded

		require.NoError(t, approved.err)
		assert.Equal(t, "done", approved.res.Answer)
		assert.Len(t, yes.Desktop.Calls("wipe"), 1)
		assert.Equal(t, map[string]any{"what": "mine"}, yes.Desktop.Calls("wipe")[0].Command.Parameters)
		no.failed(refused.res, refused.err, fsm.ByUser, "not mine to give")
		assert.Empty(t, no.Desktop.Calls("wipe"))
	})
}
