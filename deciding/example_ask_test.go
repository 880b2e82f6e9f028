package deciding_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// A reply that cannot be used is fed back with the reason, until it can.
func ExampleAsk() {
	type decision struct {
		Room   string     `json:"Room,omitempty" desc:"where to meet"`
		Status fsm.Status `json:"Status"`
	}
	rooms := []string{"Lovelace", "Hopper"}
	model := llmtest.Script(nil,
		`{"room": "Turing", "status": "finish"}`,
		`{"room": "Hopper", "status": "booked"}`,
		"The answer is:\n```json\n{'room': 'Hopper', 'status': 'finish'}\n```",
	)
	d, err := deciding.Ask(context.Background(), deciding.Inquiry[decision]{
		Model:    model,
		Messages: []llm.Message{llm.Text(llm.System, "You book rooms.")},
		Sections: []llm.Section{{Name: "request", Value: "a room for six"}, {Name: "rooms", Value: rooms}},
		Allowed:  []fsm.Status{fsm.Continue, fsm.Finish}, // an agent says deciding.Allowed(a)
		Check: func(d decision) error {
			if d.Room == "Turing" {
				return errors.New("there is no room Turing")
			}
			return nil
		},
	})
	fmt.Println(d.Room, d.Status, err)

	for _, req := range model.Requests()[1:] {
		why, _ := llm.FindSection(req, "last_error")
		fmt.Println("fed back:", string(why))
	}
	// Output:
	// Hopper FINISH <nil>
	// fed back: "there is no room Turing"
	// fed back: "Status \"booked\" is not allowed here; allowed are CONTINUE, FINISH"
}
