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

// Namer is your own kind of agent: it asks its model for a name.
type Namer struct {
	fsm.Position
	model        llm.Model
	task, answer string
}

type Reply struct { // what the model writes
	Status fsm.Status
	Name   string
}

var namers = fsm.Table("Namer", []fsm.Row[*Namer]{
	{Status: fsm.Continue, Handle: (*Namer).think},
	{Status: fsm.Finish, RoundEnd: true},
},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
)

func (n *Namer) Name() string    { return "namer" }
func (n *Namer) States() fsm.Set { return namers }
func (n *Namer) Begin(_ context.Context, task fsm.Task) error {
	n.task, n.answer = task.Text, ""
	return nil
}
func (n *Namer) Answer() string { return n.answer }

func (n *Namer) think(ctx context.Context) error {
	reply, err := deciding.Ask(ctx, deciding.Inquiry[Reply]{
		Model:    n.model,
		Sections: []llm.Section{{Name: "request", Value: n.task}},
		Allowed:  deciding.Allowed(n), // the statuses that the table lets a model write
	})
	if err == nil {
		n.answer = reply.Name
		n.Decide(reply.Status, fsm.ByModel, "")
	}
	return err
}

func Example() {
	model := llmtest.Script(nil,
		`{"Status": "DONE", "Name": "?"}`, // the table has no DONE: the agent asks again
		"Sure!\n```json\n{'status': 'finish', 'name': 'Ada',}\n```",
	)
	opts := &round.Options{Observe: func(s round.Step) { fmt.Println(s) }}
	r, err := round.New(&Namer{model: model}, "name the new server", opts)
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, err)
	// Output:
	// namer:CONTINUE -> namer:FINISH (model)
	// Ada <nil>
}
