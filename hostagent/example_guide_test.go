package hostagent_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// A kind of one's own for one application, AppAgents for all others.
func Example_newApp() {
	cfg := hostagent.Config{
		Config: appagent.Config{
			Desktop: office(),
			Model: replies(
				`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "count the words"}`,
				`{"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "draw a chart of the number"}`,
				`{"Status": "FINISH", "Function": "insert_chart", "Args": {"data": {"$ref": "subtask_result_1.data.words"}}, "Result": "chart 1"}`,
				`{"Status": "FINISH", "Result": "done"}`,
			),
		},
		Apps: []hostagent.Program{{Name: "excel"}},
	}
	// region newapp
	cfg.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
		if app.Window.Root == "word" {
			return &clerk{app: app}, nil // its Name is made of app.Name, which is unique
		}
		return appagent.New(app)
	}
	// endregion
	host, err := hostagent.New(cfg)
	if err != nil {
		panic(err)
	}
	r, err := round.New(host, "how many words are there?", nil)
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, err)
	for _, s := range res.Subtasks {
		fmt.Printf("%s: %s %s\n", s.App, s.Status, s.Result)
	}
	// Output:
	// done <nil>
	// word: FINISH {"words":4}
	// excel: FINISH "chart 1"
}

// A rule of one's own, and what it and the default say of each tool.
func Example_policy() {
	bank := []desktop.Tool{
		{Name: "read_mail"}, {Name: "send_mail"}, {Name: "get_config"}, {Name: "set_config"}, {Name: "move_money"},
		{Name: "wipe", Annotations: desktop.Annotations{DestructiveHint: true}},
	}
	tools, err := desktop.NewToolbox(bank, nil) // desktop.Open(ctx, desk, nil) lists those of a desktop
	if err != nil {
		panic(err)
	}
	// region rule
	byDefault := hostagent.DefaultPolicy([]hostagent.Program{{Name: "excel"}})
	mine := func(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
		if cmd.ToolName == "move_money" {
			return policies.Verdict{Action: policies.Deny, Reason: "only people move money"}
		}
		return byDefault(ctx, tool, cmd)
	}
	for _, tool := range tools.Tools() {
		said := mine(context.Background(), tool, desktop.Command{ToolName: tool.Name})
		if said.Action != policies.Allow {
			fmt.Println(said.Action, tool.Name, "because", said.Reason)
		}
	}
	// endregion

	// Output:
	// confirm send_mail because the name of the tool "send_mail" says "send"
	// confirm set_config because the name of the tool "set_config" says "config"
	// deny move_money because only people move money
	// confirm wipe because the tool is marked as destructive
}

// check is what a state of our own does in a HostAgent.
func check(a *hostagent.Agent, _ context.Context) error { //nolint:revive // a cell of a Row takes the agent first
	a.Decide(fsm.Continue, fsm.BySystem, fmt.Sprintf("checked %d sub-tasks", len(a.Subtasks())))
	return nil
}

// A built-in agent with one state more.
func ExampleStates_addState() {
	// region state
	states := hostagent.States().With( // a copy: other hosts keep their table
		fsm.Edge{From: fsm.Continue, To: "CHECK", By: fsm.ByModel},
		fsm.Edge{From: "CHECK", To: fsm.Continue, By: fsm.BySystem},
	)
	row := fsm.Row[*hostagent.Agent]{Status: "CHECK", Handle: check}
	if err := states.AddState("CHECK", row.State()); err != nil {
		panic(err)
	}
	cfg := hostagent.Config{Config: appagent.Config{Desktop: office()}, States: states}
	// endregion
	cfg.Model = replies(`{"Status": "CHECK"}`, `{"Status": "FINISH", "Result": "nothing to do"}`)
	host, err := hostagent.New(cfg)
	if err != nil {
		panic(err)
	}
	r, err := round.New(host, "is there anything to do?", &round.Options{Observe: func(s round.Step) { fmt.Println(strings.TrimSpace(s.String() + " " + s.Reason)) }})
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, err)
	// Output:
	// HostAgent:CONTINUE -> HostAgent:CHECK (model)
	// HostAgent:CHECK -> HostAgent:CONTINUE (system) checked 0 sub-tasks
	// HostAgent:CONTINUE -> HostAgent:FINISH (model)
	// nothing to do <nil>
}
