package docx_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
)

func ExampleRead() {
	d := docxtest.New()
	d.Heading(1, "Harvest")
	d.Caption("Table", "Apples by year")
	d.Table(docxtest.Table{Rows: docxtest.Texts(
		[]string{"Sort", "2024"},
		[]string{"Boskoop", "1,204.5"},
	)})
	file := d.Bytes()

	doc, err := docx.Read(context.Background(), bytes.NewReader(file), int64(len(file)), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range doc.Tables {
		fmt.Printf("%s / %s: %q\n", t.Heading, t.Caption, t.Rows)
	}
	// Output:
	// Harvest / Table 1: Apples by year: [["Sort" "2024"] ["Boskoop" "1,204.5"]]
}
