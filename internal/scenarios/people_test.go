package scenarios_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// scene is a stage with one agent at work: the host, or an AppAgent that runs
// alone in the window of Word. Both know PENDING and CONFIRM, so what is said of
// these states is tested with both. The desktop has two more tools: wipe, which is
// destructive, and note, which is not.
type scene struct {
	*stage
	App    bool
	Person *person
	Round  *round.Round
	worker fsm.Worker
}

// forBoth runs a test with a host and with an AppAgent, each in a bubble of its
// own: time costs nothing, and a goroutine that is left fails the test.
func forBoth(t *testing.T, test func(t *testing.T, open func(replies ...any) *scene)) {
	t.Helper()
	forKinds(t, "host app", test)
}

// forKinds is forBoth for what only one of them has.
func forKinds(t *testing.T, kinds string, test func(t *testing.T, open func(replies ...any) *scene)) {
	t.Helper()
	for name := range strings.FieldsSeq(kinds) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test(t, func(replies ...any) *scene {
					s := &scene{stage: onStage(t, replies...), App: name == "app", Person: &person{}}
					s.Config.User = s.Person
					s.Desktop.AddTools(
						desktoptest.Tool{Name: "wipe", Schema: wipeSchema, Annotations: desktop.Annotations{DestructiveHint: true}},
						desktoptest.Tool{Name: "note", Schema: noteSchema},
					)
					return s
				})
			})
		})
	}
}

const (
	wipeSchema = `{"type":"object","properties":{"id":{"type":"string"},"what":{"type":"string"}},"required":["what"],"additionalProperties":false}`
	noteSchema = `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}`
)

// agent makes the agent at work, once.
func (s *scene) agent() fsm.Worker {
	s.t.Helper()
	switch {
	case s.worker != nil:
	case !s.App:
		s.worker = s.host()
	default:
		window, ok := s.Word.Window()
		require.True(s.t, ok)
		cfg := s.Config.Config
		cfg.Window = window
		agent, err := appagent.New(cfg)
		require.NoError(s.t, err)
		s.worker = agent
	}
	return s.worker
}

// answered sets what the person answers, in order.
func (s *scene) answered(answers ...any) *scene {
	s.Person.answers = answers
	return s
}

// play runs the round, or goes on with it.
func (s *scene) play() (round.Result, error) {
	s.t.Helper()
	return s.playUnder(s.t.Context())
}

func (s *scene) playUnder(ctx context.Context) (round.Result, error) {
	s.t.Helper()
	if s.Round == nil {
		s.Round = s.drive(s.agent(), "tidy up")
	}
	return s.Round.Run(ctx)
}

// path is where the agent at work went, the start included.
func (s *scene) path() string {
	var list []string
	for i, step := range s.Steps {
		if i == 0 {
			list = append(list, string(step.From))
		}
		list = append(list, string(step.To))
	}
	return strings.Join(list, " > ")
}

// failed asserts that the round ended in FAIL, after one step by the model and
// one of the person, for that reason.
func (s *scene) failed(res round.Result, err error, by fsm.Cause, reason string) {
	s.t.Helper()
	require.ErrorIs(s.t, err, round.ErrFailed)
	require.NotErrorIs(s.t, err, round.ErrFault)
	assert.Equal(s.t, round.Failed, res.Outcome)
	assert.Equal(s.t, fsm.Fail, res.Status)
	assert.Empty(s.t, res.Answer)
	assert.Contains(s.t, res.Reason, reason)
	assert.ErrorContains(s.t, err, reason)
	last := s.Steps[len(s.Steps)-1]
	assert.Equal(s.t, fsm.Fail, last.To)
	assert.Equal(s.t, by, last.By, "cause")
	assert.NoError(s.t, last.Err, "FAIL is a decision, no fault")
}

func pending(comment string, questions ...string) any {
	return map[string]any{"Status": "PENDING", "Questions": questions, "Comment": comment}
}

func confirm(comment string) any {
	return map[string]any{"Status": "CONFIRM", "Comment": comment}
}

// What the asker started for a question ends with it.
func TestScenario20_AQuestionLeavesNothingBehind(t *testing.T) {
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		s := open(pending("", "Which year?"))
		var stopped func() error
		ended := make(chan struct{})
		s.answered(func(ctx context.Context, _ people.Question) (people.Answer, error) {
			stopped = ctx.Err
			go func() {
				<-ctx.Done()
				close(ended)
			}()
			return people.Answer{}, errors.New("the line is down")
		})
		_, err := s.play()
		require.ErrorIs(t, err, round.ErrFailed)
		require.Error(t, stopped())
		<-ended
	})
}

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
