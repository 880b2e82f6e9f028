package acting_test

import (
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
)

// A model refers to what is too long to be copied.
func ExampleResolve() {
	board := blackboard.New(nil)
	if err := board.PutRaw("sales", []byte(`{"rows": [["2024", 1204.50], ["2025", 1310.00]]}`)); err != nil {
		panic(err)
	}
	args := map[string]any{"cell": "A1", "values": map[string]any{"$ref": "sales.rows"}}
	resolved, err := acting.Resolve(board, args)
	fmt.Println(resolved["values"], err)

	_, err = acting.Resolve(board, map[string]any{"values": map[string]any{"$ref": "sales.columns"}})
	fmt.Println(errors.Is(err, blackboard.ErrNotFound))
	// Output:
	// [[2024 1204.50] [2025 1310.00]] <nil>
	// true
}
