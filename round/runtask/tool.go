package runtask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/round"
)

// Tool runs tasks in Sessions. Make one with [New] or [Shared]: the zero Tool has no session, and its Run fails.
type Tool struct {
	open    func(ctx context.Context) (*round.Session, error)
	turn    chan struct{} // of a session for all calls: holds a value while one runs
	options Options
}

// New returns a Tool that does each task in a session of its own. open is called for each call, with its ctx, and
// returns a new Session, which the Tool closes when the call ends. Calls may run at the same time, if what the sessions
// share can. A nil open is an error. opts may be nil.
func New(open func(ctx context.Context) (*round.Session, error), opts *Options) (*Tool, error) {
	if open == nil {
		return nil, errNoSession
	}
	return &Tool{open: open, options: opts.filled()}, nil
}

// Shared returns a Tool with one Session for all calls, which wait for one another, since a session runs one round at a
// time. The Tool does not close the session. While a call may come, nobody else may use it; afterwards its Round can be
// asked, or driven on. The next call gives up a round that could have gone on. A nil session is an error. opts may be
// nil.
func Shared(session *round.Session, opts *Options) (*Tool, error) {
	if session == nil {
		return nil, errNoSession
	}
	return &Tool{
		open:    func(context.Context) (*round.Session, error) { return session, nil },
		turn:    make(chan struct{}, 1),
		options: opts.filled(),
	}, nil
}

// Name is how a model calls the tool.
func (t *Tool) Name() string { return t.options.Name }

// Description is what a model reads about the tool.
func (t *Tool) Description() string { return t.options.Description }

// Run does a task and returns what it came to. The error is an [*Error] when the round did not end in FINISH. Before
// there is a round it is [round.ErrNoRequest], that of a Tool without a Session, that of the func which opens the
// session, or that of a ctx that is done. When the session cannot be closed, that is the Result's Warning, or joined to
// the error.
func (t *Tool) Run(ctx context.Context, request string) (res Result, err error) {
	if t.open == nil { // the zero Tool
		return Result{}, errNoSession
	}
	if strings.TrimSpace(request) == "" {
		return Result{}, round.ErrNoRequest
	}
	if err := t.wait(ctx); err != nil {
		return Result{}, err
	}
	if t.turn != nil {
		defer func() { <-t.turn }()
	}
	session, err := t.open(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("runtask: open a session: %w", err)
	}
	if session == nil {
		return Result{}, errNoSession
	}
	if t.turn == nil {
		defer func() {
			problem := t.close(ctx, session)
			if failed, ok := err.(*Error); ok { //nolint:errorlint // it is made below, and not wrapped
				if r := session.Round(); r != nil { // closing the session has closed its sub-tasks
					failed.Result.Subtasks = r.Result().Subtasks
				}
			}
			if err == nil {
				res.Warning = problem
			} else if problem != nil {
				err = errors.Join(err, problem)
			}
		}()
	}
	came, err := session.Run(ctx, request)
	if err != nil {
		return Result{}, &Error{Result: came, err: err}
	}
	return Result{Result: came, maxData: t.options.MaxData}, nil
}

// wait takes the turn of a shared session. A ctx that is done gets none, so that it gives up no round that could go on.
func (t *Tool) wait(ctx context.Context) error {
	if ctx.Err() == nil {
		if t.turn == nil {
			return nil
		}
		select {
		case t.turn <- struct{}{}:
			return nil
		case <-ctx.Done():
		}
	}
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return fmt.Errorf("runtask: the task was not begun: %w", cause)
	}
	return fmt.Errorf("runtask: the task was not begun: %w: %w", err, cause)
}

// close ends the session of one call, for which a ctx that is done is no reason not to clean up.
func (t *Tool) close(ctx context.Context, session *round.Session) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	if err := session.Close(ctx); err != nil {
		return fmt.Errorf("runtask: close the session: %w", err)
	}
	return nil
}

const (
	defaultMaxData = 4096
	closeTimeout   = 30 * time.Second // for the session, after a call
)

// Options configure a [Tool]. Nil and the zero value mean the defaults.
type Options struct {
	Name        string // "": run_task
	Description string // what the model reads; "": that it does a task in the applications of a desktop

	// MaxData is how many bytes of a sub-task's data are in the JSON of a [Result]. Longer data is left out, and
	// data_bytes says how long it is. 0: 4096, negative: any.
	MaxData int
}

// filled returns a copy with the defaults.
func (o *Options) filled() Options {
	var out Options
	if o != nil {
		out = *o
	}
	out.Name = cmp.Or(out.Name, "run_task")
	out.Description = cmp.Or(out.Description,
		"Does a task in the applications of a desktop, and says what came of it. The task is done when the tool returns.")
	return out
}
