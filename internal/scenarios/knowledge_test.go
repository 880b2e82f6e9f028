package scenarios_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
)

// What Knowledge returned is in each prompt of its task, and in the record: who goes on elsewhere,
// or replays the run, does not ask. Host and agents of applications ask for their own.
func TestScenario68_Knowledge(t *testing.T) {
	note := call("CONTINUE", "wait", map[string]any{"seconds": 0})
	run := func(s *stage, asked *[]string) {
		s.Config.Knowledge = func(_ context.Context, task fsm.Task) ([]llm.Section, error) {
			*asked = append(*asked, task.Text+string(task.Context))
			return []llm.Section{{Name: "manual", Value: "how to " + task.Text}, {Name: "earlier_runs", Value: []int{len(*asked)}}}, nil
		}
	}
	var asked []string
	given := map[string]any{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "extract", "Context": map[string]any{"page": 3}}
	s := onStage(t, note, given, note, finish("r1"), note, finish("done"))
	run(s, &asked)
	runs := store.Memory()
	session, err := durable.Open(t.Context(), s.host(), runs, "run", nil)
	require.NoError(t, err)
	_, err = session.Run(t.Context(), "go")
	require.NoError(t, err)
	require.NoError(t, session.Close(t.Context()))

	assert.Equal(t, []string{"go", `extract{"page":3}`}, asked)
	var manuals []string
	for _, req := range s.Model.Requests() {
		manuals = append(manuals, fmt.Sprint(llmtest.Section[string](t, req, "manual"), llmtest.Section[[]int](t, req, "earlier_runs")))
	}
	assert.Equal(t, []string{"how to go[1]", "how to go[1]", "how to extract[2]", "how to extract[2]", "how to go[1]", "how to go[1]"}, manuals)

	var again []string
	other := onStage(t)
	run(other, &again)
	_, err = durable.Replay(t.Context(), other.host(), runs, "run", nil)
	require.NoError(t, err)
	assert.Empty(t, again, "a replay does not ask")
}

// A process dies after each record: nobody asks twice for what was recorded with a step.
func TestScenario68_AfterACrash(t *testing.T) {
	for dies := range 12 {
		var asked []string
		runs := store.Memory()
		open := func(in store.Store) error {
			s := onStage(t)
			s.Config.Model = llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
				assert.Equal(t, "how", llmtest.Section[string](t, req, "manual"))
				return &llm.Response{Text: `{"Status": "FINISH", "Result": "done"}`}, nil
			})
			s.Config.Knowledge = func(context.Context, fsm.Task) ([]llm.Section, error) {
				asked = append(asked, "again")
				return []llm.Section{{Name: "manual", Value: "how"}}, nil
			}
			session, err := durable.Open(t.Context(), s.alone(), in, "run", nil)
			if err != nil {
				return err
			}
			_, err = session.Continue(t.Context(), "go")
			return errors.Join(err, session.Close(t.Context()))
		}
		if err := open(&frail{Store: runs, left: dies}); err != nil {
			require.ErrorIs(t, err, errDied)
			require.NoError(t, open(runs))
		}
		assert.LessOrEqual(t, len(asked), 2, "it dies after %d records", dies)
	}
}

// Knowledge fails: the model is told, and the next step asks again.
func TestScenario68_KnowledgeFails(t *testing.T) {
	for name, fails := range map[string]func() ([]llm.Section, error){
		"it is down":        func() ([]llm.Section, error) { return nil, errors.New("it is down") },
		"its name is taken": func() ([]llm.Section, error) { return []llm.Section{{Name: "request", Value: "pay"}}, nil },
		`section "manual" was left out: json: unsupport`: func() ([]llm.Section, error) { return []llm.Section{{Name: "manual", Value: func() {}}}, nil },
	} {
		s := onStage(t, status(fsm.Continue), finish("done"))
		asked := 0
		s.Config.Knowledge = func(context.Context, fsm.Task) ([]llm.Section, error) {
			if asked++; asked == 1 {
				return fails()
			}
			return []llm.Section{{Name: "manual", Value: "how"}}, nil
		}
		_, err := s.run("go")
		require.NoError(t, err)
		assert.Contains(t, fmt.Sprint(prompt[[]string](s, 0, "not_observed")), name)
		assert.Equal(t, "how", prompt[string](s, 1, "manual"))
		assert.Equal(t, "go", prompt[string](s, 0, "request"))
	}
}

// Bad sections do not end the round: host and agents of applications work with the others, in
// whichever of their prompts.
func TestScenario68_BadSections(t *testing.T) {
	for name, bad := range map[string]llm.Section{
		"no name": {}, "a line break": {Name: "a\nb"}, "the same name": {Name: "manual"}, "an own name in capitals": {Name: "Request"},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, assign("0", "extract"), finish("r1"), finish("done"))
			s.Config.Knowledge = func(context.Context, fsm.Task) ([]llm.Section, error) {
				return []llm.Section{{Name: "manual", Value: "how"}, bad}, nil
			}
			_, err := s.run("go")
			require.NoError(t, err)
			for i := range 3 {
				assert.Equal(t, "how", prompt[string](s, i, "manual"))
				assert.Contains(t, fmt.Sprint(prompt[[]string](s, i, "not_observed")), fmt.Sprintf("knowledge: section %q was left out: ", bad.Name))
			}
		})
	}
}

// What a prompt shows in part an agent hands on whole, also after an approval.
func TestScenario68_TheWholeOfALongSection(t *testing.T) {
	manual := strings.Repeat("turn the page. ", 4_000)
	whole := map[string]any{"$ref": "prompt.manual"}
	send := call("CONTINUE", "send", map[string]any{"text": whole})
	s := onStage(t, send, assign("0", "send it"), send, finish(whole), finish(whole))
	s.Desktop.AddTools(desktoptest.Tool{Name: "send", Annotations: desktop.Annotations{DestructiveHint: true}})
	s.Config.Knowledge = func(context.Context, fsm.Task) ([]llm.Section, error) {
		return []llm.Section{{Name: "manual", Value: manual}}, nil
	}
	s.Config.User = people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{Approved: true}, nil
	})
	result, err := s.run("send the manual")
	require.NoError(t, err)
	assert.Equal(t, manual, result.Answer)
	shown := prompt[string](s, 0, "manual")
	assert.Contains(t, shown, "$ref: prompt.manual]")
	assert.Less(t, len(shown), 40_000)
	sent := s.Desktop.Calls("send")
	require.Len(t, sent, 2)
	for _, entry := range sent {
		assert.Equal(t, manual, entry.Command.Parameters["text"])
	}
	results := prompt[[]map[string]any](s, 4, "previous_subtasks")
	assert.Equal(t, "subtask_result_1.data", results[0]["data"].(map[string]any)["$ref"])
}
