package hostagent_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

// A model that plans in objects is held to its plan. Here it wants to draw before
// there is anything to draw, and is told.
func Example_plan() {
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Desktop: office(),
			Model: replies(
				`{"Status": "CONTINUE", "Plan": [
				{"id": "extract", "task": "extract the sales table", "application": "word"},
				{"id": "chart", "task": "draw a bar chart of it", "application": "excel", "depends_on": ["extract"]}]}`,
				`{"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "chart"}`, // fed back
				`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "extract"}`,
				`{"Status": "FINISH", "Result": [[2023, 4], [2024, 7]]}`,
				`{"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "chart"}`,
				`{"Status": "FINISH", "Result": "chart 1"}`,
				`{"Status": "FINISH", "Comment": "The chart is in Excel."}`,
			),
		},
		Apps: []hostagent.Program{{Name: "excel"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	show := func(s round.Step) {
		if s.Agent == host.Name() {
			fmt.Println(s)
		}
	}
	r, err := round.New(host, "draw a bar chart of the sales table", &round.Options{Observe: show})
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := r.Run(context.Background())
	fmt.Println(res.Answer, err)
	type item struct{ ID, Status, Subtask string }
	plan, _, err := blackboard.NewKey[[]item]("plan").Get(host.Board())
	if err != nil {
		fmt.Println(err)
	}
	for _, i := range plan {
		fmt.Println(i.ID, i.Status, "as", i.Subtask)
	}
	// Output:
	// HostAgent:CONTINUE -> HostAgent:CONTINUE (model)
	// HostAgent:CONTINUE -> HostAgent:ASSIGN (model)
	// HostAgent:ASSIGN -> AppAgent/word/report.docx:CONTINUE (system)
	// HostAgent:CONTINUE -> HostAgent:ASSIGN (model)
	// HostAgent:ASSIGN -> AppAgent/excel/book:CONTINUE (system)
	// HostAgent:CONTINUE -> HostAgent:FINISH (model)
	// The chart is in Excel. <nil>
	// extract finished as subtask_1
	// chart finished as subtask_2
}
