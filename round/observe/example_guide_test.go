package observe_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
)

// Who watches a round: a record that is kept, and a line for a person.
func Example_observers() {
	var file bytes.Buffer
	show := func(s round.Step) { fmt.Printf("%v; %d tokens, $%.4f\n", s, s.Usage.Total(), s.Cost) }
	opts := &round.Options{
		Observe: observe.All(round.JSONL(&file), show), // what must be kept comes first
		Price:   func(_ string, used llm.Usage) float64 { return float64(used.Total()) * 1e-5 },
	}
	r, err := round.New(accountant(), "what is the total?", opts)
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	if err := errors.Join(err, round.JSONLResult(&file, res)); err != nil {
		fmt.Println(err)
	}
	fmt.Println(bytes.Count(file.Bytes(), []byte("\n")), "lines of JSON")

	// Output:
	// HostAgent:CONTINUE -> HostAgent:ASSIGN (model); 15 tokens, $0.0002
	// HostAgent:ASSIGN -> AppAgent/excel/book:CONTINUE (system); 0 tokens, $0.0000
	// AppAgent/excel/book:CONTINUE -> AppAgent/excel/book:FINISH (model); 30 tokens, $0.0003
	// AppAgent/excel/book:FINISH -> HostAgent:CONTINUE (system); 0 tokens, $0.0000
	// HostAgent:CONTINUE -> HostAgent:FINISH (model); 15 tokens, $0.0002
	// 6 lines of JSON
}
