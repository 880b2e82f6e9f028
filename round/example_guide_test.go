package round_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// A model that does not come to an end is stopped; with a higher bound the round
// goes on where it stopped.
func Example_budgets() {
	pages := 0
	desk, err := desktop.New(desktop.Func("next_page", "Turn the page.",
		func(context.Context, struct{}) (int, error) { pages++; return pages, nil }, nil))
	if err != nil {
		panic(err)
	}
	agent, err := appagent.New(appagent.Config{
		Desktop: desk, NoImages: true,
		Model: llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			reply := `{"Function": "next_page", "Status": "CONTINUE"}`
			if pages == 5 {
				reply = `{"Status": "FINISH", "Result": "it is on page 5"}`
			}
			return &llm.Response{Text: reply, Model: "parrot-2", Usage: llm.Usage{InputTokens: 1000, OutputTokens: 100}}, nil
		}),
	})
	if err != nil {
		panic(err)
	}
	r, err := round.New(agent, "find the chapter on bounds", &round.Options{
		MaxSteps: 20,     // 50 without this line
		MaxCost:  0.0100, // none without it
		Price: func(model string, used llm.Usage) float64 {
			fresh := used.InputTokens - used.CacheReadTokens - used.CacheCreationTokens
			return float64(fresh)*2e-6 + float64(used.CacheReadTokens)*0.2e-6 +
				float64(used.CacheCreationTokens)*2.5e-6 + float64(used.OutputTokens)*10e-6
		},
	})
	if err != nil {
		panic(err)
	}
	res, err := r.Run(context.Background())
	fmt.Println(err)
	fmt.Printf("%s: %d steps, %d tokens, %.4f, page %d\n", res.Outcome, res.Steps, res.Usage.Total(), res.Cost, pages)

	var reached *round.BudgetError
	if errors.As(err, &reached) && reached.Bound == "MaxCost" {
		r.Adjust(func(o *round.Options) { o.MaxCost = 0.05 })
		res, err = r.Run(context.Background())
	}
	fmt.Println(res.Answer, err)
	fmt.Printf("%s: %d steps, %d tokens, %.4f, page %d\n", res.Outcome, res.Steps, res.Usage.Total(), res.Cost, pages)
	// Output:
	// round: a bound was reached: AppAgent:CONTINUE: round: MaxCost of 0.01 reached (used 0.012); last positions: AppAgent:CONTINUE, AppAgent:CONTINUE, AppAgent:CONTINUE, AppAgent:CONTINUE
	// BUDGET: 4 steps, 4400 tokens, 0.0120, page 4
	// it is on page 5 <nil>
	// FINISH: 6 steps, 6600 tokens, 0.0180, page 5
}
