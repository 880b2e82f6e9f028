package runs

import (
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/durable"
)

// Event is what happened in a run.
type Event struct {
	Seq   int64     `json:"seq"` // of its record: the next one that is watched is larger
	At    time.Time `json:"at"`
	Kind  string    `json:"kind"` // of its record, as in a durable.Record
	Round int       `json:"round,omitempty"`
	Step  int       `json:"step,omitempty"`
	// Question is the id of what was asked or answered.
	Question string `json:"question,omitempty"`
	By       string `json:"by,omitempty"` // who answered
	Text     string `json:"text"`         // on one line, without secrets
}

// silent are the kinds of records that tell nobody anything.
var silent = []string{"blob", "secret", "tools", "drop", "change", "drive", "leave"}

// Watch yields what has happened in a run, and then what happens, until the run has ended or was cancelled. after is
// the Seq of the last Event that the caller has, 0 for none: who was cut off misses nothing and gets nothing twice.
// Watch sees a step that this process has taken at once, and everything else within Config.Poll.
//
// Errors are those of durable.Look, [ErrClosed], and the cause of ctx; an error is the last thing that is yielded.
func (s *Service) Watch(ctx context.Context, run string, after int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		select {
		case <-s.closed:
			yield(Event{}, ErrClosed)
			return
		default:
		}
		for r, err := range durable.Follow(ctx, s.store, run, after, func(ctx context.Context, changed func() bool) error { return s.wait(ctx, run, changed) }) {
			if err != nil {
				yield(Event{}, err)
				return
			}
			if slices.Contains(silent, r.Kind) {
				continue
			}
			e := Event{Seq: r.Seq, At: r.At, Kind: r.Kind, Round: r.Round, Step: r.Step, By: r.By, Text: r.Shown()}
			if r.Kind == "ask" || r.Kind == "answer" {
				e.Question = r.ID
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// wait waits until somebody has appended to a run.
func (s *Service) wait(ctx context.Context, run string, changed func() bool) error {
	poll := time.NewTicker(s.config.Poll)
	defer poll.Stop()
	told := s.news.next(run)
	for {
		if changed() {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-s.closed:
			return ErrClosed
		case <-told:
			return nil
		case <-poll.C:
		}
	}
}

// news tells those who watch a run of what this process does in it.
type news struct {
	mu      sync.Mutex
	waiting map[string]chan struct{} // closed when there is something
}

// next returns a channel that is closed when there is something new in a run.
func (n *news) next(run string) <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.waiting[run] == nil {
		n.waiting[run] = make(chan struct{})
	}
	return n.waiting[run]
}

func (n *news) tell(run string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if told := n.waiting[run]; told != nil {
		close(told)
		delete(n.waiting, run)
	}
}
