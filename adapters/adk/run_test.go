package adk_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/adapters/adk"
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
	return &fake{yield: func(_ context.Context, req *model.LLMRequest, yield func(*model.LLMResponse, error) bool) {
		last := req.Contents[len(req.Contents)-1]
		if last.Parts[0].FunctionResponse != nil {
			yield(text("ok"), nil)
			return
		}
		reply := text("")
		reply.Content.Parts = nil
		for _, r := range requests {
			reply.Content.Parts = append(reply.Content.Parts, genai.NewPartFromFunctionCall("run_task", request(r)))
		}
		yield(reply, nil)
	}}
}

// runAgent runs the ADK's agent with a tool. It returns what the tool responded
// and what the agent said in the end.
func runAgent(ctx context.Context, t *testing.T, thinker model.LLM, of tool.Tool, change ...func(*llmagent.Config)) (responses []map[string]any, said string, err error) {
	t.Helper()
	cfg := llmagent.Config{Name: "outer", Model: thinker, Tools: []tool.Tool{of}}
	for _, c := range change {
		c(&cfg)
	}
	a, err := llmagent.New(cfg)
	require.NoError(t, err)
	r, err := runner.NewInMemory("test", a)
	require.NoError(t, err)
	for event, problem := range r.Run(ctx, "user", "session", genai.NewContentFromText("go", genai.RoleUser), agent.RunConfig{}) {
		if problem != nil {
			return responses, said, problem
		}
		if event.Content == nil {
			continue
		}
		for _, part := range event.Content.Parts {
			if part.FunctionResponse != nil {
				responses = append(responses, part.FunctionResponse.Response)
			}
			if event.IsFinalResponse() {
				said += part.Text
			}
		}
	}
	return responses, said, nil
}

// The ADK's runner and agent call the tool, whose agents think with a model of the
// ADK, too, work on two applications, and ask a person.
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
	var positions, asked []string
	made, err := adk.Tool(func(ctx context.Context) (*round.Session, error) {
		_, ok := ctx.(agent.Context)
		assert.True(t, ok, "the context of the call is the ADK's")
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
		return round.NewSession(host, &round.Options{Observe: func(s round.Step) { positions = append(positions, string(s.To)) }})
	}, nil)
	require.NoError(t, err)

	responses, said, err := runAgent(t.Context(), t, outer("put the table into Excel"), made)
	require.NoError(t, err)
	assert.Equal(t, "ok", said)
	require.Len(t, responses, 1)
	got := responses[0]
	assert.Equal(t, "FINISH", got["outcome"])
	assert.Equal(t, "The table is in Excel.", got["answer"])
	assert.Len(t, got["subtasks"], 2)
	assert.Equal(t, map[string]any{"input_tokens": 49.0, "output_tokens": 21.0}, got["usage"])
	assert.Equal(t, []string{
		"ASSIGN", "CONTINUE", "CONTINUE", "FINISH", "CONTINUE", "ASSIGN", "CONTINUE", "CONFIRM", "CONTINUE", "FINISH", "CONTINUE", "FINISH",
	}, positions)
	assert.Equal(t, []string{"replace_file"}, asked)
}

// A task that failed is an error to the outer model, and a callback finds what it
// came to.
func TestRunOfFailure(t *testing.T) {
	made, err := adk.Tool(sessions(func(_ context.Context, w *worker) error {
		w.Decide(fsm.Fail, fsm.BySystem, "there is no table")
		return nil
	}), nil)
	require.NoError(t, err)
	var seen *runtask.Error
	responses, said, err := runAgent(t.Context(), t, outer("x"), made, func(cfg *llmagent.Config) {
		cfg.OnToolErrorCallbacks = append(cfg.OnToolErrorCallbacks,
			func(_ agent.Context, _ tool.Tool, _ map[string]any, err error) (map[string]any, error) {
				seen, _ = errors.AsType[*runtask.Error](err)
				return nil, nil
			})
	})
	require.NoError(t, err)
	assert.Equal(t, "ok", said)
	require.Len(t, responses, 1)
	assert.Contains(t, responses[0]["error"], "there is no table")
	assert.NotContains(t, responses[0], "answer")
	require.NotNil(t, seen)
	assert.Equal(t, round.Failed, seen.Result.Outcome)
}

// The outer model asks for two tasks at once; they wait for each other.
func TestRunOfTwoTasks(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	made, err := adk.Tool(sessions(func(_ context.Context, w *worker) error {
		both.Done()
		both.Wait()
		return w.finish("did " + w.task)
	}), nil)
	require.NoError(t, err)
	responses, _, err := runAgent(t.Context(), t, outer("a", "b"), made)
	require.NoError(t, err)
	require.Len(t, responses, 2)
	assert.Equal(t, "did a", responses[0]["answer"])
	assert.Equal(t, "did b", responses[1]["answer"])
}

// A cancelled run stops the round in the middle of a step.
func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var outcome error
	made, err := adk.Tool(func(context.Context) (*round.Session, error) {
		return round.NewSession(&worker{step: func(ctx context.Context, _ *worker) error {
			cancel()
			<-ctx.Done()
			outcome = ctx.Err()
			return outcome
		}}, nil)
	}, nil)
	require.NoError(t, err)
	responses, _, err := runAgent(ctx, t, outer("x"), made)
	require.ErrorIs(t, outcome, context.Canceled)
	for _, r := range responses {
		assert.NotContains(t, r, "answer")
	}
	require.ErrorIs(t, err, context.Canceled)
}
