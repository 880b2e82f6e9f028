package scenarios_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
)

// several is a decision with a list of actions.
func several(s fsm.Status, actions ...any) any {
	return map[string]any{"Status": s, "Actions": actions, "Result": "said beside the actions"}
}

func action(function string, args map[string]any) any {
	return map[string]any{"Function": function, "Args": args}
}

func note(text string) any { return action("note", map[string]any{"text": text}) }

// did is what was carried out, in order.
func (s *scene) did() []string {
	var list []string
	for _, e := range s.Desktop.Actions() {
		if e.Executed {
			line := e.Command.ToolName
			for _, name := range []string{"id", "text", "what"} {
				if v, ok := e.Command.Parameters[name].(string); ok {
					line += " " + v
				}
			}
			list = append(list, line)
		}
	}
	return list
}

// An action may refer to what is on the blackboard, not to what an action before
// it is going to return.
func TestScenario29_References(t *testing.T) {
	refer := func(path string) any {
		return action("note", map[string]any{"text": map[string]any{"$ref": path}})
	}
	forKinds(t, "app", func(t *testing.T, open func(...any) *scene) {
		long := strings.Repeat("x", 3*acting.MaxOutput)
		s := open(
			several("CONTINUE", action("report", nil)),
			several("CONTINUE", note("one"), refer("action_result_1"), refer("subject")),
			several("FINISH", action("report", nil), refer("action_result_2")), // it is not there yet
			finish("done"))
		s.Desktop.AddTools(desktoptest.Tool{Name: "report", Returns: long})
		s.Config.Board = blackboard.New(nil)
		require.NoError(t, s.Config.Board.PutRaw("subject", []byte(`"costs"`)))
		_, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, []string{"report", "note one", "note " + long, "note costs"}, s.did(), "and nothing of the list with the reference that leads nowhere")
		assert.Contains(t, prompt[string](s.stage, 3, "last_error"), `$ref "action_result_2"`)
		assert.Len(t, prompt[[]acting.Memo](s.stage, 3, "history"), 2, "a refused reply was no step")
	})
}
