package acting_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// A policy is code. What it wants confirmed is executed when a person has
// approved exactly that, and not before.
func ExampleActor_Perform() {
	ctx := context.Background()
	d := desktoptest.New(nil, &desktoptest.App{Root: "terminal", Running: true})
	d.On(desktop.RunShell, func(context.Context, desktoptest.Call) (any, error) { return "done", nil })

	actor := &acting.Actor{
		Desktop: d,
		Policy: func(_ context.Context, _ desktop.Tool, cmd desktop.Command) policies.Verdict {
			if cmd.Parameters["bash_command"] == "ls" {
				return policies.Verdict{Action: policies.Allow}
			}
			return policies.Verdict{Action: policies.Confirm, Reason: "it changes something"}
		},
		Agent: "linux",
		User: people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
			fmt.Println(q.ID, q.Text)
			return people.Answer{Approved: true}, nil
		}),
		NewID: func() string { return "a1" },
	}
	done, err := actor.Perform(ctx, []acting.Act{
		{Command: desktop.Shell("ls")},
		{Command: desktop.Shell("rm old.log"), Target: "terminal"},
		{Command: desktop.Shell("ls")},
	}, false)
	for _, a := range done.Acted {
		fmt.Println(a.Command.Parameters["bash_command"], a.Result.Status)
	}
	fmt.Println(len(d.Calls(desktop.RunShell)), "executed,", err)

	work := acting.Work{Approval: done.Approval}
	next, err := work.Confirm(ctx, actor, "the log is old")
	fmt.Println(next.To, next.By, err)

	approved, err := work.PerformApproved(ctx, actor, "")
	fmt.Println(approved.Acted[0].Result.Status, err)
	// Output:
	// ls success
	// rm old.log skipped
	// ls skipped
	// 1 executed, <nil>
	// a1 Allow run_shell {"bash_command":"rm old.log"} on "terminal"? It needs approval because it changes something. The agent says: "the log is old"
	// CONTINUE user <nil>
	// success <nil>
}
