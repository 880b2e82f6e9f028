package durable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/records"
)

// known is what an agent saved, as the records have it. This is the one place where what it saves
// now is compared with that, and where records are put together again; no agent is needed for either.
type known struct {
	state   json.RawMessage            // nil: as its members
	members map[string]json.RawMessage // nil: it is no object, or was not read yet
	logs    map[string]fsm.Log
	workers map[string]*known
}

// diff returns what is new in what an agent saves, and takes it for known; nil: nothing.
func (k *known) diff(s fsm.Saved) *records.Data {
	d := &records.Data{}
	k.diffState(s.State, d)
	for name, log := range s.Logs {
		if n := logDiff(k.logs[name], log); n != nil {
			put(&d.Logs, name, n)
		}
	}
	for name := range k.logs {
		if _, there := s.Logs[name]; !there {
			put(&d.Logs, name, nil)
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
	k.logs = s.Logs
	if d.State == nil && len(d.Set)+len(d.Unset)+len(d.Logs)+len(d.Workers) == 0 {
		return nil
	}
	return d
}

func (k *known) diffState(state json.RawMessage, d *records.Data) {
	if len(state) == 0 && (len(k.state) > 0 || k.members != nil) {
		state = json.RawMessage("null") // a record without a state would leave it as it was
	}
	if bytes.Equal(state, k.state) {
		return
	}
	was := k.object()
	k.state, k.members = state, nil
	is := k.object()
	if was == nil || is == nil {
		d.State = state
		return
	}
	for name, raw := range is {
		if old, there := was[name]; !there || !bytes.Equal(old, raw) {
			put(&d.Set, name, raw)
		}
	}
	for name := range was {
		if _, there := is[name]; !there {
			d.Unset = append(d.Unset, name)
		}
	}
	slices.Sort(d.Unset)
}

// object returns the members of the state; nil: it is no object.
func (k *known) object() map[string]json.RawMessage {
	if k.members == nil && json.Unmarshal(k.state, &k.members) != nil {
		k.members = nil
	}
	return k.members
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
	if err := k.applyState(d); err != nil {
		return err
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

func (k *known) applyState(d *records.Data) error {
	if d.State != nil {
		k.state, k.members = d.State, nil
	}
	if len(d.Set)+len(d.Unset) == 0 {
		return nil
	}
	members := k.object()
	if members == nil {
		return errNoObject
	}
	maps.Copy(members, d.Set)
	for _, name := range d.Unset {
		delete(members, name)
	}
	k.state = nil
	return nil
}

var errNoObject = errors.New("members of its state changed, but it is no object")

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
	if n.Keep < end {
		items = slices.Clip(items) // what was returned keeps the others
	}
	return fsm.Log{Dropped: n.Dropped, Items: append(items, n.Add...)}, nil
}

// saved returns what is known, for an agent to load. Records that are taken later do not change it.
func (k *known) saved() fsm.Saved {
	if k.state == nil && k.members != nil {
		k.state, _ = json.Marshal(k.members) // they were JSON
	}
	s := fsm.Saved{State: k.state, Logs: k.logs}
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

// has reports whether an agent of that name is among the workers, or among theirs.
func has(s *fsm.Saved, name string) bool {
	if _, there := s.Workers[name]; there {
		return true
	}
	for _, worker := range s.Workers {
		if has(&worker, name) {
			return true
		}
	}
	return false
}

// save returns what the first agent saves, with the agents to which it and others handed over, and
// what is new in it.
func (j *recorder) save(makers map[string]string) (d *records.Data, err error) {
	err = guard(func() error {
		saved, err := j.host.(fsm.Saver).Save() // the Round has looked
		if err != nil {
			return err
		}
		for name, maker := range makers {
			if !has(&saved, name) {
				return misfit(maker, fmt.Sprintf("it handed over to %q, which is not among the Workers of what it saves: nobody could go on with that one", name))
			}
		}
		d = j.known.diff(saved)
		return nil
	})
	return d, err
}

// news returns what changed since it was last asked for.
func (j *recorder) news(makers map[string]string) (*records.News, error) {
	n := &records.News{}
	var err error
	if n.Agent, err = j.save(makers); err != nil {
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
