package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
)

// An action changes the window; the next one was decided for the window as it
// was.
func TestScenario29_TargetIsLookedAtAgain(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*scene)
		now    string // as the model is told
	}{
		"gone":           {func(s *scene) { s.Word.SetControls(desktop.Control{ID: "5", Name: "Next"}) }, "control 6 (not seen) in word/report (1)"},
		"called another": {func(s *scene) { s.Word.Rename("6", "Delete all") }, `Button "Delete all" (6) in word/report (1)`},
		"of another type": {func(s *scene) { s.Word.SetControls(desktop.Control{ID: "6", Name: "Save", Type: "MenuItem"}) },
			`MenuItem "Save" (6) in word/report (1)`},
		"not to be seen": {func(s *scene) { s.Desktop.Fail(desktop.GetUITree, "busy").Times(1) }, "control 6 (not seen) in word/report (1)"},
		"in another window": {func(s *scene) {
			res, err := desktop.JSONResult(desktop.Window{ID: "1", Root: "word", Process: "letter"})
			require.NoError(s.t, err)
			s.Desktop.Lie(desktop.GetAppWindow, res).Times(1)
		}, `Button "Save" (6) in word/letter (1)`},
	} {
		t.Run(name, func(t *testing.T) {
			forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
				s := open(several("FINISH", onLabel("5", "click_input", nil), onLabel("6", "click_input", nil), note("saved")), finish("now"))
				s.Word.SetControls(desktop.Control{ID: "5", Name: "Next"}, desktop.Control{ID: "6", Name: "Save", Type: "Button"})
				s.Desktop.After(desktop.ClickInput, func(desktoptest.Call) { c.change(s) }).Times(1)
				res, err := s.play()
				require.NoError(t, err)
				assert.Equal(t, "now", res.Answer, "FINISH was for all of the list")
				assert.Equal(t, 1, s.Desktop.Count(desktop.ClickInput), "the second was not even tried")
				assert.Equal(t, []string{"click_input 5"}, s.did())
				const was = `it was not executed: its target was Button "Save" (6) in word/report (1), and is `
				assert.Equal(t, []string{
					"click_input success",
					"click_input failure: " + was + c.now + " after the actions before it",
					"note skipped: an action before it failed",
				}, s.told())
				assert.Contains(t, prompt[string](s.stage, 1, "last_error"), was)
			})
		})
	}
}

// What changes beside the target does not matter, nor that a dialog opens which
// the model knows without having been shown it.
func TestScenario29_TargetThatIsStillThere(t *testing.T) {
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		s := open(several("FINISH",
			onLabel("5", "set_edit_text", map[string]any{"text": "Costs"}),
			onLabel("6", "click_input", nil),
			action("click_input", map[string]any{"id": "7"}), // in the dialog that opens
			onLabel("5", "set_edit_text", map[string]any{"text": "Sums"}),
		))
		s.Word.SetControls(desktop.Control{ID: "5", Name: "Title"}, desktop.Control{ID: "6", Name: "Save"})
		s.Desktop.After(desktop.ClickInput, func(desktoptest.Call) {
			s.Word.SetTitle("*report.docx - Word")
			s.Word.SetControls(desktop.Control{ID: "7", Name: "OK"}, desktop.Control{ID: "5", Name: "Title", Value: "Costs"})
		}).Times(1)
		_, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, []string{"set_edit_text 5 Costs", "click_input 6", "click_input 7", "set_edit_text 5 Sums"}, s.did())
		assert.Equal(t, 3, s.Desktop.Count(desktop.GetUITree), "at first, and for the two that were shown and are not first")
		assert.Equal(t, 1, s.Desktop.Count(desktop.CaptureWindowScreenshot))
	})
}

// Where controls cannot be seen at all, nothing is known that could have changed.
func TestScenario29_TargetsThatWereNeverSeen(t *testing.T) {
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		s := open(several("FINISH", onLabel("5", "click_input", nil), onLabel("6", "click_input", nil)))
		s.Word.SetControls(desktop.Control{ID: "5"}, desktop.Control{ID: "6"})
		s.Desktop.Without(desktop.GetUITree)
		_, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, []string{"click_input 5", "click_input 6"}, s.did())
	})
}

// An action that waits for approval was looked at like any other, and is looked
// at again when the answer comes.
func TestScenario29_TargetOfAnApprovalInTheMiddle(t *testing.T) {
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		s := open(several("FINISH", onLabel("5", "click_input", nil), onLabel("6", "wipe", everything)), finish("now"))
		s.Word.SetControls(desktop.Control{ID: "5", Name: "Next"}, desktop.Control{ID: "6", Name: "Draft"})
		s.Desktop.After(desktop.ClickInput, func(desktoptest.Call) { s.Word.Rename("6", "Report") })
		_, err := s.play()
		require.NoError(t, err)
		assert.Empty(t, s.Person.Asked, "nobody is asked about what is not there")
		assert.Equal(t, []string{"click_input 5"}, s.did())
		history := prompt[[]acting.Memo](s.stage, 1, "history")
		assert.Equal(t, desktop.Failure, history[0].Actions[1].Status)
	})
}
