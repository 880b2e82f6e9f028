package appagent

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/savetest"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// A reply that is refused leaves nothing behind, and one that passes is planned only when it
// counts: a check reads the agent, what it has seen and the decision, and writes to none.
func TestCheckChangesNothing(t *testing.T) {
	note := map[string]any{"$ref": "note_1"}
	for name, c := range map[string]struct {
		d    decision
		acts int
		ok   bool
	}{
		"a click":              {decision{Status: fsm.Continue, Function: desktop.ClickInput, ControlLabel: "1"}, 1, true},
		"a click on nothing":   {decision{Status: fsm.Continue, Function: desktop.ClickInput, ControlLabel: "7"}, 0, false},
		"several":              {decision{Status: fsm.Continue, Actions: []action{{Function: desktop.ClickInput, ControlLabel: "1"}, {Function: desktop.KeyboardInput, Args: map[string]any{"keys": note}}}}, 2, true},
		"several, one nowhere": {decision{Status: fsm.Continue, Actions: []action{{Function: desktop.ClickInput, ControlLabel: "1"}, {Function: desktop.KeyboardInput, Args: map[string]any{"keys": map[string]any{"$ref": "nobody"}}}}}, 0, false},
		"a result":             {decision{Status: fsm.Finish, Result: json.RawMessage(`{"$ref": "note_1"}`)}, 0, true},
		"a result nowhere":     {decision{Status: fsm.Finish, Result: json.RawMessage(`{"$ref": "nobody"}`)}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			word := &desktoptest.App{
				Root: "word", Process: "report", Title: "Word", Running: true,
				Controls: []desktop.Control{{ID: "1", Name: "Save", Type: "Button"}},
			}
			desk := desktoptest.New(t, word)
			window, _ := word.Window()
			board := blackboard.New(0)
			_, err := board.PutNew("note", json.RawMessage(`"{ENTER}"`))
			require.NoError(t, err)
			a, err := New(Config{Model: llmtest.Script(t), Desktop: desk, Window: window, Board: board, NoImages: true})
			require.NoError(t, err)
			require.NoError(t, a.Begin(t.Context(), fsm.Task{Text: "go"}))
			seen := &turn{shown: &builtin.Kept{}}
			require.NoError(t, a.collect(t.Context(), seen))
			state := func() string {
				raw := savetest.JSON(t, a)
				shown, err := board.Render(1 << 20)
				require.NoError(t, err)
				return fmt.Sprintf("%s\n%s\n%+v\n%+v", raw, shown, *seen, c.d)
			}
			before := state()
			in, err := a.examine(seen, &c.d)
			assert.Equal(t, c.ok, err == nil, "%v", err)
			assert.Equal(t, before, state())
			if c.ok {
				assert.Len(t, in.acts, c.acts)
			}
		})
	}
}
