package round

import (
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/processor"
)

// SuspendedError says what a suspended round waits for. It is behind the [*Error] of a
// Run that ended with [ErrSuspended].
type SuspendedError struct {
	// Questions are those of [Result].Waits. There are none where an agent of another
	// kind suspended the round without having asked by processor.Ask.
	Questions []processor.Question
	Err       error // what its Handle returned, which wraps fsm.ErrSuspend
}

func (e *SuspendedError) Error() string { return textOf(e.Err) }

// Unwrap returns what the Handle returned.
func (e *SuspendedError) Unwrap() error { return e.Err }

// waiting returns what is waited for, as it may be shown.
func (m *meter) waiting() []processor.Question {
	m.mu.Lock()
	list := m.waits
	m.mu.Unlock()
	for i := range list {
		list[i] = m.shown(list[i])
	}
	return list
}

// shown returns a question, whose Command is masked already, without secrets.
func (m *meter) shown(q processor.Question) processor.Question {
	for _, text := range []*string{&q.Agent, &q.Text, &q.Title, &q.Target, &q.Reason, &q.Comment} {
		*text = m.Scrub(*text)
	}
	for _, cmd := range []**desktop.Command{&q.Command, &q.Shown} {
		if *cmd != nil {
			shown := **cmd
			shown.Parameters, _ = m.scrubValue(shown.Parameters).(map[string]any)
			*cmd = &shown
		}
	}
	return q
}

// stillAsked returns the questions of a round that was suspended when it was recorded,
// but for those that were answered since.
func (m *meter) stillAsked(asked []*asking) []processor.Question {
	var list []processor.Question
	for _, a := range asked {
		q := cloneQuestion(a.Question)
		if q.Command != nil {
			masked := m.secrets.mask(*q.Command)
			q.Command = &masked
		}
		list = append(list, m.shown(q))
	}
	return list
}
