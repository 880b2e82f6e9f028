package observe_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
)

// Who watches a round: a record that is kept, and a line for a person.
func Example_observers() {
	var file bytes.Buffer
	// region observers
	progress := observe.NewProgress(os.Stdout, &observe.ProgressOptions{Currency: "$"})
	opts := &round.Options{
		Observe: observe.All(round.JSONL(&file), progress.Step), // what must be kept comes first
		Price:   func(_ string, used llm.Usage) float64 { return float64(used.Total()) * 1e-5 },
	}
	r, err := round.New(accountant(), "what is the total?", opts)
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	if err := errors.Join(err, round.JSONLResult(&file, res), progress.Done(res)); err != nil {
		fmt.Println(err)
	}
	// endregion
	fmt.Println(bytes.Count(file.Bytes(), []byte("\n")), "lines of JSON")

	// Output:
	// HostAgent:CONTINUE -> HostAgent:ASSIGN (model); step 1 of 50, 15 tokens, $0.0002
	// HostAgent:ASSIGN -> AppAgent/excel/book:CONTINUE (system); sub-task 1 of 1, step 1 of 50, 15 tokens, $0.0002
	// AppAgent/excel/book:CONTINUE -> AppAgent/excel/book:FINISH (model), 1 refused reply; sub-task 1 of 1, step 2 of 50, 45 tokens, $0.0005
	// AppAgent/excel/book:FINISH -> HostAgent:CONTINUE (system); sub-task 1 of 1, step 2 of 50, 45 tokens, $0.0005
	// HostAgent:CONTINUE -> HostAgent:FINISH (model); 1 of 1 sub-tasks done, step 3 of 50, 60 tokens, $0.0006
	// FINISH at HostAgent:FINISH; 1 of 1 sub-task finished, 3 steps, 60 tokens, $0.0006
	// 6 lines of JSON
}
