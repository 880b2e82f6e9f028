package round

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/effect"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/people"
)

// toShow is a question as it was asked, and how it is shown; nil: nobody said how.
type toShow struct {
	people.Question
	show trace.Show[people.Question]
}

// askedFor is a question of a step, and what came of it.
type askedFor struct {
	toShow
	answer people.Answer
	err    string
}

// words returns a question as a person reads it, and redacted. A command in its Text is
// whole but for what its tool's schema marks as secret: a person decides by it.
func (s *scrubber) words(q toShow) people.Question {
	if q.show != nil {
		return q.show(q.Question, s.scrub)
	}
	return hideWords(q.Question, s.scrub)
}

func hideWords(q people.Question, hide func(string) string) people.Question {
	for _, text := range []*string{&q.Agent, &q.Text, &q.Title, &q.Target, &q.Reason, &q.Comment} {
		*text = hide(*text)
	}
	return q
}

// waiting returns what is waited for, as it may be shown.
func (m *meter) waiting() []people.Question {
	m.mu.Lock()
	waits := m.waits
	m.mu.Unlock()
	var list []people.Question
	for _, q := range waits {
		list = append(list, m.shown(m.words(q))) // its Command is masked
	}
	return list
}

// shown returns a question, whose Command is masked already, without secrets.
func (s *scrubber) shown(q people.Question) people.Question {
	q = hideWords(q, s.scrub)
	for _, cmd := range []**desktop.Command{&q.Command, &q.Shown} {
		if *cmd != nil {
			shown := **cmd
			s.arguments(&shown)
			*cmd = &shown
		}
	}
	return q
}

// stillAsked returns the questions of a round that was suspended elsewhere, as they may be shown.
func (s *scrubber) stillAsked(asked []people.Question) []people.Question {
	var list []people.Question
	for _, q := range asked {
		q = q.Clone()
		if q.Command != nil {
			masked := s.secrets.mask(*q.Command)
			q.Command = &masked
		}
		list = append(list, s.shown(q))
	}
	return list
}

// meteredEffects sees what a Handle does in Go.
type meteredEffects struct {
	m     *meter
	inner effect.Doer
}

func (w meteredEffects) Do(ctx context.Context, c *effect.Call) error {
	if err := w.m.tripped(); err != nil {
		return err
	}
	var start time.Time
	if w.m.Timed() {
		start = time.Now()
	}
	err := w.inner.Do(ctx, c)
	w.m.disturb(ctx, err)
	if !errors.Is(err, fsm.ErrSuspend) { // else it was not done
		w.m.did(c, err, start)
	}
	return err
}

// did notes an effect. It is no repeat: what is done by key is decided by code, which polls.
func (m *meter) did(c *effect.Call, err error, start time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	m.attempt.sent = m.attempt.sent || !c.Kept
	if !m.watched {
		return
	}
	result := desktop.Result{Status: desktop.Success}
	if err != nil {
		result = desktop.Result{Status: desktop.Failure, Error: textOf(err)}
	}
	m.commands = append(m.commands, Command{Command: desktop.Command{ToolName: c.Key}, Result: result, Duration: time.Since(start)})
}

func (w meteredEffects) WaitUntil(ctx context.Context, key string, t time.Time) (time.Time, error) {
	if err := w.m.tripped(); err != nil {
		return t, err
	}
	until, err := w.inner.WaitUntil(ctx, key, t)
	w.m.disturb(ctx, err)
	if err != nil && errors.Is(err, fsm.ErrSuspend) {
		w.m.wakesAt(until)
	}
	return until, err
}

func (m *meter) wakesAt(t time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Store(true)
	if m.wakes.IsZero() || t.Before(m.wakes) {
		m.wakes = t
	}
}

// waking returns when the first wait is over.
func (m *meter) waking() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.wakes
}

// name tells the step under way from others of the round.
func (m *meter) name() string {
	at := ""
	if where := m.where(); len(where) > 0 {
		at = where[len(where)-1]
	}
	return fmt.Sprintf("step %d of %s", m.transitions+1, at)
}
