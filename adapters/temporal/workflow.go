package temporal

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/agentfsm/agentfsm/people"
)

// This file decides what is in a history. Old histories must be decided on in the same way, or their workflows stand
// still: a change goes behind workflow.GetVersion, and testdata has histories to check it with.

// memory is the input of a workflow. A workflow that continues as new passes it on.
type memory struct {
	Run   string    `json:"run"`
	Most  int       `json:"most"` // drives before it continues as new; in the history, so that it may change
	Woken bool      `json:"woken,omitempty"`
	At    time.Time `json:"at,omitzero"` // by the clock of the server

	ended bool
}

const (
	// A drive may take as long as it likes while its process is alive.
	driveTimeout  = 365 * 24 * time.Hour
	answerTimeout = 30 * time.Second
	// An activity fails for good only when somebody breaks it off at the server.
	brokenPause = time.Minute
)

// workflow is that of a run: it has the run driven when it is woken, and when its time comes.
func (e *Engine) workflow(ctx workflow.Context, m memory) error {
	wakes := workflow.GetSignalChannel(ctx, wakeSignal)
	if err := workflow.SetUpdateHandlerWithOptions(ctx, Update, m.answer, workflow.UpdateHandlerOptions{
		Validator: func(workflow.Context, string, people.Answer) error {
			if e.opts.Answer == nil {
				return errNoAnswers // which leaves nothing in the history
			}
			return nil
		},
	}); err != nil {
		return err
	}
	for driven := 1; ; driven++ {
		if m.wait(ctx, wakes); ctx.Err() == nil {
			e.drive(ctx, &m, wakes)
		}
		m.hear(wakes)
		full := driven >= m.Most || workflow.GetInfo(ctx).GetContinueAsNewSuggested()
		if !full && !m.over(ctx) && ctx.Err() == nil {
			continue
		}
		settled, _ := workflow.NewDisconnectedContext(ctx)
		if err := workflow.Await(settled, func() bool { return workflow.AllHandlersFinished(ctx) }); err != nil {
			return err
		}
		m.hear(wakes)
		if m.over(ctx) {
			return ctx.Err()
		}
		// Also one that was cancelled, and then woken: a workflow that was cancelled drives nothing any more.
		return workflow.NewContinueAsNewError(ctx, workflowType, m)
	}
}

// over reports whether nobody wants anything of the run any more. The server ends no workflow before that has heard
// all its signals.
func (m *memory) over(ctx workflow.Context) bool { return (m.ended || ctx.Err() != nil) && !m.Woken }

// hear takes the signals that are there.
func (m *memory) hear(wakes workflow.ReceiveChannel) {
	for wakes.ReceiveAsync(nil) {
		m.Woken = true
	}
}

// wait waits for a signal, for the time, or until the workflow is cancelled.
func (m *memory) wait(ctx workflow.Context, wakes workflow.ReceiveChannel) {
	m.hear(wakes)
	pause := m.At.Sub(workflow.Now(ctx))
	if m.Woken || !m.At.IsZero() && pause <= 0 {
		return
	}
	ctx, cancel := workflow.WithCancel(ctx)
	defer cancel() // of the timer
	next := workflow.NewSelector(ctx)
	next.AddReceive(ctx.Done(), func(workflow.ReceiveChannel, bool) {})
	next.AddReceive(wakes, func(workflow.ReceiveChannel, bool) { m.hear(wakes) })
	if !m.At.IsZero() {
		next.AddFuture(workflow.NewTimer(ctx, pause), func(workflow.Future) {})
	}
	next.Select(ctx)
}

// drive has the run driven once.
func (e *Engine) drive(ctx workflow.Context, m *memory, wakes workflow.ReceiveChannel) {
	m.hear(wakes)
	m.Woken, m.At = false, time.Time{}
	var f follows
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: driveTimeout,
		HeartbeatTimeout:    e.opts.Heartbeat,
		WaitForCancellation: true, // or the next drive could begin before this one has ended
		RetryPolicy:         &temporal.RetryPolicy{InitialInterval: 200 * time.Millisecond, MaximumInterval: 10 * time.Second},
	}), driveActivity, m.Run).Get(ctx, &f)
	if err != nil {
		f = follows{In: brokenPause}
	}
	m.ended, m.Woken = f.Ended, f.Again
	if f.In > 0 {
		m.At = workflow.Now(ctx).Add(f.In)
	}
}

// answer handles [Update].
func (m *memory) answer(ctx workflow.Context, question string, answer people.Answer) (given bool, err error) {
	// A local activity needs none of the places that drives may have taken.
	err = workflow.ExecuteLocalActivity(workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{
		StartToCloseTimeout: answerTimeout,
		RetryPolicy:         &temporal.RetryPolicy{MaximumAttempts: 1},
	}), answerActivity, m.Run, question, answer).Get(ctx, &given)
	return given, err
}
