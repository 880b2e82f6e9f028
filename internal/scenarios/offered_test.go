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
	nobody := func(s *stage) { s.Config.User = nil }
	noTools := func(s *stage) {
		s.Config.Desktop = must(desktop.Screen(desktop.App{Window: desktop.Window{Root: "word"}, Desktop: s.Desktop}))
	}
	for name, tc := range map[string]struct {
		app     bool
		change  func(*stage)
		offered []fsm.Status
	}{
		"a person":               {false, func(*stage) {}, []fsm.Status{c, a, f, p, y}},
		"nobody":                 {false, nobody, []fsm.Status{c, a, f, x}},
		"no tools of its own":    {false, noTools, []fsm.Status{a, f, p, y}},
		"nobody, and no tools":   {false, func(s *stage) { nobody(s); noTools(s) }, []fsm.Status{a, f, x}},
		"no application":         {false, func(s *stage) { s.Desktop.Gone(s.Word); s.Desktop.Gone(s.Excel) }, []fsm.Status{c, f, p, y}},
		"a person for an app":    {true, func(*stage) {}, []fsm.Status{c, f, x, p, y, s}},
		"nobody for an app":      {true, nobody, []fsm.Status{c, f, x, s}},
		"no pictures":            {true, func(s *stage) { s.Desktop.Without(desktop.CaptureWindowScreenshot) }, []fsm.Status{c, f, x, p, y}},
		"pictures are not taken": {true, func(s *stage) { s.Config.NoImages = true }, []fsm.Status{c, f, x, p, y}},
		// Without FAIL by the model, PENDING and CONFIRM are how a table of the caller's own gives up.
		"a table of one's own": {false, func(s *stage) {
			nobody(s)
			s.Config.States = hostagent.States().With(fsm.Edge{From: c, To: fsm.Error, By: fsm.ByModel})
		}, []fsm.Status{c, a, f, fsm.Error, p, y}},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, "not a reply", finish("done"))
			s.Config.User = nobodyAnswers
			tc.change(s)
			agent := func() fsm.Worker { return s.host() }
			if tc.app {
				agent = s.alone
			}
			_, err := s.drive(agent(), "tidy up").Run(t.Context())
			require.NoError(t, err)
			s.offers(0, tc.offered...)
			assert.ElementsMatch(t, tc.offered, prompt[[]fsm.Status](s, 1, "allowed_statuses"), "asked again")
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
