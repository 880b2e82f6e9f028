package progress_test

import (
	"context"
	"fmt"
	"os"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/examples/internal/progress"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// run runs a round of a host that adds up what is in a workbook. Its model's second
// reply is not one that the table allows.
func run(opts *round.Options) round.Result {
	accountant, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: llmtest.Script(nil,
				`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "read the total"}`,
				`{"Status": "DONE", "Result": 12}`,
				`{"Status": "FINISH", "Result": 12}`,
				`{"Status": "FINISH", "Result": {"$ref": "subtask_result_1.data"}}`,
			),
			Desktop: desktoptest.New(nil, &desktoptest.App{
				Root: "excel", Process: "book", Title: "Book1 - Excel", Running: true,
				Controls: []desktop.Control{{ID: "b7", Name: "Total", Type: "Cell", Value: "12"}},
			}),
		},
	})
	if err != nil {
		panic(err)
	}
	r, err := round.New(accountant, "what is the total?", opts)
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	if err != nil {
		panic(err)
	}
	return res
}

// Where there is no terminal: a line for each transition, and one at the end.
func Example() {
	watch := progress.New(os.Stdout, &progress.Options{Currency: "$"})
	res := run(&round.Options{
		Observe: watch.Step,
		Price:   func(_ string, used llm.Usage) float64 { return float64(used.Total()) * 0.0001 },
	})
	if err := watch.Done(res); err != nil {
		fmt.Println(err)
	}
	// Output:
	// HostAgent:CONTINUE -> HostAgent:ASSIGN (model); step 1 of 50, 15 tokens, $0.0015
	// HostAgent:ASSIGN -> AppAgent/excel/book:CONTINUE (system); sub-task 1 of 1, step 1 of 50, 15 tokens, $0.0015
	// AppAgent/excel/book:CONTINUE -> AppAgent/excel/book:FINISH (model), 1 refused reply; sub-task 1 of 1, step 2 of 50, 45 tokens, $0.0045
	// AppAgent/excel/book:FINISH -> HostAgent:CONTINUE (system); sub-task 1 of 1, step 2 of 50, 45 tokens, $0.0045
	// HostAgent:CONTINUE -> HostAgent:FINISH (model); 1 of 1 sub-tasks done, step 3 of 50, 60 tokens, $0.0060
	// FINISH at HostAgent:FINISH; 1 of 1 sub-task finished, 3 steps, 60 tokens, $0.0060
}
