package temporal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

// Names in histories and in the requests of others. They stay the same in all releases.
const (
	// Update is the name of the update that answers a question of a run, if there is an Options.Answer. Its arguments are
	// the id of the question and a people.Answer. Its result says whether this answer is the one that counts.
	Update = "answer"

	workflowType   = "agentfsm.Run"
	driveActivity  = "agentfsm.Drive"
	answerActivity = "agentfsm.Answer"
	wakeSignal     = "wake"
)

// WorkflowID is the id of the workflow of a run: "agentfsm/" and the id of the run, in which "%" and all that is not
// printable ASCII is %-escaped.
func WorkflowID(run string) string {
	id := []byte("agentfsm/")
	for _, b := range []byte(run) {
		if b < ' ' || b > '~' || b == '%' { // the SDK sends ids in headers, which take no others
			id = fmt.Appendf(id, "%%%02X", b)
			continue
		}
		id = append(id, b)
	}
	return string(id)
}

// Options says how an Engine works. The zero Options is a sound choice.
type Options struct {
	// TaskQueue is that of workflows and activities, "agentfsm" by default. All processes of one service have the same.
	TaskQueue string

	// Heartbeat is after how long without a sign of life a process is taken for dead, and its runs are driven elsewhere
	// (10 seconds). A drive hears of Cancel within a fifth of it.
	Heartbeat time.Duration

	// Answer answers a question, as [runs.Service.Answer] does. With it workflows take [Update]. It must be the same in all processes:
	// any of them may be asked.
	Answer func(ctx context.Context, run, question string, answer people.Answer) (given bool, err error)

	// Worker has the options of the SDK's worker. Where it does not say so, a process takes 32 drives at a time, and waits a
	// minute for their ends. The first should be more than runs.Config.MaxRuns: a run makes room only for one that waits
	// in its process.
	Worker worker.Options
}

// Engine is a [runs.Engine] on Temporal. Everything may be called by several goroutines.
type Engine struct {
	client client.Client
	opts   Options
	most   int // drives before a workflow continues as new
}

var errNoClient = errors.New("temporal: there is no client")

// New returns an engine over a client, which the caller closes. opts may be nil.
func New(c client.Client, opts *Options) (*Engine, error) {
	if c == nil {
		return nil, errNoClient
	}
	e := &Engine{client: c, most: 100}
	if opts != nil {
		e.opts = *opts
	}
	o := &e.opts
	o.TaskQueue = cmp.Or(o.TaskQueue, "agentfsm")
	if o.Heartbeat <= 0 {
		o.Heartbeat = 10 * time.Second
	}
	w := &o.Worker
	w.WorkerStopTimeout = cmp.Or(w.WorkerStopTimeout, time.Minute)
	w.MaxHeartbeatThrottleInterval = cmp.Or(w.MaxHeartbeatThrottleInterval, e.beat())
	if w.Tuner == nil {
		w.MaxConcurrentActivityExecutionSize = cmp.Or(w.MaxConcurrentActivityExecutionSize, 32)
	}
	return e, nil
}

// beat is the time between two heartbeats.
func (e *Engine) beat() time.Duration { return e.opts.Heartbeat / 5 }

// Wake implements [runs.Engine]. Its errors are those of the client.
func (e *Engine) Wake(ctx context.Context, run string) error {
	_, err := e.client.SignalWithStartWorkflow(ctx, WorkflowID(run), wakeSignal, nil, client.StartWorkflowOptions{
		TaskQueue: e.opts.TaskQueue,
		// A run goes on that had ended: it was deleted and started anew, or it gets another try.
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
	}, workflowType, memory{Run: run, Most: e.most})
	return wrapped(err)
}

// Cancel implements [runs.Engine]. Its errors are those of the client.
func (e *Engine) Cancel(ctx context.Context, run string) error {
	err := e.client.CancelWorkflow(ctx, WorkflowID(run), "")
	if _, none := errors.AsType[*serviceerror.NotFound](err); none {
		return nil // there is no workflow, or it has ended
	}
	return wrapped(err)
}

// Work implements [runs.Engine]. It is a worker of the SDK. Its error is the cause of ctx, or why the worker
// cannot begin or go on.
func (e *Engine) Work(ctx context.Context, drive func(context.Context, string) (runs.Next, error)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	options := e.opts.Worker
	options.OnFatalError = func(err error) {
		cancel(wrapped(err))
		if theirs := e.opts.Worker.OnFatalError; theirs != nil {
			theirs(err)
		}
	}
	d := &drives{ctx: ctx, drive: drive, beat: e.beat()}
	w := worker.New(e.client, e.opts.TaskQueue, options)
	w.RegisterWorkflowWithOptions(e.workflow, workflow.RegisterOptions{Name: workflowType})
	w.RegisterActivityWithOptions(d.one, activity.RegisterOptions{Name: driveActivity})
	w.RegisterActivityWithOptions(e.answer, activity.RegisterOptions{Name: answerActivity})
	if err := w.Start(); err != nil {
		return wrapped(err)
	}
	<-ctx.Done()
	w.Stop()
	d.close()
	return context.Cause(ctx)
}

func wrapped(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("temporal: %w", err)
}
