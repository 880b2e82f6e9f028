package hostagent

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/internal/savetest"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// A reply that is refused leaves nothing behind, and one that passes is planned only when it
// counts: a check reads the agent, what it has seen and the decision, and writes to none.
func TestCheckChangesNothing(t *testing.T) {
	var list plan.Draft
	require.NoError(t, json.Unmarshal([]byte(`[{"id": "a", "task": "write"}, {"id": "b", "task": "print", "after": ["a"]}]`), &list))
	for name, c := range map[string]struct {
		d    decision
		acts int
		ok   bool
	}{
		"assign":              {decision{Status: Assign, ControlLabel: "0", CurrentSubTask: "write"}, 1, true},
		"assign of no item":   {decision{Status: Assign, ControlLabel: "0", CurrentSubTask: "c", Plan: list}, 0, false},
		"assign of nothing":   {decision{Status: Assign, ControlLabel: "7", CurrentSubTask: "write"}, 0, false},
		"a reference":         {decision{Status: fsm.Continue, Bash: "ls", Function: "wait", Args: map[string]any{"seconds": map[string]any{"$ref": "note_1"}}}, 2, true},
		"a reference nowhere": {decision{Status: fsm.Continue, Function: "wait", Args: map[string]any{"seconds": map[string]any{"$ref": "nobody"}}}, 0, false},
		"a result":            {decision{Status: fsm.Finish, Result: json.RawMessage(`{"$ref": "note_1"}`)}, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			desk := desktoptest.New(t,
				&desktoptest.App{Root: "word", Process: "report", Title: "Word", Running: true},
				&desktoptest.App{Root: "excel", Process: "book", Title: "Excel"})
			board := blackboard.New(0)
			_, err := board.PutNew("note", json.RawMessage("1"))
			require.NoError(t, err)
			a, err := New(Config{Config: appagent.Config{Model: llmtest.Script(t), Desktop: desk, Board: board, NoImages: true}, Apps: []Program{{Name: "excel"}}})
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
				assert.Equal(t, c.d.Status == Assign, in.chosen != nil)
			}
		})
	}
}
