package adapterstest

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Turns is what a model says in a round over two applications. A person has to allow one of their tools.
var Turns = []string{
	`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "extract the table"}`,
	`{"Status": "CONTINUE", "Function": "texts", "ControlLabel": "t1"}`,
	`{"Status": "FINISH", "Result": [4, 7]}`,
	`{"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "write the table"}`,
	`{"Status": "CONTINUE", "Function": "replace_file"}`,
	`{"Status": "FINISH", "Result": "written"}`,
	`{"Status": "FINISH", "Result": "The table is in Excel."}`,
}

// InCalls is what a model says in the round of Turns if it replies with calls.
var InCalls = [][]llm.Call{
	{{ID: "1", Name: "ASSIGN", Args: json.RawMessage(`{"ControlLabel": "0", "CurrentSubTask": "extract the table"}`)}},
	{{ID: "1", Name: "texts", Args: json.RawMessage(`{"id": "t1"}`)}},
	{{ID: "1", Name: "FINISH", Args: json.RawMessage(`{"Result": [4, 7]}`)}},
	{{ID: "1", Name: "ASSIGN", Args: json.RawMessage(`{"ControlLabel": "1", "CurrentSubTask": "write the table"}`)}},
	{{ID: "1", Name: "replace_file", Args: json.RawMessage(`{}`)}, {ID: "2", Name: "CONTINUE", Args: json.RawMessage(`{}`)}},
	{{ID: "1", Name: "FINISH", Args: json.RawMessage(`{"Result": "written"}`)}},
	{{ID: "1", Name: "FINISH", Args: json.RawMessage(`{"Result": "The table is in Excel."}`)}},
}

// RunRound runs the round of Turns with a model, which replies with calls if calls says so, and asserts that the round
// does all that it should. It returns what the model used.
func RunRound(t testing.TB, model llm.Model, calls bool) llm.Usage {
	t.Helper()
	word := &desktoptest.App{
		Root: "word", Process: "report.docx", Running: true,
		Controls: []desktop.Control{{ID: "t1", Type: "Table", Value: "2023 4, 2024 7"}},
	}
	excel := &desktoptest.App{Root: "excel", Process: "book", Tools: []desktoptest.Tool{
		{Name: "replace_file", Annotations: desktop.Annotations{DestructiveHint: true}},
	}}
	var went, asked []string
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: model, ToolCalls: calls, Desktop: desktoptest.New(t, word, excel),
			User: people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
				asked = append(asked, q.Command.ToolName)
				return people.Answer{Approved: true}, nil
			}),
		},
		Apps: []hostagent.Program{{Name: "excel"}},
	})
	require.NoError(t, err)
	r, err := round.New(host, "put the table into Excel", &round.Options{
		Observe: func(s round.Step) { went = append(went, string(s.To)) },
	})
	require.NoError(t, err)
	result, err := r.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, round.Finished, result.Outcome)
	assert.Equal(t, "The table is in Excel.", result.Answer)
	assert.Equal(t, []string{
		"ASSIGN", "CONTINUE", "CONTINUE", "FINISH", "CONTINUE", "ASSIGN", "CONTINUE", "CONFIRM", "CONTINUE", "FINISH", "CONTINUE", "FINISH",
	}, went)
	assert.Equal(t, []string{"replace_file"}, asked)
	return result.Usage
}

// A host and its agents work on two applications, with screenshots, and ask a person;
// the server fails in three ways in between.
func testRound(t *testing.T, a Adapter) {
	var answers []http.HandlerFunc
	for i, turn := range Turns {
		switch i {
		case 1:
			answers = append(answers, a.fails(http.StatusInternalServerError, "oops"))
		case 2:
			answers = append(answers, BreaksOff)
		case 4:
			answers = append(answers, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Retry-After-Ms", "20")
				a.fails(http.StatusTooManyRequests, "oops")(w, r)
			})
		}
		answers = append(answers, a.says(turn))
	}
	var waits []time.Duration
	s := Serve(t, answers...)
	got := RunRound(t, llm.Retry(a.at(t, s), &llm.RetryOptions{
		Base: -1, OnRetry: func(_ int, wait time.Duration, _ error) { waits = append(waits, wait) },
	}), false)
	var used llm.Usage
	for range Turns {
		used = used.Add(a.Usage)
	}
	assert.Equal(t, used, got)
	assert.Equal(t, []time.Duration{0, 0, 20 * time.Millisecond}, waits, "as long as the server asked for")
	sent := s.Sent()
	require.Len(t, sent, 10)
	assert.Equal(t, sent[1], sent[2], "the same request again")
}

func testRoundInCalls(t *testing.T, a Adapter) {
	var answers []http.HandlerFunc
	for _, calls := range InCalls {
		answers = append(answers, JSON(http.StatusOK, a.Called("", calls, thought)))
	}
	RunRound(t, a.at(t, Serve(t, answers...)), true)
}
