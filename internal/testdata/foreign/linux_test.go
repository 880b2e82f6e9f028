package foreign_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"example.com/foreign"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

func TestTable(t *testing.T) {
	fsmtest.Run(t, (&foreign.Agent{}).States(), func() fsm.Agent { return &foreign.Agent{ID: "linux"} })
}

// shell is a desktop with a terminal that knows two command lines.
func shell(t *testing.T) *desktoptest.Desktop {
	d := desktoptest.New(t, &desktoptest.App{Root: "terminal", Process: "tty1", Running: true})
	d.On(desktop.RunShell, func(_ context.Context, call desktoptest.Call) (any, error) {
		switch call.Params["bash_command"] {
		case "ls":
			return "old.log", nil
		case "rm old.log":
			return nil, nil
		}
		return nil, errors.New("command not found")
	})
	return d
}

// lists allows command lines that cannot do harm.
func lists(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
	switch cmd.Parameters["bash_command"] {
	case "ls":
		return policies.Verdict{Action: policies.Allow}
	case "shutdown":
		return policies.Verdict{Action: policies.Deny, Reason: "others work here"}
	}
	return policies.Default(ctx, tool, cmd)
}

func says(approved bool) people.User {
	return people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{Approved: approved}, nil
	})
}

func drive(t *testing.T, w fsm.Worker) (path string, res round.Result, err error) {
	t.Helper()
	steps := []string{"CONTINUE"}
	r, err := round.New(w, "remove old logs", &round.Options{Observe: func(s round.Step) { steps = append(steps, string(s.To)) }})
	require.NoError(t, err)
	res, err = r.Run(t.Context())
	return strings.Join(steps, " > "), res, err
}

// ran is what the shell ran.
func ran(d *desktoptest.Desktop) (lines []any) {
	for _, e := range d.Calls(desktop.RunShell) {
		lines = append(lines, e.Command.Parameters["bash_command"])
	}
	return lines
}

func TestAlone(t *testing.T) {
	const remove = `{"Bash": "rm old.log", "Status": "FINISH", "Comment": "too early"}`
	const done, fail = `{"Status": "FINISH", "Comment": "done"}`, `{"Status": "FAIL", "Comment": "may not"}`
	for name, c := range map[string]struct {
		user    people.User
		replies []any
		path    string
		ran     []any // command lines
		err     error
	}{
		"allowed":           {nil, []any{`{"Bash": "ls", "Status": "CONTINUE"}`, done}, "CONTINUE > CONTINUE > FINISH", []any{"ls"}, nil},
		"approved":          {says(true), []any{remove, done}, "CONTINUE > CONFIRM > CONTINUE > FINISH", []any{"rm old.log"}, nil},
		"not approved":      {says(false), []any{remove}, "CONTINUE > CONFIRM > FAIL", nil, round.ErrFailed},
		"nobody to ask":     {nil, []any{remove}, "CONTINUE > CONFIRM > FAIL", nil, round.ErrFailed},
		"denied":            {says(true), []any{`{"Bash": "shutdown", "Status": "FINISH"}`, fail}, "CONTINUE > CONTINUE > FAIL", nil, round.ErrFailed},
		"not for the model": {nil, []any{`{"Status": "CONFIRM"}`, `{"Status": "DONE"}`, done}, "CONTINUE > FINISH", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := shell(t)
			path, res, err := drive(t, &foreign.Agent{
				ID: "linux", Model: llmtest.Script(t, c.replies...), User: c.user, Shell: acting.Actor{Desktop: d, Policy: lists},
			})
			require.ErrorIs(t, err, c.err)
			assert.Equal(t, err == nil, res.Answer == "done")
			assert.Equal(t, c.path, path)
			assert.Equal(t, c.ran, ran(d))
		})
	}
}

// A host hands over to whatever kind NewApp makes, and gets control back.
func TestUnderHost(t *testing.T) {
	d := shell(t)
	model := llmtest.Script(t,
		`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "remove the logs"}`,
		`{"Bash": "rm old.log", "Status": "FINISH"}`, `{"Status": "FINISH", "Comment": "removed"}`, // the LinuxAgent's
		`{"Status": "FINISH", "Comment": "all done"}`,
	)
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{Model: model, Desktop: d, User: says(true), Policy: lists},
		NewApp: func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
			return &foreign.Agent{ID: "linux", Model: app.Model, User: app.User, Shell: acting.Actor{Desktop: app.Desktop, Policy: app.Policy}}, nil
		},
	})
	require.NoError(t, err)
	path, res, err := drive(t, host)
	require.NoError(t, err)
	assert.Equal(t, "all done", res.Answer)
	assert.Equal(t, "CONTINUE > ASSIGN > CONTINUE > CONFIRM > CONTINUE > FINISH > CONTINUE > FINISH", path)
	assert.Equal(t, []any{"rm old.log"}, ran(d))
	assert.Equal(t, "FINISH", res.Subtasks[0].Status)
	assert.JSONEq(t, `"removed"`, string(res.Subtasks[0].Result))
	assert.Equal(t, "remove the logs", llmtest.Section[string](t, model.Requests()[1], "task"))
	history := llmtest.Section[[]acting.Memo](t, model.Requests()[2], "history")
	assert.Equal(t, desktop.RunShell, history[0].Actions[0].Tool)
}
