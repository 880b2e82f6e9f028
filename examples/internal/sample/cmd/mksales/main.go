// Mksales writes the committed sample document of the quickstart.
//
//	go run ./cmd/mksales ../office/testdata/sales.docx
package main

import (
	"fmt"
	"os"

	"github.com/agentfsm/agentfsm/examples/internal/sample"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: mksales FILE.docx")
		os.Exit(2)
	}
	if err := sample.Sales().WriteFile(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "mksales:", err)
		os.Exit(1)
	}
}
