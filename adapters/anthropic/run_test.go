package anthropic_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/processor"
	"github.com/agentfsm/agentfsm/round"
)

// turns is what a model says in a round over two applications, one of whose tools
// a person has to allow.
var turns = []string{
	`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "extract the table"}`,
	`{"Status": "CONTINUE", "Function": "texts", "ControlLabel": "t1"}`,
	`{"Status": "FINISH", "Result": [4, 7]}`,
	`{"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "write the table"}`,
	`{"Status": "CONTINUE", "Function": "replace_file"}`,
	`{"Status": "FINISH", "Result": "written"}`,
	`{"Status": "FINISH", "Result": "The table is in Excel."}`,
}

// positions is where the round of these turns goes.
var positions = []string{
	"ASSIGN", "CONTINUE", "CONTINUE", "FINISH", "CONTINUE", "ASSIGN", "CONTINUE", "CONFIRM", "CONTINUE", "FINISH", "CONTINUE", "FINISH",
}

// runRound runs that round with a model.
func runRound(t *testing.T, model llm.Model) (result round.Result, went, asked []string) {
	t.Helper()
	word := &desktoptest.App{
		Root: "word", Process: "report.docx", Running: true,
		Controls: []desktop.Control{{ID: "t1", Type: "Table", Value: "2023 4, 2024 7"}},
	}
	excel := &desktoptest.App{Root: "excel", Process: "book", Tools: []desktoptest.Tool{
		{Name: "replace_file", Annotations: desktop.Annotations{DestructiveHint: true}},
	}}
	host, err := hostagent.New(hostagent.Config{
		Model: model, Desktop: desktoptest.New(t, word, excel), Apps: []hostagent.Program{{Name: "excel"}},
		User: processor.UserFunc(func(_ context.Context, q processor.Question) (processor.Answer, error) {
			asked = append(asked, q.Command.ToolName)
			return processor.Answer{Approved: true}, nil
		}),
	})
	require.NoError(t, err)
	r, err := round.New(host, "put the table into Excel", &round.Options{
		Observe: func(s round.Step) { went = append(went, string(s.To)) },
	})
	require.NoError(t, err)
	result, err = r.Run(t.Context())
	require.NoError(t, err)
	return result, went, asked
}

// A host and its agents work on two applications, with screenshots, and ask a
// person; the server fails twice in between.
func TestRound(t *testing.T) {
	var answers []http.HandlerFunc
	for i, turn := range turns {
		switch i {
		case 1:
			answers = append(answers, fails(529, "overloaded_error", "Overloaded"))
		case 2:
			answers = append(answers, breaksOff)
		}
		answers = append(answers, says(turn, "end_turn"))
	}
	s := serve(t, answers...)
	result, went, asked := runRound(t, llm.Retry(s.model(t, nil), &llm.RetryOptions{Base: -1}))
	assert.Equal(t, round.Finished, result.Outcome)
	assert.Equal(t, "The table is in Excel.", result.Answer)
	assert.Equal(t, positions, went)
	assert.Equal(t, []string{"replace_file"}, asked)
	assert.Equal(t, llm.Usage{InputTokens: 7 * 19, OutputTokens: 7 * 10}, result.Usage)

	sent := s.sent()
	require.Len(t, sent, 9)
	for _, body := range sent {
		assert.Contains(t, body, "fits this JSON Schema", "the schemas of agents are open")
		assert.Contains(t, body, `"media_type":"image/png"`)
	}
	assert.Equal(t, sent[1], sent[2], "the same request again")
}

// A reply that was cut is fed back, and the agent goes on.
func TestRoundAfterACutReply(t *testing.T) {
	s := serve(t, says(`{"Status": "ASS`, "max_tokens"), says(`{"Status": "FINISH", "Result": "done"}`, "end_turn"))
	result, went, _ := runRound(t, s.model(t, nil))
	assert.Equal(t, "done", result.Answer)
	assert.Equal(t, []string{"FINISH"}, went)
	require.Len(t, s.sent(), 2)
	assert.NotContains(t, s.sent()[0], "cut by length")
	assert.Contains(t, s.sent()[1], "cut by length", "the model is told why it is asked again")
}
