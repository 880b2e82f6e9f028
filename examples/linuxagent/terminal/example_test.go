//go:build unix

package terminal_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/linuxagent/terminal"
)

func Example() {
	shell, err := terminal.New(terminal.Config{Dir: "../program/testdata"})
	if err != nil {
		panic(err)
	}
	for _, line := range []string{"ls *.csv | wc -l | tr -d ' '", "cat nosuch.csv 2>/dev/null"} {
		result, err := desktop.Execute(context.Background(), shell, desktop.Shell(line))
		if err != nil {
			panic(err)
		}
		var out terminal.Output
		if err := result.Decode(&out); err != nil {
			panic(err)
		}
		fmt.Printf("%s %q %q\n", result.Status, out.Stdout, result.Error)
	}
	// Output:
	// success "4\n" ""
	// failure "" "exit status 1"
}
