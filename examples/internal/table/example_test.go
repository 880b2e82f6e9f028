package table_test

import (
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/examples/internal/table"
)

func ExampleFind() {
	var tables []table.Source
	if err := json.Unmarshal([]byte(`[
		{"number":1, "heading":"Costs", "rows":[["Item","2024"],["Rent","1.200"],["Power","340"]]},
		{"number":2, "heading":"Sales", "rows":[["Item","2024"],["Apples","1.204,5"],["Pears","980"]]}
	]`), &tables); err != nil {
		fmt.Println(err)
		return
	}
	data, err := table.Find("draw a chart of the sales", tables)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(data.Table, data.Shared)
	for _, row := range data.Grid() {
		fmt.Println(row...)
	}
	// Output:
	// 2 [sale]
	// Item 2024
	// Apples 1204.5
	// Pears 980
}
