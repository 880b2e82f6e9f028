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
	st, err := store.Files(dir, nil)
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

// Desk is a worker: it has what every run of the queue needs.
type Desk struct {
	Store   *sqlstore.Store
	Model   llm.Model
	Mailbox desktop.Desktop
}

// Work takes a run as far as it goes now, and says what comes after.
func (d *Desk) Work(ctx context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
	s, err := durable.Open(ctx, NewClerk(d.Model, d.Mailbox), d.Store, l.Run, &durable.Options{
		Round:    &round.Options{SuspendOn: llm.Retryable},
		TakeOver: l.Tries > 1, // the worker before it lost its lease: it is dead, or hangs
	})
	if err != nil {
		return 0, err
	}
	result, err := s.Continue(ctx, string(l.Payload))
	switch {
	case result.Outcome.Ended(): // FINISH, FAIL or ERROR: it is for you to tell somebody
		return sqlstore.Done, nil
	case result.Outcome == round.Suspended && len(result.Waits) > 0:
		return sqlstore.Wait, nil // whoever answers wakes it
	case result.Outcome == round.Lost && errors.Is(err, store.ErrConflict):
		return sqlstore.Release, nil // somebody answered while it was at work
	default:
		return 0, err // a provider that is away, a full disk, a bound: again after a pause
	}
}

// Workers take runs from a queue. The model's provider is away at first.
func Example_durableWorkers() {
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
	desk := &Desk{Store: st, Mailbox: mailbox.Desktop(), Model: llmtest.Script(nil,
		away, away, away, away, // for longer than the agent tries
		`{"Function": "send_mail", "Args": {"to": "bob@example.com", "text": "12 euros"}, "Status": "CONTINUE"}`,
		`{"Status": "FINISH", "Result": "Bob knows."}`,
	)}

	worked := make(chan sqlstore.After)
	watched := func(ctx context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
		after, err := desk.Work(ctx, l)
		if err == nil {
			worked <- after
		}
		return after, err
	}
	report := func(run string, err error) { fmt.Println(run, "failed:", err) }
	ended := make(chan error)
	go func() {
		ended <- st.Work(ctx, sqlstore.WorkOptions{Poll: time.Millisecond, Pause: time.Millisecond, Report: report}, watched)
	}()

	if err := st.Enqueue(ctx, "mail 12", []byte("tell Bob the price")); err != nil {
		panic(err)
	}
	fmt.Println("waits:", <-worked == sqlstore.Wait)
	state, err := durable.Look(ctx, st, "mail 12")
	if err != nil {
		panic(err)
	}
	if _, err := durable.Answer(ctx, st, state.Run, state.Waits[0].ID, people.Answer{Approved: true}); err != nil {
		panic(err)
	}
	if err := st.Wake(ctx, state.Run); err != nil { // the run is ready for a worker
		panic(err)
	}
	fmt.Println("done:", <-worked == sqlstore.Done, mailbox.sent)
	stop()
	fmt.Println(<-ended)
	// Output:
	// mail 12 failed: round: suspended: AppAgent:CONTINUE: LLM_INTERACTION: llm: no success in 4 attempts; the last: llm: the provider gave no answer
	// waits: true
	// done: true [bob@example.com]
	// context canceled
}
