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
