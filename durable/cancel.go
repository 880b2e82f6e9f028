package durable

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/records"
)

// ErrCancelled says that somebody cancelled the run: nobody goes on with it.
var ErrCancelled = errors.New("durable: the run was cancelled")

// Cancel ends a run. The State of the run has the Outcome round.Cancelled and the reason. [Open], [Answer] and
// [Expire] return [ErrCancelled] from then on.
//
// Any process may cancel. A process that drives the run gets a store.ErrConflict at its next record,
// and does nothing more. What it had begun, such as a command, it may still finish.
//
// cancelled is false where the run had ended, or was cancelled before: that is no error. Errors are those
// of [Look] and of the store.
func Cancel(ctx context.Context, in store.Store, run, reason string) (cancelled bool, err error) {
	_, err = note(ctx, in, run, func(r *reading) (*records.Record, error) {
		cancelled = false // somebody else may be quicker
		switch {
		case r.scan.Seq == 0:
			return nil, fmt.Errorf("durable: cancel %q: %w", run, ErrNoRun)
		case r.state.Stage == Ended:
			return nil, nil
		}
		cancelled = true
		return &records.Record{Kind: records.KindCancel, Cancel: &records.Cancel{Reason: reason}}, nil
	})
	return cancelled && err == nil, err
}

func errCancelled(run, reason string) error {
	if reason == "" {
		return fmt.Errorf("%w: run %q", ErrCancelled, run)
	}
	return fmt.Errorf("%w: run %q: %s", ErrCancelled, run, reason)
}
