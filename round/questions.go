package round

import (
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/calls"
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
		q = calls.Question(q)
		if q.Command != nil {
			masked := s.secrets.mask(*q.Command)
			q.Command = &masked
		}
		list = append(list, s.shown(q))
	}
	return list
}
