package blackboard_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/blackboard"
)

type region struct {
	Name  string `json:"name"`
	Sales int    `json:"sales"`
}

func ExampleKey() {
	regions := blackboard.NewKey[[]region]("regions")
	board := blackboard.New(0)

	list := []region{{"North", 120}, {"South", 90}}
	if err := regions.Put(board, list); err != nil {
		fmt.Println(err)
		return
	}
	list[0].Sales = 0 // does not reach the board

	stored, ok, err := regions.Get(board)
	fmt.Println(stored, ok, err)
	// Output: [{North 120} {South 90}] true <nil>
}

func ExampleBoard_Open() {
	board := blackboard.New(0)
	task, err := board.Open(blackboard.Subtask{App: "Word", Text: "Extract the sales table"})
	if err != nil {
		fmt.Println(err)
		return
	}
	result := json.RawMessage(`{"rows": [["North", 120], ["South", 90]]}`)
	if err := board.Close(task.ID, "FINISH", result, ""); err != nil {
		fmt.Println(err)
		return
	}

	raw, _ := board.Raw("subtask_result_1")
	fmt.Println(string(raw))
	row, _ := board.Lookup("subtask_result_1.data.rows.0")
	fmt.Println(string(row))
	// Output:
	// {"id":"subtask_1","application":"Word","task":"Extract the sales table","status":"FINISH","data":{"rows":[["North",120],["South",90]]}}
	// ["North",120]
}

func ExampleBoard_Render() {
	board := blackboard.New(0)
	_ = board.PutRaw("plan", json.RawMessage(`["create the chart"]`))
	_ = board.PutRaw("report", json.RawMessage(`"`+strings.Repeat("long ", 1000)+`"`))

	excerpt, err := board.Render(160)
	fmt.Println(string(excerpt), err)
	// Output: {"plan":["create the chart"],"report":{"$ref":"report","bytes":5002,"head":"long long long long long"}} <nil>
}
