package shop_test

import (
	"fmt"
	"strings"
)

func Example() {
	// region say
	text := `a
		b`
	if strings.Contains(text, "a") {
		// A comment inside.
		fmt.Println(text)
	}
	// endregion
	fmt.Println(strings.ToUpper("done"))
	// Output:
	// a
	// 		b
	// DONE
}

func ExampleNotRun() {
	fmt.Println("nobody checks this")
}

func ExampleHalf() {
	// region half
	if len("x") == 1 {
		// endregion
		fmt.Println("x")
	}
	// Output: x
}

func ExampleOpen() {
	// region open
	fmt.Println("x")
	// Output: x
}

func ExampleNested() {
	// region outer
	// region inner
	fmt.Println("x")
	// endregion
	// endregion

	// Output: x
}

const (
	unsold = "bread"  // nobody shows this
	sold   = "cheese" // with its comment
)

func ExampleComments() {
	sell(sold)
	// Output: cheese
}

func sell(what string) {
	// A comment inside of another declaration.
	fmt.Println(what) // and at the end of a line
}

// Comments between declarations stay away.

func ExampleUnsold() {
	fmt.Println(unsold)
	// Output: bread
}
