package xlsx_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

func ExampleBook() {
	dir, err := os.MkdirTemp("", "xlsx")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "harvest.xlsx")

	b := xlsx.New("Harvest")
	defer b.Close()
	for i, row := range [][]any{{"Sort", "2024"}, {"=Boskoop", 1204.5}, {"Elstar", 980}} {
		if err := b.SetRow(i+1, row); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := b.BarChart(xlsx.Chart{Title: "Apples", Categories: "A2:A3", Series: []xlsx.Series{{Name: "B1", Values: "B2:B3"}}}); err != nil {
		fmt.Println(err)
		return
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
	fmt.Println(book.Sheets[0].Cells["A2"].Kind, book.Sheets[0].Cells["A2"].Text)
	fmt.Println(book.Sheets[0].Charts[0].Series[0].Values)
	// Output:
	// text =Boskoop
	// 'Harvest'!$B$2:$B$3
}
