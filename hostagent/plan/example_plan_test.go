package plan_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/hostagent/plan"
)

func Example() {
	var draft plan.Draft
	err := json.Unmarshal([]byte(`[
		{"id": "extract", "task": "extract the table", "application": "word"},
		{"id": "chart", "task": "draw it", "application": "excel", "depends_on": ["extract"]}
	]`), &draft)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := plan.Plan(nil).Revise(draft)
	fmt.Println(p.Ready(), err)

	_, err = p.Pick("chart")
	fmt.Println(err)

	p = p.Assign("extract", "subtask_1") // its sub-task was opened
	p, _ = p.Close("subtask_1", true)    // and has finished
	fmt.Println(p.Ready(), p.Unfinished(), p.Inputs("chart"))
	fmt.Print(p.Mermaid())
	// Output:
	// [extract] <nil>
	// plan: the item is not ready: "chart" waits for "extract"; ready: "extract"
	// [chart] [chart] [subtask_1]
	// flowchart TD
	//     n1["extract: extract the table (word), finished"]:::finished
	//     n2["chart: draw it (excel), ready"]:::ready
	//     n1 --> n2
	//     classDef ready stroke:#1971c2,stroke-width:2px
	//     classDef finished fill:#d3f9d8
}

func ExampleDraft_Check() {
	err := plan.Draft{
		{ID: "read", Task: "read it", DependsOn: []string{"print"}},
		{ID: "print", Task: "print it", DependsOn: []string{"read"}},
		{Task: "mail it"},
	}.Check()
	if e, ok := errors.AsType[*plan.Error](err); ok {
		for _, f := range e.Findings {
			fmt.Println(f, errors.Is(f, plan.ErrCycle))
		}
	}
	// Output:
	// "mail it": it has no id false
	// "print": it depends on itself: print → read → print true
}

// A planner that has lost a sub-task plans anew. What has finished stays.
func ExamplePlan_Revise() {
	p, err := plan.Plan(nil).Revise(plan.Draft{
		{ID: "a", Task: "ask for the figures"},
		{ID: "b", Task: "draw them", DependsOn: []string{"a"}},
	})
	fmt.Println(p.Ready(), err)
	p, _ = p.Assign("a", "subtask_1").Close("subtask_1", false)
	fmt.Println(p.Ready(), p.Blocked("b"))

	p, err = p.Revise(plan.Draft{
		{ID: "look", Task: "look the figures up"},
		{ID: "b", Task: "draw them", DependsOn: []string{"look"}},
	})
	fmt.Println(p.Ready(), err)
	// Output:
	// [a] <nil>
	// [] [a]
	// [look] <nil>
}
