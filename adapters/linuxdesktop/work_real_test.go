//go:build linux

package linuxdesktop_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// The program of the guide: a text is written unasked, and a person is asked before it is saved.
func TestRealWork(t *testing.T) {
	wanted(t, "mousepad")
	realpartstest.Desktop(t, headless.Missing("mousepad"))
	model := llmtest.Script(nil,
		`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "write a line, and ask where to save it"}`,
		func(req *llm.Request) (string, error) {
			var controls []desktop.Control
			section, ok := llm.FindSection(req, "controls")
			require.True(t, ok)
			require.NoError(t, json.Unmarshal(section, &controls))
			text := search(controls, func(c desktop.Control) bool { return c.Type == "text" })
			return `{"Status": "CONTINUE", "Function": "keyboard_input", "Args": {"id": "` + text.ID + `", "keys": "Hello"}}`, nil
		},
		`{"Status": "CONFIRM", "Function": "select_menu", "Args": {"path": ["File", "Save"]}}`,
		`{"Status": "FINISH", "Result": "the dialog Save is open"}`,
		`{"Status": "FINISH", "Result": "A line was written."}`,
	)
	var asked []string
	user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		asked = append(asked, q.Text)
		return people.Answer{Approved: true}, nil
	})
	res, err := Work(t.Context(), model, user, t.TempDir(), "write a line")
	require.NoError(t, err)
	assert.Equal(t, round.Finished, res.Outcome)
	require.Len(t, asked, 1)
	assert.Contains(t, asked[0], `It needs approval because the menu entry "File > Save" may keep, send or lose something.`)
}
