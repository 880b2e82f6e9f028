package hostagent_test

import (
	"testing"

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

// The script has the replies of the model. The test asserts where the agents went,
// which commands they executed, and the result.
func TestConversation(t *testing.T) {
	word := &desktoptest.App{Root: "word", Process: "report.docx", Running: true,
		Controls: []desktop.Control{{ID: "t1", Name: "Sales", Type: "Table", Value: "2023 4, 2024 7"}}}
	desk := desktoptest.New(t, word)
	model := llmtest.Script(t, // fails the test when a reply is left over, or one is missing
		`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "read the sales of 2024"}`,
		`{"Status": "CONTINUE", "Function": "texts", "ControlLabel": "t1"}`,
		func(req *llm.Request) (string, error) {
			controls := llmtest.Section[[]desktop.Control](t, req, "controls")
			assert.Equal(t, "2023 4, 2024 7", controls[0].Value)
			return `{"Status": "FINISH", "Result": 7}`, nil
		},
		`{"Status": "FINISH", "Result": {"$ref": "subtask_result_1.data"}}`,
	)
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desk, NoImages: true}})
	require.NoError(t, err)

	var steps []string
	r, err := round.New(host, "what were the sales of 2024?", &round.Options{
		Observe: func(s round.Step) { steps = append(steps, s.String()) },
	})
	require.NoError(t, err)
	res, err := r.Run(t.Context())
	require.NoError(t, err) // nil is success, and nothing else

	assert.Equal(t, "7", res.Answer)
	assert.Equal(t, []string{
		"HostAgent:CONTINUE -> HostAgent:ASSIGN (model)",
		"HostAgent:ASSIGN -> AppAgent/word/report.docx:CONTINUE (system)",
		"AppAgent/word/report.docx:CONTINUE -> AppAgent/word/report.docx:CONTINUE (model)",
		"AppAgent/word/report.docx:CONTINUE -> AppAgent/word/report.docx:FINISH (model)",
		"AppAgent/word/report.docx:FINISH -> HostAgent:CONTINUE (system)",
		"HostAgent:CONTINUE -> HostAgent:FINISH (model)",
	}, steps)
	assert.Len(t, desk.Calls(desktop.Texts), 1)
	assert.Equal(t, "FINISH", res.Subtasks[0].Status)
	assert.Equal(t, "what were the sales of 2024?", llmtest.Section[string](t, model.Last(), "request"))
}
