package blackboard_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/agentfsm/agentfsm/blackboard"
)

type region struct {
	Name  string `json:"name"`
	Sales int    `json:"sales"`
}

func ExampleKey() {
	regions := blackboard.NewKey[[]region]("regions")
	board := blackboard.New(nil)

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

func ExampleKey_Put_notSerialisable() {
	hooks := blackboard.NewKey[func()]("hooks")
	err := hooks.Put(blackboard.New(nil), func() {})
	fmt.Println(errors.Is(err, blackboard.ErrNotSerialisable))
	fmt.Println(err)
	// Output:
	// true
	// blackboard: put "hooks": the value cannot be serialised: json: unsupported type: func()
}

func ExampleList() {
	board := blackboard.New(nil)
	_ = blackboard.Answers.Append(board, blackboard.QuestionAnswer{Question: "Which year?", Answer: "2025"})
	_ = blackboard.Answers.Append(board, blackboard.QuestionAnswer{Question: "Which sheet?", Answer: "Sales"})

	answers, err := blackboard.Answers.All(board)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range answers {
		fmt.Println(a.Question, a.Answer)
	}
	// Output:
	// Which year? 2025
	// Which sheet? Sales
}

func ExampleBoard_Open() {
	board := blackboard.New(nil)
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
	board := blackboard.New(nil)
	_ = blackboard.Plan.Put(board, json.RawMessage(`["create the chart"]`))
	_ = board.PutRaw("report", json.RawMessage(`"`+strings.Repeat("long ", 1000)+`"`))

	excerpt, err := board.Render(160)
	fmt.Println(string(excerpt), err)
	// Output: {"plan":["create the chart"],"report":{"$ref":"report","bytes":5002,"head":"long long long long long"}} <nil>
}

func ExampleBoard_PutBlob() {
	type observation struct {
		Screenshot blackboard.Blob `json:"screenshot"`
	}
	board := blackboard.New(nil)
	shot, err := board.PutBlob("image/png", []byte("\x89PNG…"))
	if err != nil {
		fmt.Println(err)
		return
	}
	seen := blackboard.NewKey[observation]("seen")
	_ = seen.Put(board, observation{shot})

	o, _, _ := seen.Get(board)
	info, data, ok := board.Blob(o.Screenshot.Ref)
	fmt.Println(info.MediaType, info.Size, len(data), ok)
	// Output: image/png 7 7 true
}

func ExampleBoard_UnmarshalJSON() {
	board := blackboard.New(nil)
	_ = blackboard.Requests.Append(board, "make a chart")
	_ = blackboard.Plan.Put(board, json.RawMessage(`["read", "draw"]`))
	text, err := json.Marshal(board)
	fmt.Println(string(text), err)

	restored := blackboard.New(nil)
	fmt.Println(json.Unmarshal(text, restored), restored.Names())
	// Output:
	// {"lists":{"requests":["make a chart"]},"values":{"plan":["read","draw"]},"version":1} <nil>
	// <nil> [plan requests]
}

// Only what a step did is kept, and a later process does it once more.
func ExampleBoard_Replay() {
	board := blackboard.New(nil)
	start, err := board.MarshalJSON()
	if err != nil {
		log.Fatal(err)
	}
	board.LogOps()
	if err := blackboard.Requests.Append(board, "Draw a chart"); err != nil {
		log.Fatal(err)
	}
	ops, err := board.TakeOps()
	if err != nil {
		log.Fatal(err)
	}
	kept, err := json.Marshal(ops)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", kept)

	later := blackboard.New(nil)
	if err := later.UnmarshalJSON(start); err != nil {
		log.Fatal(err)
	}
	var again []blackboard.Op
	if err := json.Unmarshal(kept, &again); err != nil {
		log.Fatal(err)
	}
	if err := later.Replay(again); err != nil {
		log.Fatal(err)
	}
	requests, _ := later.Raw("requests")
	fmt.Printf("%s\n", requests)
	// Output:
	// [{"op":"append","name":"requests","n":1,"value":"Draw a chart"}]
	// ["Draw a chart"]
}
