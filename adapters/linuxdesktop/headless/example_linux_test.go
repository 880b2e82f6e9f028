package headless_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
)

// What is missing is known before anything is started.
func ExampleMissing() {
	err := headless.Missing("no-such-editor")
	fmt.Println(errors.Is(err, headless.ErrMissing))
	fmt.Println(strings.Contains(err.Error(), "no-such-editor"))
	// Output:
	// true
	// true
}
