package llmtest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// office runs a round of a host and two applications, and returns its
// transitions and its result.
func office(t *testing.T, m llm.Model) (positions []string, res round.Result) {
	t.Helper()
	word := &desktoptest.App{Root: "word", Process: "report", Title: "report.docx - Word", Running: true}
	excel := &desktoptest.App{Root: "excel", Process: "book", Title: "Book1 - Excel", Running: true}
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: m, Desktop: desktoptest.New(t, word, excel)}})
	require.NoError(t, err)
	r, err := round.New(host, "chart the table of the report", &round.Options{Observe: func(s round.Step) {
		positions = append(positions, s.Agent+":"+string(s.From)+" > "+s.NextAgent+":"+string(s.To)+" by "+s.By.String()+" "+s.Reason)
	}})
	require.NoError(t, err)
	res, err = r.Run(t.Context())
	require.NoError(t, err)
	return positions, res
}

// A whole round is recorded, a reply that is fed back included, and replayed
// without a model: by what the prompts say, which a round must write the same
// way each time but for the times in them.
func TestCassetteOfARound(t *testing.T) {
	script := llmtest.Script(t,
		map[string]any{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "read the table"},
		map[string]any{"Status": "FINISH", "Result": []any{[]any{"a", 1}, []any{"b", 2}}},
		"I shall use Excel now.",
		map[string]any{"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "draw the chart"},
		map[string]any{"Status": "CONTINUE"},
		map[string]any{"Status": "FINISH", "Result": "chart.png"},
		map[string]any{"Status": "FINISH", "Result": "The chart is drawn."},
	)
	var recorded []string
	var first round.Result
	path, content := record(t, llmtest.CassetteOptions{Record: script}, func(m llm.Model) { recorded, first = office(t, m) })
	assert.Equal(t, 7, first.Calls)
	assert.True(t, json.Valid([]byte(content)))

	tape, f := replay(t, path, nil)
	replayed, second := office(t, tape)
	f.end()
	require.Empty(t, f.failures())
	assert.Equal(t, recorded, replayed)
	assert.Greater(t, len(replayed), 6)
	assert.Equal(t, "The chart is drawn.", second.Answer)
	assert.Equal(t, first.Usage, second.Usage)
	assert.Equal(t, first.Steps, second.Steps)
}
