package hostagent_test

import (
	"io"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// In a bubble of synctest waiting takes no time: here half a minute for a window
// that never comes.
func TestProgramDoesNotStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		excel := &desktoptest.App{Root: "excel", LaunchDelay: -1} // launched, it shows no window
		model := llmtest.Script(t,
			`{"Status": "ASSIGN", "ControlText": "excel", "CurrentSubTask": "draw a chart"}`,
			func(req *llm.Request) (string, error) {
				assert.Contains(t, llmtest.Section[string](t, req, "last_error"), "excel")
				return `{"Status": "FINISH", "Result": "Excel does not start."}`, nil
			},
		)
		host, err := hostagent.New(hostagent.Config{
			Config: appagent.Config{
				Model: model, Desktop: desktoptest.New(t, excel), NoImages: true,
			},
			Apps: []hostagent.Program{{Name: "excel"}},
		})
		require.NoError(t, err)
		r, err := round.New(host, "draw a chart", nil)
		require.NoError(t, err)
		res, err := r.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "Excel does not start.", res.Answer)
	})
}

// The desktop breaks. The round reports it, with the results so far.
func TestDesktopBreaks(t *testing.T) {
	word := &desktoptest.App{Root: "word", Process: "report.docx", Running: true,
		Controls: []desktop.Control{{ID: "7", Name: "Save", Type: "Button"}}}
	desk := desktoptest.New(t, word)
	desk.Break(desktop.ClickInput, io.ErrUnexpectedEOF).Late() // done, but the answer is lost
	model := llmtest.Script(t,
		`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "save it"}`,
		`{"Status": "FINISH", "Function": "click_input", "ControlLabel": "7"}`,
	)
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desk, NoImages: true}})
	require.NoError(t, err)
	r, err := round.New(host, "save the report", nil)
	require.NoError(t, err)

	res, err := r.Run(t.Context())
	require.ErrorIs(t, err, round.ErrFault)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Equal(t, round.Faulted, res.Outcome)
	assert.Equal(t, "ERROR", res.Subtasks[0].Status)
	assert.True(t, desk.Calls(desktop.ClickInput)[0].Executed)
}
