package desktop_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
)

// sheet is what the tools of the example work on.
type sheet map[string]float64

// cell is what a tool is given: the fields make its schema.
type cell struct {
	Name  string  `json:"name" desc:"such as B2"`
	Value float64 `json:"value,omitempty"`
}

func (s sheet) set(_ context.Context, c cell) (string, error) {
	if c.Value < 0 {
		return "", errors.New("this sheet has no negative numbers") // the model reads it
	}
	s[c.Name] = c.Value
	return "written", nil
}

func (s sheet) get(_ context.Context, c struct {
	Name string `json:"name" desc:"such as B2"`
}) (float64, error) {
	return s[c.Name], nil
}

// A Desktop of Go funcs, behind a window, so that a HostAgent finds it.
func ExampleFunc() {
	ctx := context.Background()
	s := sheet{}
	funcs, err := desktop.New(
		desktop.Func("set_cell", "Write a cell.", s.set, nil),
		desktop.Func("get_cell", "Read a cell.", s.get, &desktop.Annotations{ReadOnlyHint: true}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "sheet", Title: "Costs"}, Desktop: funcs})
	if err != nil {
		fmt.Println(err)
		return
	}

	windows, _ := desktop.Windows(ctx, d)
	fmt.Println(windows)
	inside, _ := desktop.Scope(ctx, d, windows[0].ID)
	for _, args := range []map[string]any{
		{"name": "B2", "value": 12.5},
		{"name": "B3", "value": -1},
		{"cell": "B4"},
	} {
		res, err := desktop.Execute(ctx, inside, desktop.Command{ToolName: "set_cell", Parameters: args})
		fmt.Println(res.Status, res.Text()+res.Error, err)
	}
	res, _ := desktop.Execute(ctx, inside, desktop.Command{ToolName: "get_cell", Parameters: map[string]any{"name": "B2"}})
	fmt.Println(res.Text())
	// Output:
	// [{1 sheet 1 Costs false  }]
	// success written <nil>
	// failure this sheet has no negative numbers <nil>
	// failure desktop: set_cell: parameters do not fit: $.cell: is not allowed; $.name: is required <nil>
	// 12.5
}
