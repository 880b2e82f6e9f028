package appagent_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// With ToolCalls the model replies with calls of tools. Each status is a tool of that name, which ends the step.
func ExampleConfig_toolCalls() {
	type add struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	desk, err := desktop.New(desktop.Func("add", "Add two numbers.", func(_ context.Context, n add) (int, error) {
		return n.A + n.B, nil
	}, &desktop.Annotations{ReadOnlyHint: true}))
	if err != nil {
		panic(err)
	}
	model := llmtest.Script(nil,
		[]llm.Call{{ID: "1", Name: "add", Args: json.RawMessage(`{"a": 2, "b": 3}`)}},
		[]llm.Call{{ID: "2", Name: "FINISH", Args: json.RawMessage(`{"Result": 5, "Comment": "It is 5."}`)}},
	)
	agent, err := appagent.New(appagent.Config{Model: model, Desktop: desk, ToolCalls: true, NoImages: true})
	if err != nil {
		panic(err)
	}
	show := func(s round.Step) { fmt.Println(s) }
	r, err := round.New(agent, "add 2 and 3", &round.Options{Observe: show})
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, err)
	for _, tool := range model.Requests()[0].Tools {
		fmt.Println(tool.Name)
	}
	// Output:
	// AppAgent:CONTINUE -> AppAgent:CONTINUE (model)
	// AppAgent:CONTINUE -> AppAgent:FINISH (model)
	// 5 <nil>
	// add
	// CONTINUE
	// FINISH
	// FAIL
}
