package scenarios_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// A reply of calls that makes no decision has a secret, too: the model that is asked again may speak of it.
func TestScenario42_CallsThatMakeNoDecision(t *testing.T) {
	const login = `{"user":"bob","password":"correct-horse"}`
	quoted := string(must(json.Marshal(login)))
	for name, calls := range map[string][]llm.Call{
		"two statuses":       {{Name: "login", Args: []byte(login)}, {Name: "FAIL"}, {Name: "FINISH"}},
		"inside a status":    {{Name: "CONTINUE", Args: []byte(`{"Function":"login","Args":` + login + `}`)}},
		"of another name":    {{Name: "CONTINUE", Args: []byte(`{"tool":"login","arguments":` + quoted + `}`)}},
		"inside a list":      {{Name: "CONTINUE", Args: []byte(`{"Actions":[{"Function":"login","Args":` + login + `}]}`)}},
		"a status in a text": {{Name: "CONTINUE", Args: []byte(string(must(json.Marshal(`{"Call":{"Function":"login","Args":` + login + `}}`))))}},
		"without a name":     {{Name: "login", Args: []byte(login)}, {Name: " "}},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, calls, []llm.Call{{Name: "FAIL", Args: []byte(`{"Comment":"tried correct-horse"}`)}})
			s.Word = &desktoptest.App{Root: "word", Process: "report", Running: true, Tools: []desktoptest.Tool{{
				Name: "login", Schema: `{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string","writeOnly":true}}}`,
			}}}
			s.Config.ToolCalls, s.Config.Desktop = true, desktoptest.New(t, s.Word)
			var lines bytes.Buffer
			s.Options.Observe = round.JSONL(&lines)
			res, err := s.drive(s.alone(), "log in").Run(t.Context())
			require.ErrorContains(t, err, "tried ***")
			assert.Equal(t, "tried ***", res.Reason)
			assert.NotContains(t, lines.String(), "correct-horse")
			assert.Len(t, s.Model.Requests(), 2, "it was refused")
		})
	}
}
