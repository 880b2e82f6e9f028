package durable

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// known is what an agent saved, as the records have it. This is the one place where what it saves
// now is compared with that, and where records are put together again; no agent is needed for either.
type known struct {
	state   json.RawMessage
	logs    map[string]fsm.Log
	workers map[string]*known
}

// diff returns what is new in what an agent saves, and takes it for known; nil: nothing.
func (k *known) diff(s fsm.Saved) *records.Data {
	d := &records.Data{}
	state := s.State
	if len(state) == 0 && len(k.state) > 0 {
		state = json.RawMessage("null") // a record without a state would leave it as it was
	}
	if !bytes.Equal(state, k.state) {
		k.state = bytes.Clone(state)
		d.State = k.state
	}
	for name, log := range s.Logs {
		n := logDiff(k.logs[name], log)
		if _, there := k.logs[name]; n == nil && there {
			continue
		}
		if n != nil {
			put(&d.Logs, name, n)
		}
		items := append(k.logs[name].Items[:0], log.Items...) // the agent goes on with its own
		put(&k.logs, name, fsm.Log{Dropped: log.Dropped, Items: items})
	}
	for name := range k.logs {
		if _, there := s.Logs[name]; !there {
			put(&d.Logs, name, nil)
			delete(k.logs, name)
		}
	}
	for name, saved := range s.Workers {
		worker, there := k.workers[name]
		if !there {
			worker = &known{}
			put(&k.workers, name, worker)
		}
		if n := worker.diff(saved); n != nil || !there {
			put(&d.Workers, name, orNone(n))
		}
	}
	for name := range k.workers {
		if _, there := s.Workers[name]; !there {
			put(&d.Workers, name, nil)
			delete(k.workers, name)
		}
	}
	if d.State == nil && len(d.Logs)+len(d.Workers) == 0 {
		return nil
	}
	return d
}

// logDiff returns what became of a log; nil: nothing. One that was begun anew, as for another task, has
// other items, which are seen even where it is as long as before.
func logDiff(was, is fsm.Log) *records.Log {
	n := &records.Log{Dropped: is.Dropped, Keep: is.Dropped}
	if at := is.Dropped - was.Dropped; at >= 0 && at <= len(was.Items) {
		old := was.Items[at:]
		same := 0
		for same < min(len(old), len(is.Items)) && sameItem(old[same], is.Items[same]) {
			same++
		}
		if at == 0 && same == len(old) && same == len(is.Items) {
			return nil
		}
		n.Keep += same
	}
	n.Add = is.Items[n.Keep-is.Dropped:]
	return n
}

// sameItem compares the bytes only of items that were encoded again.
func sameItem(a, b json.RawMessage) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || bytes.Equal(a, b))
}

// apply brings what is known to what it is after a record.
func (k *known) apply(d *records.Data) error {
	if d == nil {
		return nil
	}
	if d.State != nil {
		k.state = d.State
	}
	if err := k.applyLogs(d.Logs); err != nil {
		return err
	}
	for name, n := range d.Workers {
		if n == nil {
			delete(k.workers, name)
			continue
		}
		worker, there := k.workers[name]
		if !there {
			worker = &known{}
			put(&k.workers, name, worker)
		}
		if err := worker.apply(n); err != nil {
			return fmt.Errorf("agent %q: %w", name, err)
		}
	}
	return nil
}

func (k *known) applyLogs(changed map[string]*records.Log) error {
	if len(changed) == 0 {
		return nil
	}
	logs := maps.Clone(k.logs) // what was returned stays as it is
	for name, n := range changed {
		if n == nil {
			delete(logs, name)
			continue
		}
		log, err := after(logs[name], n)
		if err != nil {
			return fmt.Errorf("the log %q: %w", name, err)
		}
		put(&logs, name, log)
	}
	k.logs = logs
	return nil
}

// after returns a log as it is after a record.
func after(was fsm.Log, n *records.Log) (fsm.Log, error) {
	end := was.Dropped + len(was.Items)
	switch {
	case n.Dropped < 0 || n.Keep < n.Dropped:
		return fsm.Log{}, fmt.Errorf("it keeps items up to %d of those from %d on", n.Keep, n.Dropped)
	case n.Keep == n.Dropped:
		return fsm.Log{Dropped: n.Dropped, Items: n.Add}, nil
	case n.Dropped < was.Dropped || n.Keep > end:
		return fsm.Log{}, fmt.Errorf("it keeps items %d to %d of %d to %d", n.Dropped, n.Keep, was.Dropped, end)
	}
	items := was.Items[n.Dropped-was.Dropped : n.Keep-was.Dropped]
	return fsm.Log{Dropped: n.Dropped, Items: append(items, n.Add...)}, nil
}

// saved returns what is known, for an agent to load. Records that are taken later do not change it.
func (k *known) saved() fsm.Saved {
	s := fsm.Saved{State: bytes.Clone(k.state)}
	for name, log := range k.logs {
		put(&s.Logs, name, fsm.Log{Dropped: log.Dropped, Items: slices.Clone(log.Items)}) // which the agent may write into
	}
	for name, worker := range k.workers {
		put(&s.Workers, name, worker.saved())
	}
	return s
}

func put[T any](m *map[string]T, name string, v T) {
	if *m == nil {
		*m = map[string]T{}
	}
	(*m)[name] = v
}

// orNone is a record of an agent of which nothing is known but that it is there.
func orNone(d *records.Data) *records.Data {
	if d == nil {
		return &records.Data{}
	}
	return d
}

// unsaved returns the first agent of a position that is not among the workers of those who lead to it, and who made it.
// Agents that gave control back may be dropped: their maker says so by not saving them any more.
func unsaved(saved *fsm.Saved, c *round.Checkpoint) (name, maker string) {
	at := c.Stack
	if c.Returned != nil {
		at = append(slices.Clip(at), *c.Returned)
	}
	for _, place := range at {
		var chain []string // from the agent up to one that the first agent made
		for name := place.Agent; c.Makers[name] != "" && len(chain) < len(c.Makers); name = c.Makers[name] {
			chain = append(chain, name)
		}
		makers := []fsm.Saved{*saved}
		for _, name := range slices.Backward(chain) {
			i := slices.IndexFunc(makers, func(s fsm.Saved) bool { _, there := s.Workers[name]; return there })
			if i < 0 {
				return name, c.Makers[name]
			}
			makers = append(makers, makers[i].Workers[name])
		}
	}
	return "", ""
}

// check finds what could not be read again.
func check(s *fsm.Saved) error {
	for name, log := range s.Logs {
		switch {
		case log.Dropped < 0:
			return fmt.Errorf("its log %q has dropped %d items", name, log.Dropped)
		case !utf8.ValidString(name):
			return fmt.Errorf("the name of its log %q is no text", name)
		}
	}
	for name, worker := range s.Workers {
		if !utf8.ValidString(name) {
			return fmt.Errorf("the name of its worker %q is no text", name)
		}
		if err := check(&worker); err != nil {
			return fmt.Errorf("worker %q: %w", name, err)
		}
	}
	return nil
}

// save returns what the first agent saves, with the agents to which it and others handed over, and what is new in it.
func (j *recorder) save(c *round.Checkpoint) (d *records.Data, err error) {
	err = guard(func() error {
		saved, err := j.host.(fsm.Saver).Save() // the Round has looked
		if err != nil {
			return err
		}
		if err := check(&saved); err != nil {
			return fmt.Errorf("what agent %q saves: %w", j.host.Name(), err)
		}
		if name, maker := unsaved(&saved, c); name != "" {
			return misfit(maker, fmt.Sprintf("it handed over to %q, which is not among the Workers of what it saves: nobody could go on with that one", name))
		}
		d = j.known.diff(saved)
		return nil
	})
	return d, err
}

// news returns what changed since it was last asked for.
func (j *recorder) news(c *round.Checkpoint) (*records.News, error) {
	n := &records.News{}
	var err error
	if n.Agent, err = j.save(c); err != nil {
		return nil, err
	}
	if n.Board, err = j.board.Inside().TakeOps(); err != nil {
		return nil, err
	}
	for i := range n.Board {
		op := &n.Board[i]
		if op.Kind != boarddata.OpPutBlob {
			continue
		}
		if _, err := j.blob(op.Data); err != nil {
			return nil, err
		}
		op.Data = nil
	}
	return n, nil
}
