package eino_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/eino"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/runtask"
)

// outer is the model of the outer agent: it calls the tool with these requests
// at once, and then says ok.
func outer(requests ...string) *fake {
	return &fake{answer: func(_ context.Context, input []*schema.Message, _ *model.Options) ([]*schema.Message, error) {
		if input[len(input)-1].Role == schema.Tool {
			return []*schema.Message{piece("ok")}, nil
		}
		var calls []schema.ToolCall
		for i, r := range requests {
			arguments, err := json.Marshal(map[string]string{"request": r})
			if err != nil {
				return nil, err
			}
			calls = append(calls, schema.ToolCall{
				Index: new(i), ID: strconv.Itoa(i), Function: schema.FunctionCall{Name: "run_task", Arguments: string(arguments)},
			})
		}
		return []*schema.Message{schema.AssistantMessage("", calls)}, nil
	}}
}

// run is what came of a run of Eino's agent.
type run struct {
	results []string // of the tool
	said    string   // in the end
	custom  []any    // events that are no messages
	err     error
}

// runAgent runs Eino's agent with a tool.
func runAgent(ctx context.Context, t *testing.T, thinker model.BaseChatModel, of tool.BaseTool) run {
	t.Helper()
	a, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name: "outer", Description: "outer", Model: thinker,
		ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{of}}},
	})
	require.NoError(t, err)
	var out run
	events := adk.NewRunner(ctx, adk.RunnerConfig{Agent: a}).Query(ctx, "go")
	for event, ok := events.Next(); ok; event, ok = events.Next() {
		switch {
		case event.Err != nil:
			out.err = errors.Join(out.err, event.Err)
		case event.Output == nil:
		case event.Output.CustomizedOutput != nil:
			out.custom = append(out.custom, event.Output.CustomizedOutput)
		case event.Output.MessageOutput != nil:
			message, err := event.Output.MessageOutput.GetMessage()
			require.NoError(t, err)
			if message.Role == schema.Tool {
				out.results = append(out.results, message.Content)
			}
			out.said = message.Content
		}
	}
	return out
}

// Eino's runner and agent call the tool, whose agents think with a chat model of
// Eino, too, work on two applications, and ask a person. The caller sees the steps
// among the agent's events.
func TestWholeRun(t *testing.T) {
	word := &desktoptest.App{
		Root: "word", Process: "report.docx", Running: true,
		Controls: []desktop.Control{{ID: "t1", Type: "Table", Value: "2023 4, 2024 7"}},
	}
	excel := &desktoptest.App{Root: "excel", Process: "book", Tools: []desktoptest.Tool{
		{Name: "replace_file", Annotations: desktop.Annotations{DestructiveHint: true}},
	}}
	desk := desktoptest.New(t, word, excel)
	inner := script(
		`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "extract the table"}`,
		`{"Status": "CONTINUE", "Function": "texts", "ControlLabel": "t1"}`,
		`{"Status": "FINISH", "Result": [4, 7]}`,
		`{"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "write the table"}`,
		`{"Status": "CONTINUE", "Function": "replace_file"}`,
		`{"Status": "FINISH", "Result": "written"}`,
		`{"Status": "FINISH", "Result": "The table is in Excel."}`,
	)
	var asked []string
	made, err := eino.Tool(func(ctx context.Context) (*round.Session, error) {
		host, err := hostagent.New(hostagent.Config{
			Config: appagent.Config{
				Model: adapt(t, inner, nil), Desktop: desk, User: people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
					asked = append(asked, q.Command.ToolName)
					return people.Answer{Approved: true}, nil
				}),
			},
			Apps: []hostagent.Program{{Name: "excel"}},
		})
		if err != nil {
			return nil, err
		}
		return round.NewSession(host, &round.Options{Observe: func(s round.Step) {
			assert.NoError(t, adk.SendEvent(ctx, &adk.AgentEvent{Output: &adk.AgentOutput{CustomizedOutput: s}}))
		}})
	}, nil)
	require.NoError(t, err)

	out := runAgent(t.Context(), t, outer("put the table into Excel"), made)
	require.NoError(t, out.err)
	assert.Equal(t, "ok", out.said)
	require.Len(t, out.results, 1)
	var got round.Result
	require.NoError(t, json.Unmarshal([]byte(out.results[0]), &got))
	assert.Equal(t, round.Finished, got.Outcome)
	assert.Equal(t, "The table is in Excel.", got.Answer)
	assert.Len(t, got.Subtasks, 2)
	assert.Equal(t, 49, got.Usage.InputTokens)
	assert.Equal(t, 21, got.Usage.OutputTokens)
	assert.Equal(t, []string{"replace_file"}, asked)

	var positions []string
	for _, event := range out.custom {
		if s, ok := event.(round.Step); ok {
			positions = append(positions, string(s.To))
		}
	}
	assert.Equal(t, []string{
		"ASSIGN", "CONTINUE", "CONTINUE", "FINISH", "CONTINUE", "ASSIGN", "CONTINUE", "CONFIRM", "CONTINUE", "FINISH", "CONTINUE", "FINISH",
	}, positions)
}

// A task that failed ends the agent's run, or is told to its model.
func TestRunOfFailure(t *testing.T) {
	made, err := eino.Tool(sessions(func(_ context.Context, w *worker) error {
		w.Decide(fsm.Fail, fsm.BySystem, "there is no table")
		return nil
	}), nil)
	require.NoError(t, err)

	out := runAgent(t.Context(), t, outer("x"), made)
	require.ErrorIs(t, out.err, round.ErrFailed)
	task, ok := errors.AsType[*runtask.Error](out.err)
	require.True(t, ok)
	assert.Equal(t, round.Failed, task.Result.Outcome)
	assert.Empty(t, out.results)

	out = runAgent(t.Context(), t, outer("x"), utils.WrapInvokableToolWithErrorHandler(made, eino.FailureText))
	require.NoError(t, out.err)
	assert.Equal(t, "ok", out.said)
	require.Len(t, out.results, 1)
	var told map[string]string
	require.NoError(t, json.Unmarshal([]byte(out.results[0]), &told))
	assert.Equal(t, "FAIL", told["outcome"])
	assert.Contains(t, told["error"], "there is no table")
}

// The outer model asks for two tasks at once; they wait for each other.
func TestRunOfTwoTasks(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	made, err := eino.Tool(sessions(func(_ context.Context, w *worker) error {
		both.Done()
		both.Wait()
		return w.finish("did " + w.task)
	}), nil)
	require.NoError(t, err)
	out := runAgent(t.Context(), t, outer("a", "b"), made)
	require.NoError(t, out.err)
	require.Len(t, out.results, 2)
	all := out.results[0] + out.results[1]
	assert.Contains(t, all, "did a")
	assert.Contains(t, all, "did b")
}

// A cancelled run stops the round in the middle of a step.
func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	made, err := eino.Tool(sessions(func(ctx context.Context, _ *worker) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	}), nil)
	require.NoError(t, err)
	out := runAgent(ctx, t, outer("x"), made)
	require.ErrorIs(t, out.err, context.Canceled)
	assert.Empty(t, out.results)
}
