package dbos

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/dbos-inc/dbos-transact-golang/dbos"
)

// These are in the rows of a database: a release that changes one cannot go on with what an older one has left.
const (
	workflowName = "agentfsm.drive"
	queuePrefix  = "agentfsm.runs." // and the AppName, since a queue belongs to one application
	standardName = "agentfsm"       // of an application, and of its version
)

const (
	standardPoll = 200 * time.Millisecond
	callTime     = 10 * time.Second // how long the database may take where nobody else says so
	pause        = time.Second      // before something is tried again
	creations    = 20               // how often New tries
	looks        = 25               // polls from one look for rows that do not begin to the next
)

// creating are the errors of a process that creates what another one is creating: DBOS has no others for that.
var creating = regexp.MustCompile("migration|create database")

var (
	errExecutor  = errors.New("dbos: Config.ExecutorID is empty: each process needs one of its own, and keeps it when it starts again")
	errPool      = errors.New("dbos: Config has a pool, which DBOS would close: it needs a DatabaseURL")
	errWorking   = errors.New("dbos: Work is being called already")
	errCancelled = errors.New("dbos: the run was cancelled")
)

// Options are those of an Engine.
type Options struct {
	// Poll is how often a process looks for runs that were woken (200 milliseconds). It is one for all
	// processes: who began to work last has set it.
	Poll time.Duration
}

// Engine is a [runs.Engine] on DBOS. Everything may be called by several goroutines.
type Engine struct {
	config sdk.Config
	poll   time.Duration
	queue  string
	client sdk.Context // it is never launched, so that it does no work

	works  sync.Mutex // of Work
	driven sync.Map   // a context.CancelCauseFunc for each row that is driven here, until it is deleted
}

// New connects to the database that config names, and creates what DBOS needs there. It drives nothing: see Work.
//
// config needs a DatabaseURL, and an ExecutorID that no other process has. Where it has none, the AppName is
// "agentfsm", ApplicationVersion is fixed, and nothing is logged. opts may be nil. The caller closes the Engine.
func New(ctx context.Context, config sdk.Config, opts *Options) (*Engine, error) {
	switch {
	case config.ExecutorID == "":
		return nil, errExecutor
	case config.SystemDBPool != nil || config.SQLiteSystemDB != nil:
		return nil, errPool
	}
	config.AppName = cmp.Or(config.AppName, standardName)
	config.ApplicationVersion = cmp.Or(config.ApplicationVersion, standardName)
	config.Logger = slog.New(quiet{cmp.Or(config.Logger, slog.New(slog.DiscardHandler)).Handler()})
	e := &Engine{config: config, poll: standardPoll, queue: queuePrefix + url.PathEscape(config.AppName)}
	if opts != nil && opts.Poll > 0 {
		e.poll = opts.Poll
	}
	var err error
	for n := 1; ; n++ {
		if e.client, err = e.open(ctx); err == nil {
			return e, nil
		}
		// Processes that create what DBOS needs at the same time stand in each other's way.
		if n == creations || ctx.Err() != nil || !creating.MatchString(err.Error()) {
			return nil, err
		}
		sleep(ctx, pause/20+rand.N(pause/4)) //nolint:gosec // nobody has to be kept from guessing it
	}
}

// sleep reports whether ctx lasts so long.
func sleep(ctx context.Context, long time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(long):
		return true
	}
}

// open connects to the database. What is opened outlives ctx.
func (e *Engine) open(ctx context.Context) (sdk.Context, error) {
	base, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	opened, err := sdk.NewContext(base, e.config)
	if stop() && err == nil {
		return opened, nil
	}
	if cancel(nil); err == nil {
		err = sdk.Shutdown(opened, callTime) // ctx ended just now
	}
	return nil, fmt.Errorf("dbos: %w", errors.Join(context.Cause(ctx), err)) // of which DBOS would keep the text
}

// Close ends the connections. Call it when Work has returned; the Engine is of no use any more.
func (e *Engine) Close() error { return sdk.Shutdown(e.client, callTime) }

// A run has two rows at most: that of a drive under way, and that of the next one. A row is deleted when its drive is
// over, so its id can be used again, and a run that only waits for an answer has none.
func (e *Engine) ids(run string) []string {
	return []string{e.queue + "/0/" + run, e.queue + "/1/" + run}
}

func list(c sdk.Client, which ...sdk.ListWorkflowsOption) (map[string]sdk.WorkflowStatus, error) {
	found, err := sdk.ListWorkflows(c, append(which, sdk.WithFilterLoadInput(false), sdk.WithFilterLoadOutput(false))...)
	rows := map[string]sdk.WorkflowStatus{}
	for i := range found {
		rows[found[i].ID] = found[i]
	}
	return rows, err
}

func (e *Engine) rows(c sdk.Client, run string) (map[string]sdk.WorkflowStatus, error) {
	return list(c, sdk.WithFilterWorkflowIDs(e.ids(run)...))
}

// enqueue has a drive wait, now or later. A row that is there already stays as it is.
func (e *Engine) enqueue(c sdk.Client, id, run string, later time.Duration) error {
	_, err := sdk.Enqueue[bool](c, e.queue, workflowName, run, sdk.WithEnqueueWorkflowID(id),
		sdk.WithEnqueueQueuePartitionKey(run), sdk.WithEnqueueDelay(max(later, 0)))
	return err
}

// Wake implements [runs.Engine]. Its errors are those of the database.
//
// Between its look and its write other processes may do anything. A drive that begins after the look sees what its
// caller has recorded, so it does not matter which row brings it, and whether that is gone by now.
func (e *Engine) Wake(ctx context.Context, run string) error {
	c := sdk.From(e.client, ctx)
	rows, err := e.rows(c, run)
	if err != nil {
		return err
	}
	var free, later string
	for _, id := range e.ids(run) {
		switch rows[id].Status {
		case sdk.WorkflowStatusEnqueued:
			return nil
		case sdk.WorkflowStatusDelayed:
			later = id
		case sdk.WorkflowStatusPending:
		default:
			free = id
		}
	}
	if rows[free].Status != "" {
		// Somebody has cancelled it with tools of DBOS. If another Wake has replaced it meanwhile, and that one is driven
		// already, two drives may be under way once: the lock of the store keeps them apart.
		if err := sdk.DeleteWorkflows(c, []string{free}); err != nil {
			return err
		}
	}
	id := cmp.Or(free, later) // a drive deletes the row that waits for its time, when it begins
	if err := e.enqueue(c, id, run, 0); err != nil {
		return err
	}
	// A drive that has ended meanwhile may have left its next time in that row. What is there later does not matter.
	rows, err = e.rows(c, run)
	if err != nil || rows[id].Status != sdk.WorkflowStatusDelayed {
		return err
	}
	return sdk.SetWorkflowDelay(c, id, sdk.WithDelayUntil(time.Now())) // which changes nothing else than its time
}

// Cancel implements [runs.Engine]. A drive under way in another process goes on until its service looks into the store:
// DBOS ends nothing that runs elsewhere.
func (e *Engine) Cancel(ctx context.Context, run string) error {
	for _, id := range e.ids(run) {
		if cancel, driven := e.driven.Load(id); driven {
			cancel.(context.CancelCauseFunc)(errCancelled) //nolint:forcetypeassert // nothing else is there
		}
	}
	return e.forget(sdk.From(e.client, ctx), run)
}

// forget deletes the rows of a run, but that of a drive under way, which keeps others from driving the run.
func (e *Engine) forget(c sdk.Client, run string) error {
	rows, err := e.rows(c, run)
	maps.DeleteFunc(rows, func(_ string, row sdk.WorkflowStatus) bool { return row.Status == sdk.WorkflowStatusPending })
	if err != nil || len(rows) == 0 {
		return err
	}
	return sdk.DeleteWorkflows(c, slices.Collect(maps.Keys(rows)))
}

// quiet leaves out what DBOS says after each drive: that it has nothing to record.
type quiet struct{ slog.Handler }

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	if strings.HasPrefix(r.Message, "Failed to serialize workflow output") {
		return nil
	}
	return q.Handler.Handle(ctx, r)
}
