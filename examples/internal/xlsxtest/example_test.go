package xlsxtest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

func ExampleBook_Resolve() {
	dir, err := os.MkdirTemp("", "xlsxtest")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.xlsx")
	b := xlsx.New("Apples")
	defer b.Close()
	for row, cells := range [][]any{{"Boskoop", 5}, {"Elstar", 7}} {
		if err := b.SetRow(row+1, cells); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := b.Save(context.Background(), path, false); err != nil {
		fmt.Println(err)
		return
	}

	book, err := xlsxtest.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	cells, err := book.Resolve("'Apples'!$B$1:$B$2")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range cells {
		fmt.Println(c.Kind, c.Text)
	}
	// Output:
	// number 5
	// number 7
}
