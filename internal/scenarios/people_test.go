package scenarios_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
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
		c := s.Config
		agent, err := appagent.New(appagent.Config{
			Model: c.Model, Desktop: c.Desktop, Window: window, User: c.User, Policy: c.Policy, Board: c.Board,
			MaxReasks: c.MaxReasks, AskTimeout: c.AskTimeout, MaxMemory: c.MaxMemory, NewID: c.NewID, NoImages: c.NoImages,
		})
		require.NoError(s.t, err)
		s.worker = agent
	}
	return s.worker
}

// board is the blackboard of the agent at work.
func (s *scene) board() *blackboard.Board {
	return s.agent().(blackboard.Holder).Board()
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

// says returns a person with these answers.
func says(answers ...any) func() people.User {
	return func() people.User { return &person{answers: answers} }
}

// texts are the questions that the person was asked.
func (p *person) texts() []string {
	var list []string
	for _, q := range p.Asked {
		list = append(list, q.Text)
	}
	return list
}

func pending(comment string, questions ...string) any {
	return map[string]any{"Status": "PENDING", "Questions": questions, "Comment": comment}
}

func confirm(comment string) any {
	return map[string]any{"Status": "CONFIRM", "Comment": comment}
}

// after has a person answer when some time has passed. With deaf the person
// does not notice that the time is up.
func after(d time.Duration, deaf bool, answer people.Answer) any {
	return func(ctx context.Context, _ people.Question) (people.Answer, error) {
		if deaf {
			ctx = context.WithoutCancel(ctx)
		}
		select {
		case <-ctx.Done():
			return people.Answer{}, ctx.Err()
		case <-time.After(d):
			return answer, nil
		}
	}
}

func TestScenario19_PendingAsksEachQuestionOnce(t *testing.T) {
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		questions := []string{"Which year?", "Which chart?", "Which colour?"}
		s := open(pending("", questions...), finish("done")).answered("2024", " \t", "blue")
		res, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, "done", res.Answer)
		assert.Equal(t, "CONTINUE > PENDING > CONTINUE > FINISH", s.path())
		assert.Equal(t, fsm.ByModel, s.Steps[0].By)
		assert.Equal(t, fsm.ByUser, s.Steps[1].By)
		assert.Zero(t, s.Steps[1].Calls, "PENDING asks the person, not the model")

		assert.Equal(t, questions, s.Person.texts(), "in order, once each")
		ids := map[string]bool{}
		for _, q := range s.Person.Asked {
			ids[q.ID] = true
			assert.Equal(t, s.agent().Name(), q.Agent)
			assert.Nil(t, q.Command, "a question is no request to approve")
		}
		assert.Len(t, ids, 3)
		require.Len(t, s.Steps[1].Asks, 3)
		assert.Equal(t, "blue", s.Steps[1].Asks[2].Answer)

		want := []string{"2024", "no answer", "blue"}
		shown := prompt[[]acting.Entry](s.stage, 1, "answers")
		kept, err := blackboard.Answers.All(s.board())
		require.NoError(t, err)
		require.Len(t, shown, 3)
		require.Len(t, kept, 3)
		for i, answer := range want {
			assert.Equal(t, questions[i], shown[i].Question)
			assert.Equal(t, answer, shown[i].Answer)
			assert.Equal(t, blackboard.QuestionAnswer{Agent: s.agent().Name(), Question: questions[i], Answer: answer}, kept[i])
		}
		assert.False(t, s.hasSection(0, "answers"))
	})
}

func TestScenario19_OnlyOpenQuestionsAreAskedAgain(t *testing.T) {
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		s := open(pending("", "A?", "B?", "C?"), finish("done")).
			answered("a", fmt.Errorf("sent by mail: %w", fsm.ErrSuspend), "c")
		res, err := s.play()
		require.ErrorIs(t, err, round.ErrSuspended)
		require.ErrorIs(t, err, fsm.ErrSuspend)
		assert.Equal(t, fsm.Pending, res.Status)
		assert.Equal(t, round.Suspended, res.Outcome)

		s.answered("b")
		_, err = s.play()
		require.NoError(t, err)
		assert.Equal(t, []string{"A?", "B?", "C?", "B?"}, s.Person.texts())
		assert.Equal(t, s.Person.Asked[1], s.Person.Asked[3], "the same question has the same id")
		shown := prompt[[]acting.Entry](s.stage, 1, "answers")
		require.Len(t, shown, 3)
		assert.Equal(t, []string{"a", "b", "c"}, []string{shown[0].Answer, shown[1].Answer, shown[2].Answer})
		assert.Equal(t, 3, blackboard.Answers.Len(s.board()))
	})
}

func TestScenario19_PendingWithoutQuestionsWaitsForAnEvent(t *testing.T) {
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		s := open(pending("until the print is done"), pending(""), finish("done")).answered("42 pages", "x")
		_, err := s.play()
		require.NoError(t, err)
		require.Len(t, s.Person.Asked, 2)
		assert.Equal(t, "until the print is done", s.Person.Asked[0].Text)
		assert.NotEmpty(t, s.Person.Asked[1].Text)
		shown := prompt[[]acting.Entry](s.stage, 1, "answers")
		require.Len(t, shown, 1)
		assert.Equal(t, "42 pages", shown[0].Answer)
	})
}

func TestScenario19_AnswersBelongToTheirTask(t *testing.T) {
	s := onStage(t,
		assign("0", "one"), pending("", "Which year?"), finish("r1"),
		assign("0", "two"), finish("r2"),
		finish("done"))
	s.Config.User = &person{answers: []any{"2024"}}
	_, err := s.run("both")
	require.NoError(t, err)
	assert.Equal(t, "2024", prompt[[]acting.Entry](s, 2, "answers")[0].Answer)
	assert.False(t, s.hasSection(4, "answers"), "of another task")
}

func TestScenario20_PendingWithoutAnAnswerFails(t *testing.T) {
	lineDown := errors.New("the line is down")
	for name, c := range map[string]struct {
		user   func() people.User
		by     fsm.Cause
		reason string
		took   time.Duration
		asked  int
	}{
		// Each question has the whole time.
		"timeout of the second": {
			says(after(59*time.Second, false, people.Answer{Text: "2024"})),
			fsm.ByTimeout, "nobody answered in time", 119 * time.Second, 2,
		},
		"answer after the time": {
			says(after(61*time.Second, true, people.Answer{Text: "2024"})),
			fsm.ByTimeout, "nobody answered in time", 61 * time.Second, 1,
		},
		"nobody":            {func() people.User { return nil }, fsm.BySystem, "there is nobody to ask", 0, 0},
		"typed nil":         {func() people.User { return (*person)(nil) }, fsm.BySystem, "there is nobody to ask", 0, 0},
		"asker's own error": {says(lineDown), fsm.BySystem, lineDown.Error(), 0, 1},
		"asker's error looks like a timeout": {
			says(context.DeadlineExceeded), fsm.BySystem, context.DeadlineExceeded.Error(), 0, 1,
		},
		"asker's error looks like a cancel": {
			says(context.Canceled), fsm.BySystem, context.Canceled.Error(), 0, 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				s := open(pending("", "Which year?", "Which chart?"))
				s.Config.User = c.user()
				start := time.Now()
				res, err := s.play()
				s.failed(res, err, c.by, c.reason)
				assert.Equal(t, "CONTINUE > PENDING > FAIL", s.path())
				assert.Equal(t, c.took, time.Since(start))
				if p, ok := s.Config.User.(*person); ok && p != nil {
					assert.Len(t, p.Asked, c.asked)
				}
			})
		})
	}
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

func TestScenario20_CancelledPendingStaysWhereItIs(t *testing.T) {
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		shutdown := errors.New("the server shuts down")
		s := open(pending("", "Which year?", "Which chart?"), finish("done")).answered("2024")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(30*time.Second, func() { cancel(shutdown) })
		res, err := s.playUnder(ctx)
		require.ErrorIs(t, err, shutdown)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, round.ErrCancelled)
		require.NotErrorIs(t, err, round.ErrFailed)
		assert.Equal(t, round.Cancelled, res.Outcome)
		assert.Equal(t, fsm.Pending, res.Status)
		assert.Equal(t, "CONTINUE > PENDING", s.path())

		s.answered("bars")
		_, err = s.play()
		require.NoError(t, err)
		assert.Equal(t, []string{"Which year?", "Which chart?", "Which chart?"}, s.Person.texts())
		assert.Equal(t, s.Person.Asked[1].ID, s.Person.Asked[2].ID)
	})
}

func TestScenario20_AFailureUnderAHostGoesToTheHost(t *testing.T) {
	s := onStage(t, assign("0", "extract"), pending("", "Which year?"), finish("without it"))
	res, err := s.run("extract the table")
	require.NoError(t, err)
	assert.Equal(t, "without it", res.Answer)
	require.Len(t, res.Subtasks, 1)
	assert.Equal(t, "FAIL", res.Subtasks[0].Status)
	assert.Contains(t, res.Subtasks[0].Reason, "there is nobody to ask")
	assert.Contains(t, prompt[string](s, 2, "last_error"), "there is nobody to ask")
}

func TestScenario21_EndlessPendingMeetsABound(t *testing.T) {
	for name, c := range map[string]struct {
		options round.Options
		bound   string
		steps   int
		asked   int
	}{
		"default":     {round.Options{}, "MaxSteps", 50, 50},
		"transitions": {round.Options{MaxSteps: -1, MaxTransitions: 40}, "MaxTransitions", 20, 20},
		"tokens":      {round.Options{MaxTokens: 70}, "MaxTokens", 7, 6},
		"time":        {round.Options{MaxDuration: 95 * time.Second}, "MaxDuration", 10, 10},
	} {
		t.Run(name, func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				s := open()
				calls, asked := 0, 0
				s.Config.Model = llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
					calls++
					return &llm.Response{Text: `{"Status": "PENDING", "Questions": ["And now?"]}`, Usage: llm.Usage{InputTokens: 10}}, nil
				})
				s.Config.User = people.UserFunc(func(ctx context.Context, _ people.Question) (people.Answer, error) {
					asked++
					select {
					case <-ctx.Done():
						return people.Answer{}, ctx.Err()
					case <-time.After(10 * time.Second):
						return people.Answer{Text: "wait"}, nil
					}
				})
				s.Options = c.options
				res, err := s.play()
				budget, ok := errors.AsType[*round.BudgetError](err)
				require.True(t, ok, "%v", err)
				assert.Equal(t, c.bound, budget.Bound)
				require.ErrorIs(t, err, round.ErrBudget)
				assert.Equal(t, round.OverBudget, res.Outcome)
				assert.Equal(t, c.steps, res.Steps)
				assert.Equal(t, c.steps, calls)
				assert.Equal(t, c.asked, asked)
			})
		})
	}
}
