package scenarios_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/round"
)

// session returns a session of the host that records its steps.
func (s *stage) session() *round.Session {
	s.t.Helper()
	options := s.Options
	options.Observe = func(step round.Step) { s.Steps = append(s.Steps, step) }
	session, err := round.NewSession(s.host(), &options)
	require.NoError(s.t, err)
	return session
}

// remembered is what the host would go on with.
func remembered(t *testing.T, host *hostagent.Agent) map[string]any {
	t.Helper()
	saved, err := host.Save()
	require.NoError(t, err)
	var data map[string]any
	require.NoError(t, saved.LoadState(&data))
	return data
}

func TestScenario35_SecondRoundStartsAfresh(t *testing.T) {
	s := onStage(t,
		map[string]any{"Status": "PENDING", "Questions": []string{"Which year?"}, "Plan": []string{"extract", "draw"}},
		assign("0", "extract"), finish("r1"),
		map[string]any{"Status": "FINISH", "Result": "first answer", "Comment": "first comment", "Plan": []string{"draw"}},
		map[string]any{"Status": "ASSIGN", "CurrentSubTask": "again"}, // of which application is not said
		assign("0", "again"), call("FINISH", "wait", map[string]any{"seconds": 0}),
		map[string]any{"Status": "FINISH"},
	)
	s.Config.User = &person{answers: []any{"2024"}}
	session := s.session()
	first, err := session.Run(t.Context(), "first request")
	require.NoError(t, err)
	assert.Equal(t, "first answer", first.Answer)
	word := s.host().App("word/report")
	require.NotNil(t, word)
	kept := remembered(t, s.host())
	assert.Contains(t, kept, "answer")

	second, err := session.Run(t.Context(), "second request")
	require.NoError(t, err)
	assert.Empty(t, second.Answer, "the first round's answer is not the second's")
	assert.NotContains(t, remembered(t, s.host()), "answer")
	assert.NotContains(t, remembered(t, s.host()), "result")
	assert.NotContains(t, remembered(t, s.host()), "chosen")
	require.Len(t, second.Subtasks, 1, "its own sub-tasks only")
	assert.Equal(t, "subtask_2", second.Subtasks[0].ID, "the numbers count on")
	assert.JSONEq(t, `""`, string(second.Subtasks[0].Result), "nor is the first sub-task's result the second's")
	assert.Equal(t, 3, second.Steps, "counted for each round")
	assert.Equal(t, 4, second.Calls)
	assert.Len(t, first.Subtasks, 1, "a result stays as it was")

	// The first prompt of the second round.
	assert.Equal(t, "second request", prompt[string](s, 4, "request"))
	assert.Empty(t, prompt[[]blackboard.Subtask](s, 4, "previous_subtasks"))
	for _, section := range []string{"answers", "plan", "last_error"} {
		assert.False(t, s.hasSection(4, section), section)
	}
	// The application of the first round is not taken for granted.
	assert.Contains(t, prompt[string](s, 5, "last_error"), "no application is chosen")

	// What lives as long as the session.
	history := prompt[[]acting.Memo](s, 4, "history")
	require.Len(t, history, 3)
	assert.Contains(t, string(history[2].Decision), "first answer")
	assert.Same(t, word, s.host().App("word/report"))
	assert.Len(t, prompt[[]acting.Memo](s, 6, "history"), 1, "the AppAgent remembers, too")
	assert.Contains(t, prompt[map[string]any](s, 4, "blackboard"), "subtask_result_1")
	requests, err := blackboard.NewList[string](boarddata.Requests).All(session.Board())
	require.NoError(t, err)
	assert.Equal(t, []string{"first request", "second request"}, requests)
	answers, err := blackboard.NewList[boarddata.QuestionAnswer](boarddata.Answers).All(session.Board())
	require.NoError(t, err)
	assert.Len(t, answers, 1)
	assert.Len(t, session.Board().Subtasks(), 2)
}

// A round that was given up leaves nothing behind that the next one could do.
func TestScenario35_NothingOfAGivenUpRoundIsDone(t *testing.T) {
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		for name, c := range map[string]struct {
			answer  any
			options round.Options
			stopped error
		}{
			"a question":          {fsm.ErrSuspend, round.Options{}, round.ErrSuspended},
			"an approval granted": {true, round.Options{MaxTransitions: 2}, round.ErrBudget},
		} {
			s := open(call("CONTINUE", "wipe", everything), finish("done")).answered(c.answer)
			s.Options = c.options
			session, err := round.NewSession(s.agent(), &s.Options)
			require.NoError(t, err)
			_, err = session.Run(t.Context(), "first")
			require.ErrorIs(t, err, c.stopped, name)
			res, err := session.Run(t.Context(), "second")
			require.NoError(t, err, name)
			assert.Equal(t, "done", res.Answer)
			assert.Len(t, s.Person.Asked, 1, name)
			assert.Empty(t, s.Desktop.Calls("wipe"), name)
			assert.NotContains(t, fmt.Sprint(prompt[any](s.stage, 1, "history")), "success", name)
		}
	})
}

func TestScenario35_OldAnswersAndErrorsAreGone(t *testing.T) {
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		s := open(finish("first answer"),
			call("CONTINUE", "note", map[string]any{"text": "x"}),
			pending("", "Which year?"))
		s.Desktop.Fail("note", "no")
		s.Config.User = nil
		session, err := round.NewSession(s.agent(), &s.Options)
		require.NoError(t, err)
		_, err = session.Run(t.Context(), "first")
		require.NoError(t, err)
		assert.Equal(t, "first answer", s.agent().Answer())
		session.Adjust(func(o *round.Options) { o.MaxTransitions = 1 })
		_, err = session.Run(t.Context(), "second")
		require.ErrorIs(t, err, round.ErrBudget)
		session.Adjust(func(o *round.Options) { o.MaxTransitions = 0 })
		res, err := session.Run(t.Context(), "third")
		require.ErrorIs(t, err, round.ErrFailed)
		assert.Empty(t, res.Answer)
		assert.Empty(t, s.agent().Answer())
		assert.Empty(t, s.agent().(fsm.DataProvider).Data())
		assert.False(t, s.hasSection(2, "last_error"), "of the second round")
	})
}

func TestScenario35_OpenWorkIsClosedAndFailuresAreForgotten(t *testing.T) {
	fails := map[string]any{"Status": "FAIL", "Comment": "no such table"}
	s := onStage(t,
		assign("0", "one"), fails, assign("0", "two"), fails, assign("0", "three"), fails, assign("0", "four"),
		// Three failures in a row are allowed again.
		assign("0", "five"), fails, assign("0", "six"), fails, assign("0", "seven"), fails, finish("gave up"),
	)
	s.Options.MaxTransitions = 14
	session := s.session()
	first, err := session.Run(t.Context(), "first")
	require.ErrorIs(t, err, round.ErrBudget)
	require.Len(t, first.Subtasks, 4)
	assert.Empty(t, first.Subtasks[3].Status, "the round could go on")
	session.Adjust(func(o *round.Options) { o.MaxTransitions = 0 })
	second, err := session.Run(t.Context(), "second")
	require.NoError(t, err)
	assert.Equal(t, "gave up", second.Answer)
	assert.Len(t, second.Subtasks, 3)
	all := session.Board().Subtasks()
	assert.Equal(t, "FAIL", all[3].Status)
	assert.Contains(t, all[3].Reason, "MaxTransitions")
	assert.False(t, s.hasSection(7, "last_error"))
}
