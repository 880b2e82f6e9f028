package blackboard

import (
	"fmt"
	"slices"
)

// fit finds what does not fit what is there.
func (in *changes) fit(c *contents) error {
	for _, name := range in.Deleted {
		if c.values[name].list {
			return fmt.Errorf("%q is a list, which cannot be deleted", clip(name))
		}
	}
	for name := range in.Values {
		if c.values[name].list {
			return fmt.Errorf("%q is a list, which cannot be set", clip(name))
		}
	}
	for name, g := range in.Lists {
		old, exists := c.values[name]
		if exists && !old.list && !slices.Contains(in.Deleted, name) || len(old.items) != g.From {
			return fmt.Errorf("%q is no list of %d items", clip(name), g.From)
		}
	}
	for _, s := range in.Opened {
		if s.N <= c.opened() || c.byID[s.ID] != nil {
			return fmt.Errorf("sub-task %d was opened before", s.N)
		}
	}
	for i := range in.Closed {
		s := &in.Closed[i]
		if old := c.byID[s.ID]; old == nil || old.N != s.N || old.Status != "" {
			return fmt.Errorf("sub-task %d is not open", s.N)
		}
	}
	return nil
}

// commit does what is checked. Nothing of it can fail.
func (in *changes) commit(b *Board, added *contents) {
	for _, name := range in.Deleted {
		if old, ok := b.values[name]; ok {
			b.unset(name, old)
			b.track.value(name, old.raw, nil)
		}
	}
	for name := range in.Values {
		old, exists := b.values[name]
		now := added.values[name]
		delta := len(now.raw) - len(old.raw)
		if !exists {
			delta += len(name)
		}
		b.set(name, now, delta)
		b.track.value(name, old.raw, now.raw)
	}
	for name := range in.Lists {
		old, exists := b.values[name]
		delta := 0
		if !exists {
			delta += len(name)
		}
		for _, item := range added.values[name].items {
			delta += len(item)
		}
		b.set(name, entry{list: true, items: append(old.items, added.values[name].items...)}, delta)
		b.track.list(name, len(old.items))
	}
	for i := range in.Closed {
		s := &in.Closed[i]
		old := b.byID[s.ID]
		done := &subtask{old.N, old.Subtask}
		done.Status, done.Result, done.Reason = s.Status, s.Result, s.Reason
		b.end(old, done, done.record())
	}
	for _, s := range in.Opened {
		b.addSubtask(s)
		if s.Status != "" {
			name := s.resultName()
			b.set(name, added.values[name], len(name)+len(added.values[name].raw))
		}
	}
	for prefix, n := range in.Numbered {
		b.count(prefix, n)
		b.track.number(prefix)
	}
	for _, ref := range in.Dropped {
		b.dropBlob(ref)
		b.track.blob(ref)
	}
	for ref, stored := range added.blobs {
		b.dropBlob(ref)
		b.addBlob(ref, stored)
		b.track.blob(ref)
	}
}
