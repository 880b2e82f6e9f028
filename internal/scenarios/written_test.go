package scenarios_test

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/replycases"
	"github.com/agentfsm/agentfsm/llm"
)

// A FINISH without an act says in words what was done: a call in its words was not made.
func TestScenario44_NoEndWithACallInWords(t *testing.T) {
	const call = `{"name": "save", "arguments": {"name": "x"}}`
	for name, of := range map[string]*llm.Response{
		"the comment": {Calls: []llm.Call{{Name: "FINISH", Args: json.RawMessage(`{"Comment": ` + strconv.Quote(call) + `}`)}}},
		"the thought": {Text: "<tool_call>" + call + "</tool_call>", Calls: []llm.Call{{Name: "FINISH"}}},
	} {
		for _, kind := range []string{"app", "host"} {
			got := replyOf(t, kind, of)
			assert.Contains(t, got.fedBack, "is a call, which was not made", "%s of the %s", name, kind)
			assert.Empty(t, got.did)
		}
	}
}

// Whatever form a call has that a model writes as a text, its arguments decide nothing: in the JSON of both agents, beside
// tools, and in the decision of somebody else.
func TestScenario44_ACallWrittenAsTextDecidesNothing(t *testing.T) {
	playReplies(t, "written.txt")
	spellings := 0
	for _, c := range readReplies(t, "attacks/replies") {
		if c.File != "written.txt" {
			continue
		}
		spellings++
		stops := c.Ends != replycases.AskedAgain && c.Does == "" // what the model itself decided
		t.Run("everywhere/"+c.Name, func(t *testing.T) {
			for _, kind := range []string{"app", "host"} {
				if got := reply(t, kind, c.Reply); !stops {
					assert.Equal(t, c.Does, got.did, kind)
					assert.Equal(t, fsm.Continue, decidedOf(t, got), kind)
				}
				got := replyOf(t, kind, &llm.Response{Text: c.Reply, Calls: []llm.Call{}})
				assert.Equal(t, c.Does, got.did, "%s, beside tools", kind)
				assert.Equal(t, c.Does == "", got.fedBack != "", "%s, beside tools: %s", kind, got.fedBack)
			}
			var asked int
			type verdict struct{ Status, Comment string }
			got, err := deciding.Ask(t.Context(), deciding.Inquiry[verdict]{
				Model: llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
					if asked++; asked == 1 {
						return &llm.Response{Text: c.Reply}, nil
					}
					return &llm.Response{Text: `{"Status": "AGAIN"}`}, nil
				}), Messages: []llm.Message{llm.Text(llm.User, "decide")},
			})
			require.NoError(t, err)
			assert.Equal(t, stops, got.Status != "AGAIN", "a decision of one's own: %v", got)
		})
	}
	assert.GreaterOrEqual(t, spellings, 60)
}

// decidedOf is the status that a step decided; CONTINUE where it was asked again.
func decidedOf(t *testing.T, got replied) fsm.Status {
	t.Helper()
	var d struct{ Status fsm.Status }
	require.NoError(t, json.Unmarshal(got.step.Decision, &d))
	if got.fedBack != "" {
		assert.Equal(t, fsm.Finish, d.Status, "what it said then")
		return fsm.Continue
	}
	return d.Status
}
