package people_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/people"
)

func ExampleAsk() {
	user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		return people.Answer{Text: "blue"}, nil
	})
	ctx := context.Background()
	answer, err := people.Ask(ctx, user, people.Question{ID: "q1", Text: "Which colour?"}, 0)
	fmt.Println(answer.Text, err)

	_, err = people.Ask(ctx, nil, people.Question{ID: "q2", Text: "Which colour?"}, 0)
	fmt.Println(errors.Is(err, people.ErrNobody))

	gone := people.UserFunc(func(ctx context.Context, _ people.Question) (people.Answer, error) {
		<-ctx.Done()
		return people.Answer{}, ctx.Err()
	})
	_, err = people.Ask(ctx, gone, people.Question{ID: "q3", Text: "Which colour?"}, time.Millisecond)
	fmt.Println(errors.Is(err, people.ErrTimeout))
	// Output:
	// blue <nil>
	// true
	// true
}

// A question with a Command and no Text shows the whole command, and says why it is asked.
func ExampleAsk_approval() {
	user := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		fmt.Println(q.Text)
		return people.Answer{Approved: true}, nil
	})
	cmd := desktop.Shell("rm old.log")
	answer, err := people.Ask(context.Background(), user, people.Question{
		ID: "q1", Agent: "linux", Approval: true, Command: &cmd, Reason: "it is a shell command",
	}, 0)
	fmt.Println(answer.Approved, err)
	// Output:
	// Allow run_shell {"bash_command":"rm old.log"}? It needs approval because it is a shell command.
	// true <nil>
}
