package durable

import (
	"context"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/effects"
	"github.com/agentfsm/agentfsm/internal/effect"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/people"
)

// A wait, and a question with a deadline, have two times of one clock: when it began, and when it is over. If the first
// one is in the future, somebody has set the clock back since. Then the wait begins anew, and is as long as it was to be.

// clockSlack is how far the clocks of two machines may be apart.
const clockSlack = time.Minute

// isAhead reports whether a wait that began at a time began in the future.
func isAhead(since, now time.Time) bool { return since.After(now.Add(clockSlack)) }

// waitAnew has the waits begin anew that began in the future. j.mu is held.
func (j *recorder) waitAnew() error {
	now := writable(time.Now())
	for _, c := range j.effects.ops {
		t := c.timer
		if t == nil || t.Over || !isAhead(t.Since, now) {
			continue
		}
		c.timer = &records.Timer{Key: t.Key, Since: now, Until: writable(now.Add(t.Until.Sub(t.Since)))}
		if err := j.later(records.Record{Kind: records.KindTimer, Timer: c.timer}); err != nil {
			return err
		}
	}
	for _, a := range j.asked { // the next stop has them
		if isAhead(a.Asked, now) {
			a.Deadline, a.Asked = now.Add(a.Deadline.Sub(a.Asked)), now
		}
	}
	return nil
}

func (w recordedEffects) WaitUntil(ctx context.Context, key string, t time.Time) (time.Time, error) {
	if w.passes(ctx) {
		return w.inner.WaitUntil(ctx, key, t)
	}
	return w.j.waitUntil(ctx, key, w.of.KeyIn(ctx, key), t)
}

// waitUntil notes until when a step waits, and that it has. What is told with the next record is enough: by
// then nothing has followed from it.
func (j *recorder) waitUntil(ctx context.Context, short, key string, t time.Time) (time.Time, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.err != nil:
		return t, j.err
	case effect.Over(ctx):
		return t, &effects.Error{Key: short, Kind: effects.ErrNotDone, Err: errOver}
	}
	c := j.effects.find(records.KindTimer, key)
	news := c == nil
	if news {
		c = &op{kind: records.KindTimer, key: key, timer: &records.Timer{Key: key, Until: writable(t), Since: writable(time.Now())}}
		j.effects.ops = append(j.effects.ops, c)
	}
	if c.used {
		return t, &effects.Error{Key: short, Kind: effects.ErrKey, Err: errTwice}
	}
	c.used = true
	until := c.timer.Until
	if !c.timer.Over && !time.Now().Before(until) {
		c.timer, news = &records.Timer{Key: key, Until: until, Since: c.timer.Since, Over: true}, true
	}
	if news {
		if err := j.later(records.Record{Kind: records.KindTimer, Timer: c.timer}); err != nil {
			return until, err
		}
	}
	if c.timer.Over {
		return until, nil
	}
	return until, effect.Waits(short, until)
}

// writable is a time as its JSON has it, which knows years of four digits.
func writable(t time.Time) time.Time {
	const last = 9999
	t = t.UTC().Round(0)
	switch y := t.Year(); {
	case y > last:
		return time.Date(last, time.December, 31, 0, 0, 0, 0, time.UTC)
	case y < 1:
		return time.Time{}
	}
	return t
}

// clockWasSetBack reports whether the run has a wait that began after its last record.
func (r *reading) clockWasSetBack() bool {
	for _, t := range r.Timers {
		if isAhead(t.Since, r.state.Last) {
			return true
		}
	}
	return slices.ContainsFunc(r.Open, func(q people.Question) bool { return isAhead(r.Asked[q.ID], r.state.Last) })
}

// lastDeadline is when no answer to any of the questions counts any more; zero: never.
func lastDeadline(open []people.Question) (last time.Time) {
	for _, q := range open {
		if q.Deadline.IsZero() {
			return time.Time{}
		}
		if q.Deadline.After(last) {
			last = q.Deadline
		}
	}
	return last
}
