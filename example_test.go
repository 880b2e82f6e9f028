package agentfsm_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// Namer is a kind of agent of its own. It asks the model until it has a name.
type Namer struct {
	fsm.Position
	model        llm.Model
	task, answer string
}

// Reply is what the model answers.
type Reply struct {
	Status fsm.Status
	Name   string `json:",omitempty"`
}

var namers = fsm.Table("Namer", []fsm.Row[*Namer]{
	{Status: fsm.Continue, Handle: (*Namer).think},
	{Status: fsm.Finish, RoundEnd: true},
	{Status: fsm.Error, RoundEnd: true},
},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
)

func (n *Namer) Name() string    { return "namer" }
func (n *Namer) States() fsm.Set { return namers }
func (n *Namer) Answer() string  { return n.answer }

func (n *Namer) Begin(_ context.Context, task fsm.Task) error {
	n.task, n.answer = task.Text, ""
	return nil
}

func (n *Namer) think(ctx context.Context) error {
	reply, err := deciding.Ask(ctx, deciding.Inquiry[Reply]{
		Model:    n.model,
		Sections: []llm.Section{{Name: "request", Value: n.task}},
		Allowed:  deciding.Allowed(n), // what the table lets a model write
	})
	if err != nil {
		return err
	}
	n.answer = reply.Name
	n.Decide(reply.Status, fsm.ByModel, "")
	return nil
}

func Example() {
	model := llmtest.Script(nil,
		`{"Status": "DONE", "Name": "?"}`, // not in the table: it is asked again
		"Sure!\n```json\n{'status': 'finish', 'name': 'Ada',}\n```",
	)
	r, err := round.New(&Namer{model: model}, "name the new server", nil)
	if err != nil {
		panic(err)
	}
	for step, err := range r.Steps(context.Background()) {
		if err != nil {
			fmt.Println("stopped:", err)
			return
		}
		fmt.Println(step)
	}
	fmt.Println("answer:", r.Result().Answer)
	// Output:
	// namer:CONTINUE -> namer:FINISH (model)
	// answer: Ada
}
