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

	driving sync.RWMutex                  // each drive has it for reading; Work locks it when it ends
	looks   sync.Mutex                    // no drive begins during a look
	taken   map[string]sdk.WorkflowStatus // rows that DBOS had taken at the last look, and that have not begun since
}

// unrecorded is the result of a workflow. DBOS cannot encode it, and so does not note the end of the workflow: its row is
// gone, and a note would be one on the next drive, which may have a row with the same id by now.
type unrecorded struct{ Never func() }

// Work implements [runs.Engine]. It begins with what a process with this ExecutorID left when it was killed, and leaves
// to others what it could not do itself. Its error is the cause of ctx, or that of DBOS.
func (e *Engine) Work(ctx context.Context, drive func(ctx context.Context, run string) (runs.Next, error)) error {
	if !e.works.TryLock() {
		return errWorking
	}
	defer e.works.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &work{e: e, ctx: ctx, drive: drive}
	opened, err := e.open(ctx)
	if err != nil {
		return err
	}
	if err = w.launch(opened); err == nil {
		for sleep(ctx, looks*e.poll) {
			_ = w.sure("", func(c sdk.Client) error { return w.giveBack(c, opened, false) }) //nolint:contextcheck // it has the same
		}
		err = context.Cause(ctx)
	}
	cancel(err)
	w.driving.Lock()
	err = errors.Join(err, sdk.Shutdown(opened, callTime))
	return errors.Join(err, w.sure("", func(c sdk.Client) error { return w.giveBack(c, opened, true) })) //nolint:contextcheck // it has the same
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

// giveBack has DBOS give to anybody what it has taken for this process, and nobody drives: all of that when Work ends, and
// before what it had taken at the last look already. DBOS itself does so only when a process with this ExecutorID begins.
func (w *work) giveBack(c sdk.Client, opened sdk.Context, all bool) error {
	w.looks.Lock()
	defer w.looks.Unlock()
	taken, err := list(c, sdk.WithFilterStatus(sdk.WorkflowStatusPending), sdk.WithFilterQueueName(w.e.queue),
		sdk.WithFilterExecutorIDs(opened.GetExecutorID()))
	var ids []string
	for id := range taken {
		if _, driven := w.e.driven.Load(id); driven {
			delete(taken, id)
		} else if before, still := w.taken[id]; all || still && before.StartedAt.Equal(taken[id].StartedAt) {
			ids = append(ids, id)
		}
	}
	w.taken = taken
	if err != nil || len(ids) == 0 {
		return err
	}
	_, err = sdk.ResumeWorkflows[bool](c, ids, sdk.WithResumeQueue(w.e.queue))
	return err
}

// whole is the workflow. It has no steps: what it does again after a crash does no harm.
func (w *work) whole(dbos sdk.Context, run string) (unrecorded, error) {
	id, err := sdk.GetWorkflowID(dbos)
	if err == nil && !w.once(dbos, id, run) {
		<-dbos.Done() // its row stays PENDING, until Work gives it back
	}
	return unrecorded{}, err
}

// once drives a run once, and has what follows wait. Its row, id, keeps other drives of the run away until it is deleted.
// False: Work ends, and the database has not all of that.
func (w *work) once(dbos sdk.Context, id, run string) bool {
	if !w.driving.TryRLock() {
		return false
	}
	defer w.driving.RUnlock()
	ctx, cancel := context.WithCancelCause(w.ctx)
	defer cancel(nil)
	w.looks.Lock()
	w.e.driven.Store(id, cancel)
	delete(w.taken, id)
	w.looks.Unlock()
	defer w.e.driven.Delete(id)
	other := slices.DeleteFunc(w.e.ids(run), func(its string) bool { return its == id })[0]
	// Whoever has the other row wait has recorded why before, so this drive is for that, too. From here on until this
	// drive ends, only Wake puts one there.
	var ours bool // else a look, or somebody with tools of DBOS, has given the row to another process
	err := w.sure(run, func(c sdk.Client) error {
		rows, err := w.e.rows(c, run)
		ours = rows[id].Status == sdk.WorkflowStatusPending && rows[id].ExecutorID == dbos.GetExecutorID()
		if at := rows[other].Status; !ours || at == "" || at == sdk.WorkflowStatusPending {
			return err
		}
		return sdk.DeleteWorkflows(c, []string{other})
	})
	if err != nil || !ours {
		return err == nil
	}
	next, err := w.drive(ctx, run)
	if err != nil {
		next = runs.Next{At: time.Now()} // for somebody else
	}
	known := true
	if !next.Ended && !next.At.IsZero() {
		known = w.sure(run, func(c sdk.Client) error { return w.e.enqueue(c, other, run, time.Until(next.At)) }) == nil
		// A Cancel that comes behind this sees that row.
		if cancel(nil); errors.Is(context.Cause(ctx), errCancelled) {
			known = w.sure(run, func(c sdk.Client) error { return w.e.forget(c, run) }) == nil && known
		}
	}
	return known && w.sure(run, func(c sdk.Client) error { return sdk.DeleteWorkflows(c, []string{id}) }) == nil
}

// sure does something in the database, and tries until it is done, or Work ends.
func (w *work) sure(run string, do func(c sdk.Client) error) error {
	for {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), callTime)
		err := do(sdk.From(w.e.client, ctx))
		cancel()
		if err != nil {
			w.e.config.Logger.ErrorContext(w.ctx, "the database cannot be told what is to be driven", "agentfsm.run.id", run, "error", err)
		}
		if err == nil || !sleep(w.ctx, pause) {
			return err
		}
	}
}
