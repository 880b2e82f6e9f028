package scenarios_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
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
