package sample_test

import (
	"fmt"

	"github.com/agentfsm/agentfsm/examples/internal/sample"
)

func ExampleRandom() {
	c := sample.Random(1)
	fmt.Println(c.Request)
	fmt.Println(len(c.Labels) == len(c.Values), len(c.Header) == len(c.Values[0])+1)
	// Output:
	// Read the Umsätze table from the document and draw a bar chart in Excel
	// true true
}
