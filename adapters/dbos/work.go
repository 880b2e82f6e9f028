package dbos

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	sdk "github.com/dbos-inc/dbos-transact-golang/dbos"

	"github.com/agentfsm/agentfsm/runs"
)

// work is one call of Work.
type work struct {
	e     *Engine
	ctx   context.Context //nolint:containedctx // that of Work, which ends with it
	drive func(ctx context.Context, run string) (runs.Next, error)

	ends  bool           // under e.mu
	begun sync.WaitGroup // Add under e.mu, too
}

// place is that of a run that is being driven.
type place struct {
	ctx    context.Context //nolint:containedctx // of the drive
	cancel context.CancelCauseFunc
}

// Work implements [runs.Engine]. It begins with what a process with this ExecutorID left when it was killed, and leaves
// to others what it could not do itself. Its error is the cause of ctx, or that of DBOS.
func (e *Engine) Work(ctx context.Context, drive func(ctx context.Context, run string) (runs.Next, error)) error {
	if !e.works.TryLock() {
		return errWorking
	}
	defer e.works.Unlock()
	w := &work{e: e, ctx: ctx, drive: drive}
	opened, err := e.open(ctx)
	if err != nil {
		return err
	}
	if err = w.launch(opened); err == nil {
		<-ctx.Done()
		err = context.Cause(ctx)
	}
	e.mu.Lock()
	w.ends = true
	e.mu.Unlock()
	w.begun.Wait()
	return errors.Join(err, sdk.Shutdown(opened, callTime), e.release(ctx, opened))
}

// launch has DBOS call drives.
func (w *work) launch(opened sdk.Context) error {
	// Without a limit of recoveries: behind it DBOS would forget the run. A service counts how often a run gets nowhere.
	sdk.RegisterWorkflow(opened, w.whole, sdk.WithWorkflowName(workflowName), sdk.WithMaxRecoveryAttempts(0))
	// A partition is a run: one drive at a time.
	_, err := sdk.RegisterQueue(opened, w.e.queue, sdk.WithPartitionQueue(), sdk.WithGlobalConcurrency(1),
		sdk.WithQueueBasePollingInterval(w.e.poll), sdk.WithQueueOnConflict(sdk.QueueConflictAlwaysUpdate))
	if err != nil {
		return err
	}
	opened.ListenQueues(opened, w.e.queue)
	return sdk.Launch(opened)
}

// release gives back what DBOS has taken for this process, and nobody drove: a row that is PENDING at Shutdown stays so,
// and would wait for the next process with this ExecutorID.
func (e *Engine) release(ctx context.Context, opened sdk.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTime)
	defer cancel()
	c := sdk.From(e.client, ctx)
	left, err := sdk.ListWorkflows(c, sdk.WithFilterStatus(sdk.WorkflowStatusPending), sdk.WithFilterQueueName(e.queue),
		sdk.WithFilterExecutorIDs(opened.GetExecutorID()), sdk.WithFilterLoadInput(false), sdk.WithFilterLoadOutput(false))
	if err != nil || len(left) == 0 {
		return err
	}
	ids := make([]string, len(left))
	for i := range left {
		ids[i] = left[i].ID
	}
	_, err = sdk.ResumeWorkflows[bool](c, ids, sdk.WithResumeQueue(e.queue))
	return err
}

// whole is the workflow. It has no steps: what it does again after a crash does no harm.
func (w *work) whole(dbos sdk.Context, run string) (bool, error) {
	id, err := sdk.GetWorkflowID(dbos)
	if err != nil {
		return false, err
	}
	if p := w.begin(run); p != nil && w.once(p, id, run) {
		return true, nil
	}
	<-dbos.Done() // its row stays PENDING, until release
	return false, context.Cause(dbos)
}

// begin takes a place; nil: Work ends.
func (w *work) begin(run string) *place {
	w.e.mu.Lock()
	defer w.e.mu.Unlock()
	if w.ends {
		return nil
	}
	w.begun.Add(1)
	p := &place{}
	p.ctx, p.cancel = context.WithCancelCause(w.ctx)
	w.e.driven[run] = p
	return p
}

// end gives the place back. A Cancel comes before it, and is seen in the ctx of the place, or behind it.
func (w *work) end(p *place, run string) {
	w.e.mu.Lock()
	defer w.e.mu.Unlock()
	p.cancel(nil)
	delete(w.e.driven, run)
}

func (p *place) wanted() bool { return !errors.Is(context.Cause(p.ctx), errCancelled) }

// once drives a run once, and has what follows wait. Its row, id, keeps other drives of the run away until it is deleted.
// False: Work ends, and the database has not all of that.
func (w *work) once(p *place, id, run string) bool {
	defer w.begun.Done()
	other := slices.DeleteFunc(w.e.ids(run), func(its string) bool { return its == id })[0]
	// Whoever has that row wait has recorded why before, so this drive is for that, too. From here on until this drive
	// ends, only Wake puts one there.
	if !w.sure(run, w.e.forget) {
		w.end(p, run)
		return false
	}
	next, err := w.drive(p.ctx, run)
	if err != nil {
		next = runs.Next{At: time.Now()} // for somebody else
	}
	known, follows := true, !next.Ended && !next.At.IsZero() && p.wanted()
	if follows {
		known = w.sure(run, func(c sdk.Client, run string) error { return w.e.enqueue(c, other, run, time.Until(next.At)) })
	}
	// A Cancel that comes behind this sees that row.
	if w.end(p, run); follows && !p.wanted() {
		known = w.sure(run, w.e.forget) && known
	}
	return known && w.sure(run, func(c sdk.Client, _ string) error { return sdk.DeleteWorkflows(c, []string{id}) })
}

// sure does something in the database, and tries until it is done; false: Work ends.
func (w *work) sure(run string, do func(c sdk.Client, run string) error) bool {
	for {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), callTime)
		err := do(sdk.From(w.e.client, ctx), run)
		cancel()
		if err == nil {
			return true
		}
		w.e.config.Logger.ErrorContext(w.ctx, "what follows a drive cannot be recorded", "run", run, "error", err)
		select {
		case <-w.ctx.Done():
			return false
		case <-time.After(pause):
		}
	}
}
