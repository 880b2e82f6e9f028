package guides_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs"
)

// Mailbox outlives the processes that use it.
type Mailbox struct{ sent []string }

// Desktop returns its tools.
func (m *Mailbox) Desktop() desktop.Desktop {
	type mail struct {
		To   string `json:"to"`
		Text string `json:"text"`
	}
	d, err := desktop.New(
		desktop.Func("send_mail", "Send a mail.", func(_ context.Context, in mail) (string, error) {
			m.sent = append(m.sent, in.To)
			return "sent", nil
		}, &desktop.Annotations{DestructiveHint: true}),
		desktop.Func("read_outbox", "List who got mail.", func(context.Context, struct{}) ([]string, error) {
			return m.sent, nil
		}, &desktop.Annotations{ReadOnlyHint: true}),
	)
	if err != nil {
		panic(err)
	}
	return d
}

// NewClerk makes the agent, the same one in each process.
func NewClerk(model llm.Model, mailbox desktop.Desktop) *appagent.Agent {
	agent, err := appagent.New(appagent.Config{
		Model: model, Desktop: mailbox, NoImages: true,
		User:   people.Later(), // every question suspends the run
		Policy: policies.All(policies.Default, policies.AskUncertain()),
	})
	if err != nil {
		panic(err)
	}
	return agent
}

// Drive begins a run, or goes on with it: the journal says which.
func Drive(ctx context.Context, agent fsm.Worker, st store.Store, run, request string) (round.Result, error) {
	s, err := durable.Open(ctx, agent, st, run, &durable.Options{Round: &round.Options{SuspendOn: llm.Retryable}})
	if err != nil {
		return round.Result{}, err // store.ErrDriven: somebody else is at work on it
	}
	return s.Continue(ctx, request) // of a run that has ended: its result
}

// dying is a store whose process dies at an Append.
type dying struct {
	store.Store
	left int
}

func (d *dying) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if d.left--; d.left < 0 {
		return errors.New("killed")
	}
	return d.Store.Append(ctx, run, after, records...)
}

// A run asks, waits, is answered from elsewhere, dies at its worst moment, and ends.
func Example_durable() {
	dir, err := os.MkdirTemp("", "durable")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx, mailbox := context.Background(), &Mailbox{}
	clerk := func(replies ...any) *appagent.Agent {
		return NewClerk(llmtest.Script(nil, replies...), mailbox.Desktop())
	}

	// region store
	st, err := store.Files(dir)
	// endregion
	if err != nil {
		panic(err)
	}

	// region ask
	const run, request = "mail 12", "tell Bob the price"
	agent := clerk(`{"Function": "send_mail", "Args": {"to": "bob@example.com", "text": "12 euros"}, "Status": "CONTINUE"}`)
	res, err := Drive(ctx, agent, st, run, request)
	fmt.Println(res.Outcome, len(res.Waits), errors.Is(err, round.ErrSuspended))
	// endregion

	// region list
	var asked string
	for state, err := range durable.List(ctx, st, durable.Query{}) {
		if err != nil {
			fmt.Println(state.Run, err) // of one run; the others follow
			continue
		}
		for _, q := range state.Waits {
			fmt.Println(state.Run, "asks:", q.Text)
			asked = q.ID
		}
	}
	// endregion

	// region answer
	given, err := durable.Answer(ctx, st, run, asked, people.Answer{Approved: true})
	fmt.Println(given, err)
	given, err = durable.Answer(ctx, st, run, asked, people.Answer{Text: "no!"}) // too late
	fmt.Println(given, err)
	// endregion

	// region crash
	broken := &dying{Store: st, left: 2} // it goes on; CONFIRM is over, and the intent to send
	res, err = Drive(ctx, clerk(), broken, run, request)
	fmt.Println(res.Outcome, errors.Is(err, round.ErrLost), mailbox.sent)
	// endregion

	// region goon
	agent = clerk(
		func(req *llm.Request) (string, error) {
			problem, _ := llm.FindSection(req, "last_error")
			fmt.Println(string(problem))
			return `{"Function": "read_outbox", "Status": "CONTINUE"}`, nil
		},
		`{"Status": "FINISH", "Result": "Bob knows.", "Open": ["act_1: done: it is in the outbox"]}`,
	)
	res, err = Drive(ctx, agent, st, run, request)
	fmt.Println(res.Outcome, res.Answer, err, mailbox.sent)
	// endregion

	// Output:
	// SUSPENDED 1 true
	// mail 12 asks: Allow send_mail {"text":"12 euros","to":"bob@example.com"}? It needs approval because the tool is marked as destructive.
	// true <nil>
	// false <nil>
	// LOST true [bob@example.com]
	// "send_mail failed: nobody knows whether it happened: the run was interrupted while it was executed; look before you repeat it"
	// FINISH Bob knows. <nil> [bob@example.com]
}

// Two processes serve the runs of a database. The provider of the model is away at first.
func Example_durableService() {
	dir, err := os.MkdirTemp("", "durable")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	st, err := sqlstore.OpenSQLite(ctx, filepath.Join(dir, "runs.db"), nil)
	if err != nil {
		panic(err)
	}
	defer func() { _ = st.Close() }()
	mailbox := &Mailbox{}
	away := &llm.CallError{Kind: llm.ErrUnavailable}
	model := llmtest.Script(nil,
		away, away, away, away, // for longer than the agent tries
		`{"Function": "send_mail", "Args": {"to": "bob@example.com", "text": "12 euros"}, "Status": "CONTINUE"}`,
		`{"Status": "FINISH", "Result": "Bob knows."}`,
	)

	// region driver
	// A process that drives runs.
	driver, err := runs.New(st, runs.Config{
		Agent: func(context.Context, durable.State) (fsm.Worker, func(), error) {
			return NewClerk(model, mailbox.Desktop()), nil, nil // the same one in each process
		},
		Poll: 10 * time.Millisecond, // how soon it sees what others have done
	})
	if err != nil {
		panic(err)
	}
	ended := make(chan error)
	go func() { ended <- driver.Work(ctx) }()
	// endregion

	// A process that takes orders and answers, and drives nothing.
	page, err := runs.New(st, runs.Config{Poll: 10 * time.Millisecond})
	if err != nil {
		panic(err)
	}
	if _, err := page.Start(ctx, "mail 12", "tell Bob the price", nil); err != nil {
		panic(err)
	}
	for event, err := range page.Watch(ctx, "mail 12", 0) {
		if err != nil {
			panic(err)
		}
		switch event.Kind {
		case "postpone":
			fmt.Println("the provider is away")
		case "stop":
			state, err := page.Get(ctx, "mail 12")
			if err != nil {
				panic(err)
			}
			for _, question := range state.Waits {
				fmt.Println(question.Text)
				if _, err := page.Answer(ctx, "mail 12", question.ID, people.Answer{Approved: true}); err != nil {
					panic(err)
				}
			}
		}
	}
	state, err := page.Get(ctx, "mail 12")
	fmt.Println(state.Stage, state.Answer, mailbox.sent, err)
	stop()
	fmt.Println(<-ended)
	// Output:
	// the provider is away
	// Allow send_mail {"text":"12 euros","to":"bob@example.com"}? It needs approval because the tool is marked as destructive.
	// ended Bob knows. [bob@example.com] <nil>
	// context canceled
}
