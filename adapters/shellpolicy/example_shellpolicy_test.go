package shellpolicy_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/shellpolicy"
	"github.com/agentfsm/agentfsm/desktop"
)

func Example() {
	p, err := shellpolicy.New(shellpolicy.Config{
		Dir:        "/srv/reports",
		Reads:      []string{"/srv/reports"},
		Writes:     []string{"/srv/reports/out"},
		Vars:       []string{"f"},
		AskUnclear: true,
		Rules: []shellpolicy.Rule{
			{Command: "echo", Args: []string{"any..."}},
			{Command: "sort", Flags: []string{"-n", "-r"}, Args: []string{"path..."}, Paths: []string{"/srv/reports"}},
			{Command: "head", Flags: []string{"-n=number"}, Args: []string{"path..."}, Paths: []string{"/srv/reports"}},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	tool, _ := desktop.ToolNamed(desktop.RunShell)
	for _, line := range []string{
		`sort -nr sales.csv | head -n 3 > out/best.csv`,
		`for f in a.csv b.csv; do head -n 1 "$f"; done`,
		`sort sales.csv; r\m -rf out`,
		`sort -o best.csv sales.csv`,
		`head -n 1 ../../etc/passwd`,
		`echo "it is $(whoami)"`,
		`echo "you are $USER"`,
	} {
		v := p(context.Background(), tool, desktop.Shell(line))
		fmt.Println(strings.TrimSpace(v.Action.String() + " " + v.Reason))
	}
	// Output:
	// allow
	// allow
	// deny the command "rm" is not on the list
	// deny "sort": the flag "-o" is not on the list
	// deny "head": the path "../../etc/passwd" has a ".." in it
	// deny the command "whoami" is not on the list
	// confirm the value of a variable among the arguments of "echo" cannot be judged
}
