package foreign_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"example.com/foreign"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
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

func run(line string, status fsm.Status, comment string) any {
	return map[string]any{"Bash": line, "Status": status, "Comment": comment}
}

func end(status fsm.Status, comment string) any {
	return map[string]any{"Status": status, "Comment": comment}
}

// lists allows command lines that cannot do harm.
func lists(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
	if cmd.ToolName != desktop.RunShell {
		return policies.Default(ctx, tool, cmd)
	}
	switch cmd.Parameters["bash_command"] {
	case "ls":
		return policies.Verdict{Action: policies.Allow}
	case "shutdown":
		return policies.Verdict{Action: policies.Deny, Reason: "others work here"}
	}
	return policies.Verdict{Reason: "it changes something"}
}

func says(approved bool) people.User {
	return people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{Approved: approved}, nil
	})
}

func drive(t *testing.T, w fsm.Worker) ([]string, round.Result, error) {
	t.Helper()
	var steps []string
	r, err := round.New(w, "remove old logs", &round.Options{
		Observe: func(s round.Step) { steps = append(steps, s.String()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Run(t.Context())
	return steps, res, err
}

func TestAlone(t *testing.T) {
	for name, c := range map[string]struct {
		user    people.User
		replies []any
		steps   []string
		ran     []string // command lines
		answer  string
		err     error
	}{
		"allowed by the policy": {
			replies: []any{run("ls", fsm.Continue, ""), end(fsm.Finish, "old.log")},
			steps:   []string{"linux:CONTINUE -> linux:CONTINUE (model)", "linux:CONTINUE -> linux:FINISH (model)"},
			ran:     []string{"ls"}, answer: "old.log",
		},
		"approved": {
			user:    says(true),
			replies: []any{run("rm old.log", fsm.Finish, "too early"), end(fsm.Finish, "removed")},
			steps: []string{
				"linux:CONTINUE -> linux:CONFIRM (system)",
				"linux:CONFIRM -> linux:CONTINUE (user)",
				"linux:CONTINUE -> linux:FINISH (model)",
			},
			ran: []string{"rm old.log"}, answer: "removed",
		},
		"not approved": {
			user:    says(false),
			replies: []any{run("rm old.log", fsm.Continue, "")},
			steps:   []string{"linux:CONTINUE -> linux:CONFIRM (system)", "linux:CONFIRM -> linux:FAIL (user)"},
			err:     round.ErrFailed,
		},
		"nobody to ask": {
			replies: []any{run("rm old.log", fsm.Continue, "")},
			steps:   []string{"linux:CONTINUE -> linux:CONFIRM (system)", "linux:CONFIRM -> linux:FAIL (system)"},
			err:     round.ErrFailed,
		},
		"denied": {
			user:    says(true),
			replies: []any{run("shutdown", fsm.Finish, "done"), end(fsm.Fail, "may not")},
			steps:   []string{"linux:CONTINUE -> linux:CONTINUE (system)", "linux:CONTINUE -> linux:FAIL (model)"},
			err:     round.ErrFailed,
		},
		"not for the model": {
			replies: []any{end(fsm.Confirm, ""), end("DONE", ""), end(fsm.Finish, "nothing to do")},
			steps:   []string{"linux:CONTINUE -> linux:FINISH (model)"},
			answer:  "nothing to do",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := shell(t)
			steps, res, err := drive(t, &foreign.Agent{
				ID: "linux", Model: llmtest.Script(t, c.replies...), User: c.user,
				Shell: acting.Actor{Desktop: d, Policy: lists},
			})
			if !errors.Is(err, c.err) || res.Answer != c.answer {
				t.Errorf("answer %q, error %v", res.Answer, err)
			}
			if !slices.Equal(steps, c.steps) {
				t.Errorf("steps: %q", steps)
			}
			if ran := lines(d); !slices.Equal(ran, c.ran) {
				t.Errorf("ran: %q", ran)
			}
		})
	}
}

// lines is what the shell ran.
func lines(d *desktoptest.Desktop) []string {
	var list []string
	for _, e := range d.Calls(desktop.RunShell) {
		line, _ := e.Command.Parameters["bash_command"].(string)
		list = append(list, line)
	}
	return list
}

// The next prompt has what ran and what it printed, also when it failed.
func TestPrompt(t *testing.T) {
	model := llmtest.Script(t,
		run("ls", fsm.Continue, ""), run("ll && :", fsm.Finish, "it worked"), end(fsm.Fail, "no such command"))
	allowed := func(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
		return policies.Verdict{Action: policies.Allow}
	}
	_, _, err := drive(t, &foreign.Agent{ID: "linux", Model: model, Shell: acting.Actor{Desktop: shell(t), Policy: allowed}})
	if !errors.Is(err, round.ErrFailed) {
		t.Fatal(err)
	}
	if task := llmtest.Section[string](t, model.Last(), "task"); task != "remove old logs" {
		t.Error(task)
	}
	history := llmtest.Section[[]acting.Memo](t, model.Last(), "history")
	if len(history) != 2 || len(history[0].Actions) != 1 || len(history[1].Actions) != 1 {
		t.Fatal(history)
	}
	if output := string(history[0].Actions[0].Output); output != `"old.log"` {
		t.Error(output)
	}
	if failed := history[1].Actions[0]; failed.Status != desktop.Failure || failed.Error != "command not found" {
		t.Error(failed)
	}
}

// A host hands over to whatever kind NewApp makes, and gets control back.
func TestUnderHost(t *testing.T) {
	d := shell(t)
	board := blackboard.New(nil)
	model := llmtest.Script(t,
		map[string]any{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "remove the logs"},
		run("rm old.log", fsm.Continue, ""), // the LinuxAgent's
		end(fsm.Finish, "removed"),
		map[string]any{"Status": "FINISH", "Comment": "all done"},
	)
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: model, Desktop: d, User: says(true), Policy: lists, Board: board,
		},
		NewApp: func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
			return &foreign.Agent{
				ID: "linux", Model: app.Model, User: app.User,
				Shell: acting.Actor{Desktop: app.Desktop, Policy: app.Policy},
			}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	steps, res, err := drive(t, host)
	if err != nil || res.Answer != "all done" {
		t.Fatalf("answer %q, error %v, steps %q", res.Answer, err, steps)
	}
	if want := []string{
		"HostAgent:CONTINUE -> HostAgent:ASSIGN (model)",
		"HostAgent:ASSIGN -> linux:CONTINUE (system)",
		"linux:CONTINUE -> linux:CONFIRM (system)",
		"linux:CONFIRM -> linux:CONTINUE (user)",
		"linux:CONTINUE -> linux:FINISH (model)",
		"linux:FINISH -> HostAgent:CONTINUE (system)",
		"HostAgent:CONTINUE -> HostAgent:FINISH (model)",
	}; !slices.Equal(steps, want) {
		t.Errorf("steps: %q", steps)
	}
	if ran := lines(d); !slices.Equal(ran, []string{"rm old.log"}) {
		t.Errorf("ran: %q", ran)
	}
	if len(res.Subtasks) != 1 || res.Subtasks[0].Status != "FINISH" || string(res.Subtasks[0].Result) != `"removed"` {
		t.Error(res.Subtasks)
	}
	if task := llmtest.Section[string](t, model.Requests()[1], "task"); task != "remove the logs" {
		t.Error(task)
	}
	if _, there := llm.FindSection(model.Last(), "previous_subtasks"); !there {
		t.Error("the host does not see what came of it")
	}
}
