package scenarios_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// offers asserts that prompt, words and schema of the i-th request offer exactly these
// statuses.
func (s *stage) offers(i int, statuses ...fsm.Status) {
	s.t.Helper()
	assert.ElementsMatch(s.t, statuses, prompt[[]fsm.Status](s, i, "allowed_statuses"))
	var schema struct {
		Properties struct{ Status struct{ Enum []fsm.Status } }
	}
	req := s.Model.Requests()[i]
	require.NoError(s.t, json.Unmarshal(req.Schema.JSON, &schema))
	assert.ElementsMatch(s.t, statuses, schema.Properties.Status.Enum)
	words := req.Messages[0].Parts[0].Text
	for _, status := range []fsm.Status{fsm.Continue, hostagent.Assign, fsm.Finish, fsm.Fail, fsm.Pending, fsm.Confirm, fsm.Screenshot} {
		assert.Equal(s.t, slices.Contains(statuses, status), strings.Contains(words, string(status)), "the words about %s", status)
	}
}

// A prompt offers no status that cannot work.
func TestScenario51_OnlyWhatCanWorkIsOffered(t *testing.T) {
	const (
		c, a, f, x, p, y, s = fsm.Continue, hostagent.Assign, fsm.Finish, fsm.Fail, fsm.Pending, fsm.Confirm, fsm.Screenshot
	)
	noTools := func(s *scene) {
		s.Config.Desktop = must(desktop.Screen(desktop.App{Window: desktop.Window{Root: "word"}, Desktop: s.Desktop}))
	}
	for name, tc := range map[string]struct {
		kind    string
		change  func(*scene)
		offered []fsm.Status
	}{
		"a person":               {"host", func(*scene) {}, []fsm.Status{c, a, f, p, y}},
		"nobody":                 {"host", nobody, []fsm.Status{c, a, f, x}},
		"no tools of its own":    {"host", noTools, []fsm.Status{a, f, p, y}},
		"nobody, and no tools":   {"host", func(s *scene) { nobody(s); noTools(s) }, []fsm.Status{a, f, x}},
		"no application":         {"host", func(s *scene) { s.Desktop.Gone(s.Word); s.Desktop.Gone(s.Excel) }, []fsm.Status{c, f, p, y}},
		"a person for an app":    {"app", func(*scene) {}, []fsm.Status{c, f, x, p, y, s}},
		"nobody for an app":      {"app", nobody, []fsm.Status{c, f, x, s}},
		"no pictures":            {"app", func(s *scene) { s.Desktop.Without(desktop.CaptureWindowScreenshot) }, []fsm.Status{c, f, x, p, y}},
		"pictures are not taken": {"app", func(s *scene) { s.Config.NoImages = true }, []fsm.Status{c, f, x, p, y}},
	} {
		t.Run(name, func(t *testing.T) {
			forKinds(t, tc.kind, func(t *testing.T, open func(...any) *scene) {
				s := open("not a reply", finish("done"))
				tc.change(s)
				_, err := s.play()
				require.NoError(t, err)
				s.offers(0, tc.offered...)
				assert.ElementsMatch(t, tc.offered, prompt[[]fsm.Status](s.stage, 1, "allowed_statuses"), "asked again")
			})
		})
	}
}

func nobody(s *scene) { s.Config.User = nil }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// What is not offered and written all the same is what it was: with nobody to ask,
// PENDING and CONFIRM end in FAIL, and that says why.
func TestScenario51_WrittenAllTheSame(t *testing.T) {
	for _, reply := range []any{pending("", "Which year?"), pending("waiting for the courier"), confirm("shall I?"), call(fsm.Confirm, "note", map[string]any{"text": "x"})} {
		forBoth(t, func(t *testing.T, open func(...any) *scene) {
			s := open(reply)
			nobody(s)
			res, err := s.play()
			require.ErrorIs(t, err, round.ErrFailed)
			assert.Equal(t, round.Failed, res.Outcome)
			assert.Zero(t, s.Desktop.Count("note"))
		})
	}
	forKinds(t, "host", func(t *testing.T, open func(...any) *scene) {
		s := open(status(fsm.Continue), finish("done"))
		s.Config.Desktop = must(desktop.Screen(desktop.App{Window: desktop.Window{Root: "word"}, Desktop: s.Desktop}))
		_, err := s.play()
		require.NoError(t, err, "CONTINUE of a host without tools is a step more")
	})
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		s := open(status(fsm.Screenshot), finish("done"))
		s.Config.NoImages = true
		_, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, "CONTINUE > SCREENSHOT > CONTINUE > FINISH", s.path())
	})
}

// A table of the caller's own stays what it is. Without FAIL by the model, PENDING and
// CONFIRM are how it gives up.
func TestScenario51_ATableOfOnesOwn(t *testing.T) {
	forKinds(t, "host", func(t *testing.T, open func(...any) *scene) {
		s := open(pending("I do not know how"))
		nobody(s)
		s.Config.States = hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Error, By: fsm.ByModel})
		_, err := s.play()
		require.ErrorIs(t, err, round.ErrFailed)
		s.offers(0, fsm.Continue, hostagent.Assign, fsm.Finish, fsm.Error, fsm.Pending, fsm.Confirm)
	})
}

// A host with nobody to ask may give up by itself; one with a person asks first.
func TestScenario51_GivingUp(t *testing.T) {
	giveUp := map[string]any{"Status": "FAIL", "Comment": "no such document"}
	forKinds(t, "host", func(t *testing.T, open func(...any) *scene) {
		s := open(giveUp)
		nobody(s)
		res, err := s.play()
		require.ErrorIs(t, err, round.ErrFailed)
		assert.Equal(t, "no such document", res.Reason)

		s = open(giveUp, finish("done"))
		_, err = s.play()
		require.NoError(t, err)
		assert.Contains(t, prompt[string](s.stage, 1, "last_error"), `"FAIL" is not allowed here`)
	})
}

// What is over is not shown as current.
func TestScenario51_NoSubtaskThatIsOver(t *testing.T) {
	s := onStage(t, assign("0", "read it"), finish("the table"), finish("done"))
	_, err := s.run("draw it")
	require.NoError(t, err)
	current := func(i int) bool {
		_, there := prompt[map[string]any](s, i, "blackboard")["current_subtask"]
		return there
	}
	assert.False(t, current(0))
	assert.True(t, current(1))
	assert.False(t, current(2))
}

// FINISH without a word, an act or a sub-task is fed back, once.
func TestScenario51_AFinishOfNothing(t *testing.T) {
	bare := map[string]any{"Status": "FINISH"}
	for name, tc := range map[string]struct {
		replies []any
		again   bool
	}{
		"nothing":            {[]any{bare, bare}, true},
		"blanks":             {[]any{map[string]any{"Status": "FINISH", "Comment": " ", "Result": "\n"}, bare}, true},
		"null":               {[]any{map[string]any{"Status": "FINISH", "Result": nil}, finish("a word")}, true},
		"thoughts":           {[]any{map[string]any{"Status": "FINISH", "Thought": "all is done"}, finish("a word")}, true},
		"behind a mere look": {[]any{status(fsm.Continue), bare, bare}, true},
		"behind what failed": {[]any{call(fsm.Continue, "set_edit_text", map[string]any{"id": "99", "text": "x"}), bare, bare}, true},
		"a result":           {[]any{finish("a word")}, false},
		"an empty list":      {[]any{finish([]int{})}, false},
		"a comment":          {[]any{map[string]any{"Status": "FINISH", "Comment": "nothing was to be done"}}, false},
		"an act beside it":   {[]any{call(fsm.Finish, "note", map[string]any{"text": "x"})}, false},
		"an act before it":   {[]any{call(fsm.Continue, "note", map[string]any{"text": "x"}), bare}, false},
		"an approved act":    {[]any{call(fsm.Confirm, "note", map[string]any{"text": "x"}), bare}, false},
	} {
		t.Run(name, func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				s := open(tc.replies...).answered(true)
				_, err := s.play()
				require.NoError(t, err)
				refused := 0
				for _, step := range s.Steps {
					refused += len(step.Refused)
				}
				assert.Equal(t, tc.again, refused == 1, "%d refused", refused)
			})
		})
	}
	s := onStage(t, assign("0", "read it"), finish("the table"), bare)
	_, err := s.run("draw it")
	require.NoError(t, err, "a sub-task is something")
}

// A state of one's own that asks by itself and returns the error as it is ends in FAIL,
// too: that there is nobody is no fault.
func TestScenario51_NobodyForAStateOfOnesOwn(t *testing.T) {
	agent := &asking{}
	r, err := round.New(agent, "ask", nil)
	require.NoError(t, err)
	res, err := r.Run(t.Context())
	require.ErrorIs(t, err, round.ErrFailed)
	require.NotErrorIs(t, err, round.ErrFault)
	assert.Contains(t, res.Reason, "there is nobody to ask")
	assert.Equal(t, fsm.Fail, agent.Status())
}

// asking is an agent with a state that asks a person.
type asking struct {
	fsm.Position
}

var askings = fsm.Table("Asking", []fsm.Row[*asking]{
	{Status: fsm.Continue, Handle: func(a *asking, ctx context.Context) error {
		_, err := people.Ask(ctx, nil, people.Question{Text: "May I?"}, 0)
		return err
	}, NextState: fsm.To[*asking](fsm.Finish)},
	{Status: fsm.Finish, RoundEnd: true},
	{Status: fsm.Fail, RoundEnd: true},
	{Status: fsm.Error, RoundEnd: true},
},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.BySystem},
)

func (a *asking) Name() string                          { return "Asking" }
func (a *asking) States() fsm.Set                       { return askings }
func (a *asking) Answer() string                        { return "asked" }
func (a *asking) Begin(context.Context, fsm.Task) error { return nil }
