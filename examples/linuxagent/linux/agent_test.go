package linux_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/examples/linuxagent/linux"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

func TestTable(t *testing.T) {
	fsmtest.Run(t, linux.States(), func() fsm.Agent {
		a, err := linux.New(linux.Config{Config: appagent.Config{Model: llmtest.Script(t), Desktop: desktoptest.New(t)}})
		require.NoError(t, err)
		return a
	})
}

// shell is a desktop that knows a few command lines.
func shell(t testing.TB) *desktoptest.Desktop {
	d := desktoptest.New(t)
	d.On(desktop.RunShell, func(_ context.Context, call desktoptest.Call) (any, error) {
		switch line := fmt.Sprint(call.Params["bash_command"]); line {
		case "ls":
			return "old.log", nil
		case "rm old.log":
			return nil, nil
		case "cat long":
			return strings.Repeat("long ", 1000), nil
		}
		return nil, errors.New("command not found")
	})
	return d
}

// lists allows ls and cat, denies shutdown and has everything else confirmed.
func lists(_ context.Context, _ desktop.Tool, cmd desktop.Command) policies.Verdict {
	switch line, _ := cmd.Parameters["bash_command"].(string); {
	case line == "ls", strings.HasPrefix(line, "cat "):
		return policies.Verdict{Action: policies.Allow}
	case line == "shutdown":
		return policies.Verdict{Action: policies.Deny, Reason: "others work here"}
	}
	return policies.Verdict{Reason: "it changes something"}
}

func says(approved bool, text string) people.User {
	return people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{Text: text, Approved: approved}, nil
	})
}

func decides(status fsm.Status, bash, comment string) linux.Decision {
	return linux.Decision{Status: status, Bash: bash, Comment: comment}
}

// lines is what the shell ran.
func lines(d *desktoptest.Desktop) []string {
	list := []string{}
	for _, e := range d.Calls(desktop.RunShell) {
		line, _ := e.Command.Parameters["bash_command"].(string)
		list = append(list, line)
	}
	return list
}

func drive(t *testing.T, a *linux.Agent) ([]string, round.Result, error) {
	t.Helper()
	var positions []string
	r, err := round.New(a, "remove old logs", &round.Options{Observe: func(s round.Step) {
		positions = append(positions, string(s.To))
	}})
	require.NoError(t, err)
	result, err := r.Run(t.Context())
	return positions, result, err
}

func TestRounds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		user      people.User
		replies   []any
		positions string
		ran       []string
		answer    string
		err       error
	}{
		{
			"allowed", nil,
			[]any{decides(fsm.Continue, "ls", ""), decides(fsm.Finish, "", "old.log")},
			"CONTINUE FINISH", []string{"ls"}, "old.log", nil,
		},
		{
			"approved", says(true, ""),
			[]any{decides(fsm.Finish, "rm old.log", "too early"), decides(fsm.Finish, "", "removed")},
			"CONFIRM CONTINUE FINISH", []string{"rm old.log"}, "removed", nil,
		},
		{
			"not approved", says(false, "keep it"), []any{decides(fsm.Continue, "rm old.log", "")},
			"CONFIRM FAIL", []string{}, "", round.ErrFailed,
		},
		{
			"nobody to ask", nil, []any{decides(fsm.Continue, "rm old.log", "")},
			"CONFIRM FAIL", []string{}, "", round.ErrFailed,
		},
		{
			"denied", says(true, ""),
			[]any{decides(fsm.Finish, "shutdown", "done"), decides(fsm.Fail, "", "I may not")},
			"CONTINUE FAIL", []string{}, "", round.ErrFailed,
		},
		{
			"a failed command finishes nothing", nil,
			[]any{decides(fsm.Finish, "cat long; nonsense", "done"), decides(fsm.Fail, "", "it does not work")},
			"CONTINUE FAIL", []string{"cat long; nonsense"}, "", round.ErrFailed,
		},
		{
			"the model asks for approval of what is allowed", says(true, ""),
			[]any{decides(fsm.Confirm, "ls", ""), decides(fsm.Finish, "", "ok")},
			"CONFIRM CONTINUE FINISH", []string{"ls"}, "ok", nil,
		},
		{
			"whether to go on", says(true, ""),
			[]any{decides(fsm.Confirm, "", "go on?"), decides(fsm.Finish, "", "ok")},
			"CONFIRM CONTINUE FINISH", []string{}, "ok", nil,
		},
		{
			"whether to go on: no", says(false, ""), []any{decides(fsm.Confirm, "", "go on?")},
			"CONFIRM FAIL", []string{}, "", round.ErrFailed,
		},
		{
			"a question", says(false, "the old ones"),
			[]any{linux.Decision{Status: fsm.Pending, Questions: []string{"Which?"}}, decides(fsm.Finish, "", "ok")},
			"PENDING CONTINUE FINISH", []string{}, "ok", nil,
		},
		{
			"a question, nobody there", nil, []any{linux.Decision{Status: fsm.Pending, Questions: []string{"Which?"}}},
			"PENDING FAIL", []string{}, "", round.ErrFailed,
		},
		{
			"refused replies", nil,
			[]any{decides("DONE", "", ""), decides(fsm.Continue, " ", ""), decides(fsm.Finish, "", ""), decides(fsm.Finish, "", "ok")},
			"FINISH", []string{}, "ok", nil,
		},
		{
			"no usable reply", nil,
			[]any{decides(fsm.Screenshot, "", ""), decides(fsm.Error, "", ""), "nonsense", linux.Decision{Status: fsm.Finish, Result: json.RawMessage(`{"$ref": "nothing"}`)}},
			"ERROR", []string{}, "", round.ErrFault,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := shell(t)
			a, err := linux.New(linux.Config{Config: appagent.Config{Model: llmtest.Script(t, tt.replies...), Desktop: d, Policy: lists, User: tt.user}})
			require.NoError(t, err)
			positions, result, err := drive(t, a)
			require.ErrorIs(t, err, tt.err)
			assert.Equal(t, tt.positions, strings.Join(positions, " "))
			assert.Equal(t, tt.ran, lines(d))
			assert.Equal(t, tt.answer, result.Answer)
		})
	}
}

// Without a policy of its own, every line needs a person.
func TestDefaultPolicy(t *testing.T) {
	t.Parallel()
	d := shell(t)
	a, err := linux.New(linux.Config{Config: appagent.Config{Model: llmtest.Script(t, decides(fsm.Continue, "ls", "")), Desktop: d}})
	require.NoError(t, err)
	positions, _, err := drive(t, a)
	require.ErrorIs(t, err, round.ErrFailed)
	assert.Equal(t, []string{"CONFIRM", "FAIL"}, positions)
	assert.Empty(t, lines(d))
}

// The prompt has what was run, answered and what went wrong.
func TestPrompt(t *testing.T) {
	t.Parallel()
	model := llmtest.Script(t,
		decides(fsm.Continue, "ls", "look"), decides(fsm.Continue, "cat nothing; x", ""),
		linux.Decision{Status: fsm.Pending, Questions: []string{"Which?"}}, decides(fsm.Fail, "", "no"))
	a, err := linux.New(linux.Config{Config: appagent.Config{Model: model, Desktop: shell(t), Policy: lists, User: says(false, "all"), Docs: "be careful"}})
	require.NoError(t, err)
	_, _, err = drive(t, a)
	require.ErrorIs(t, err, round.ErrFailed)

	task := llmtest.Section[map[string]string](t, model.Last(), "subtask")
	assert.Equal(t, "remove old logs", task["task"])
	assert.Equal(t, "be careful", llmtest.Section[string](t, model.Last(), "docs"))
	history := llmtest.Section[[]acting.Memo](t, model.Last(), "history")
	require.Len(t, history, 3)
	assert.JSONEq(t, `"old.log"`, string(history[0].Actions[0].Output))
	assert.Contains(t, string(history[0].Decision), "look")
	assert.Equal(t, desktop.Failure, history[1].Actions[0].Status)
	answers := llmtest.Section[[]acting.Entry](t, model.Last(), "answers")
	assert.Equal(t, "all", answers[0].Answer)
	assert.Contains(t, llmtest.Section[string](t, model.Requests()[2], "last_error"), "command not found")
	_, there := llm.FindSection(model.Last(), "last_error")
	assert.False(t, there)
	assert.ElementsMatch(t, []fsm.Status{fsm.Continue, fsm.Confirm, fsm.Fail, fsm.Finish, fsm.Pending},
		llmtest.Section[[]fsm.Status](t, model.Last(), "allowed_statuses"))
}

// What a host knows of a sub-task is in its section.
func TestContext(t *testing.T) {
	t.Parallel()
	model := llmtest.Script(t, decides(fsm.Fail, "", "no"))
	a, err := linux.New(linux.Config{Config: appagent.Config{Model: model, Desktop: shell(t), User: says(false, "")}})
	require.NoError(t, err)
	require.NoError(t, a.Begin(t.Context(), fsm.Task{Text: "remove old logs", Context: json.RawMessage(`{"days": 7}`)}))
	a.SetStatus(fsm.Continue)
	require.NoError(t, a.States().Bind(fsm.Continue).Handle(t.Context(), a))
	assert.JSONEq(t, `{"task": "remove old logs", "context": {"days": 7}}`, string(llmtest.Section[json.RawMessage](t, model.Last(), "subtask")))
}

// A long output goes on whole, though the model saw its head.
func TestReference(t *testing.T) {
	t.Parallel()
	board := blackboard.New(0)
	a, err := linux.New(linux.Config{Config: appagent.Config{
		Model: llmtest.Script(t, decides(fsm.Continue, "cat long", ""),
			linux.Decision{Status: fsm.Finish, Result: json.RawMessage(`{"$ref": "action_result_1"}`)}),
		Desktop: shell(t), Policy: lists, Board: board,
	}})
	require.NoError(t, err)
	_, result, err := drive(t, a)
	require.NoError(t, err)
	assert.Equal(t, strings.Repeat("long ", 1000), result.Answer)
	assert.Len(t, a.Data(), 5002)
	assert.Same(t, board, a.Board())
}

// A run that stops in CONFIRM goes on in another agent: the approval is of the line
// that was asked about, and it is executed once.
func TestSave(t *testing.T) {
	t.Parallel()
	first := shell(t)
	a, err := linux.New(linux.Config{Config: appagent.Config{
		Model: llmtest.Script(t, decides(fsm.Continue, "rm old.log", "")), Desktop: first, Policy: lists,
		User: people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
			return people.Answer{}, fsm.ErrSuspend
		}),
	}})
	require.NoError(t, err)
	_, _, err = drive(t, a)
	require.ErrorIs(t, err, round.ErrSuspended)
	saved, err := a.Save()
	require.NoError(t, err)
	assert.Empty(t, lines(first))

	second := shell(t)
	b, err := linux.New(linux.Config{Config: appagent.Config{Model: llmtest.Script(t, decides(fsm.Finish, "", "removed")), Desktop: second, Policy: lists, User: says(true, "")}})
	require.NoError(t, err)
	require.NoError(t, b.Load(saved))
	again, err := b.Save()
	require.NoError(t, err)
	assert.Equal(t, saved, again)
	for range 3 { // CONFIRM, CONTINUE
		if b.Status() == fsm.Finish {
			break
		}
		bound := b.States().Bind(b.Status())
		require.NoError(t, bound.Handle(t.Context(), b))
		b.SetStatus(b.Decision().To)
	}
	assert.Equal(t, fsm.Finish, b.Status())
	assert.Equal(t, []string{"rm old.log"}, lines(second))
	require.Error(t, b.Load(fsm.Saved{State: []byte("{")}))
	assert.Equal(t, "removed", b.Answer(), "it is as it was")
}

func TestNew(t *testing.T) {
	t.Parallel()
	model, d := llmtest.Script(t), shell(t)
	_, err := linux.New(linux.Config{Config: appagent.Config{Desktop: d}})
	require.ErrorContains(t, err, "required")
	_, err = linux.New(linux.Config{Config: appagent.Config{Model: model}})
	require.ErrorContains(t, err, "required")
	_, err = linux.New(linux.Config{Config: appagent.Config{Model: model, Desktop: d}, States: linux.States().With(fsm.Edge{From: fsm.Finish, To: "NOWHERE"})})
	require.ErrorContains(t, err, "linux: Config.States")
	a, err := linux.New(linux.Config{Config: appagent.Config{Model: model, Desktop: d}})
	require.NoError(t, err)
	assert.Equal(t, "LinuxAgent", a.Name())
	require.ErrorContains(t, a.Begin(t.Context(), fsm.Task{Text: " "}), "no text")
}
