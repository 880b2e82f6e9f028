package round

import (
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/calls"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/people"
)

// SuspendedError says what a suspended round waits for. It is behind the [*Error] of a
// Run that ended with [ErrSuspended].
type SuspendedError struct {
	// Questions are those of [Result].Waits. There are none where an agent of another
	// kind suspended the round without having asked by people.Ask.
	Questions []people.Question
	Err       error // what its Handle returned, which wraps fsm.ErrSuspend
}

func (e *SuspendedError) Error() string { return textOf(e.Err) }

// Unwrap returns what the Handle returned.
func (e *SuspendedError) Unwrap() error { return e.Err }

// toShow is a question as it was asked, and how it is shown; nil: nobody said how.
type toShow struct {
	people.Question
	show trace.Show[people.Question]
}

// askedFor is a question of a step, and what is recorded of it.
type askedFor struct {
	Ask
	question toShow
}

// words returns a question as a person reads it, and redacted. A command in its Text is
// whole but for what its tool's schema marks as secret: a person decides by it.
func (m *meter) words(q toShow) people.Question {
	if q.show != nil {
		return q.show(q.Question, m.Scrub)
	}
	return hideWords(q.Question, m.Scrub)
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
func (m *meter) shown(q people.Question) people.Question {
	q = hideWords(q, m.Scrub)
	for _, cmd := range []**desktop.Command{&q.Command, &q.Shown} {
		if *cmd != nil {
			shown := **cmd
			m.scrubArguments(&shown)
			*cmd = &shown
		}
	}
	return q
}

// stillAsked returns the questions of a round that was suspended elsewhere, as they may be shown.
func (m *meter) stillAsked(asked []people.Question) []people.Question {
	var list []people.Question
	for _, q := range asked {
		q = calls.Question(q)
		if q.Command != nil {
			masked := m.secrets.mask(*q.Command)
			q.Command = &masked
		}
		list = append(list, m.shown(q))
	}
	return list
}
