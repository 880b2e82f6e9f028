package durable

import (
	"context"
	"errors"
	"weak"

	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// A program may drop the agent of an application between two Runs. The next record would have that,
// but this process may never write one, and the next process would find the agent with its
// memory. So it is a record of its own.

var errUnderWay = errors.New("durable: a step of the run was interrupted: go on with it first")

// keepChanges has the blackboard, which host and session share, bring such changes here. It does not
// keep a recorder that nobody has any more: see driver.go.
func (j *recorder) keepChanges() {
	kept := weak.Make(j)
	j.board.Inside().KeepChanges(func(ctx context.Context, change func()) error {
		if j := kept.Value(); j != nil {
			return j.changed(ctx, change)
		}
		change()
		return nil
	})
}

// changed does a change and records it. Of one in a Run, and of one before the first, the next
// record has it.
func (j *recorder) changed(ctx context.Context, change func()) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.err != nil:
		return j.err
	case j.inRun || !j.begun:
		change()
		return nil
	case !j.between:
		return errUnderWay
	}
	if j.hold == nil {
		defer func() { j.release(ctx) }()
	}
	if err := j.driven(ctx); err != nil {
		return err
	}
	if err := j.stillLast(ctx); err != nil {
		return err
	}
	change()
	news, err := j.news(&round.Checkpoint{})
	switch {
	case err != nil:
		return j.fail(err)
	case news.Agent == nil && len(news.Board) == 0:
		return nil
	}
	return j.write(ctx, records.Record{Kind: records.KindChange, Change: news})
}
